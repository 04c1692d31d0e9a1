/** Tokens that stories260K's tokenizer makes of the listener's texts; its pieces after the 256 bytes, one a line. */
export const TABLE = {
  pieces:
    '▁t\nhe\n▁a\n▁s\n▁w\nnd\n▁the\ned\n▁to\n▁b\n▁and\n▁h\nin\n▁f\n▁wa\n▁T\nit\nre\nou\n▁l\n▁d\n▁c\n▁he\n▁p\nay\n▁m\ner\n▁was\nom\nim\non\nil\n▁The\nid\nis\nat\nar\n▁sa\n▁n\n▁g\ning\n▁ha\n▁S\nen\nan\nor\nle\nll\n▁L\n▁th\not\nily\n▁her\n▁it\n▁"\nam\nir\net\n▁Lily\n▁u\n▁O\n▁H\n▁On\n▁in\nut\n▁pl\nri\n▁Tim\now\n▁day\n▁be\nver\nce\nith\nig\n▁o\n▁with\n▁said\n▁play\n▁She\npp\nck\nld\n▁They\nmy\n▁e\n▁his\n▁He\noo\n▁y\n▁st\n▁up\n▁that\n▁r\n▁on\nke\nked\nst\n▁mom\n▁she\n▁I\nve\nnt\nitt\nvery\n▁you\n▁happ\n▁they\nend\n▁B\nime\n▁big\n▁fri\nse\n▁of\n▁friend\nittle\n▁little\nent\n▁time\nun\nad\n▁had\n▁we\n▁there\n▁so\n▁One\nher\n▁for\nall\nould\n▁nam\n▁want\n▁M\n▁happy\n▁saw\n▁named\nved\n▁li\n▁but\n▁very\n▁do\n▁lo\nch\n▁Once\n▁ne\n▁Timmy\nes\n▁upon\nout\n▁k\n▁\ne\na\nt\no\nh\nn\ni\nd\ns\nr\nl\ny\nm\nw\nu\n.\np\ng\nc\nb\nf\n,\nk\nT\nv\n"\nS\nL\n\'\nH\nO\nI\n!\nx\nB\nM\nA\nW\nj\n?\nz\nY\nF\nJ\nD\nq\nC\nN\nE\nP\nR\nK\nG\n-\n“\n”\n:\n’\nZ\nV\nU\n3\nQ\n;\n1\n–\n0\nX\n2\n5\n—\n‘\n9\n4\né\n…\n8\n)\n(\n6\n7\n/\nñ\n$\n`\n+\n*\n \n&\n\\\n%\nâ\n€\n<\n>\n|\n™\n[\n]\n~\n ',
  start: [
    1, 403, 407, 261, 378, 432, 383, 286, 261, 376, 298, 315, 421, 395, 317, 426, 338, 267, 341, 274, 287, 261, 349,
    304, 422, 426,
  ],
  asks: {
    dog: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 400, 428, 443, 436, 336, 274, 287, 426],
    ball: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 268, 388, 443, 436, 336, 274, 287, 426],
    cat: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 280, 294, 443, 436, 336, 274, 287, 426],
    tree: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 259, 276, 411, 443, 436, 336, 274, 287, 426],
    bird: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 268, 315, 418, 443, 436, 336, 274, 287, 426],
    car: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 280, 295, 443, 436, 336, 274, 287, 426],
    cake: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 280, 412, 354, 443, 436, 336, 274, 287, 426],
    sun: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 262, 379, 443, 436, 336, 274, 287, 426],
    book: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 268, 347, 433, 443, 436, 336, 274, 287, 426],
    hat: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 270, 294, 443, 436, 336, 274, 287, 426],
    fish: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 272, 293, 415, 443, 436, 336, 274, 287, 426],
    box: [313, 434, 411, 306, 284, 411, 261, 430, 408, 265, 268, 414, 444, 443, 436, 336, 274, 287, 426],
  },
  replies: {
    dog: [291, 400, 428, 286, 393, 426],
    ball: [291, 268, 388, 286, 393, 426],
    cat: [291, 280, 294, 286, 393, 426],
    tree: [291, 259, 276, 411, 286, 393, 426],
    bird: [291, 268, 315, 418, 286, 393, 426],
    car: [291, 280, 295, 286, 393, 426],
    cake: [291, 280, 412, 354, 286, 393, 426],
    sun: [291, 262, 379, 286, 393, 426],
    book: [291, 268, 347, 433, 286, 393, 426],
    hat: [291, 270, 294, 286, 393, 426],
    fish: [291, 272, 293, 415, 286, 393, 426],
    box: [291, 268, 414, 444, 286, 393, 426],
  },
};
