/** Tokens that stories260K's tokenizer makes of the listener's texts; its pieces after the 256 bytes, one a line. */
export const TABLE = {
  pieces:
    '▁t\nhe\n▁a\n▁s\n▁w\nnd\n▁the\ned\n▁to\n▁b\n▁and\n▁h\nin\n▁f\n▁wa\n▁T\nit\nre\nou\n▁l\n▁d\n▁c\n▁he\n▁p\nay\n▁m\ner\n▁was\nom\nim\non\nil\n▁The\nid\nis\nat\nar\n▁sa\n▁n\n▁g\ning\n▁ha\n▁S\nen\nan\nor\nle\nll\n▁L\n▁th\not\nily\n▁her\n▁it\n▁"\nam\nir\net\n▁Lily\n▁u\n▁O\n▁H\n▁On\n▁in\nut\n▁pl\nri\n▁Tim\now\n▁day\n▁be\nver\nce\nith\nig\n▁o\n▁with\n▁said\n▁play\n▁She\npp\nck\nld\n▁They\nmy\n▁e\n▁his\n▁He\noo\n▁y\n▁st\n▁up\n▁that\n▁r\n▁on\nke\nked\nst\n▁mom\n▁she\n▁I\nve\nnt\nitt\nvery\n▁you\n▁happ\n▁they\nend\n▁B\nime\n▁big\n▁fri\nse\n▁of\n▁friend\nittle\n▁little\nent\n▁time\nun\nad\n▁had\n▁we\n▁there\n▁so\n▁One\nher\n▁for\nall\nould\n▁nam\n▁want\n▁M\n▁happy\n▁saw\n▁named\nved\n▁li\n▁but\n▁very\n▁do\n▁lo\nch\n▁Once\n▁ne\n▁Timmy\nes\n▁upon\nout\n▁k\n▁\ne\na\nt\no\nh\nn\ni\nd\ns\nr\nl\ny\nm\nw\nu\n.\np\ng\nc\nb\nf\n,\nk\nT\nv\n"\nS\nL\n\'\nH\nO\nI\n!\nx\nB\nM\nA\nW\nj\n?\nz\nY\nF\nJ\nD\nq\nC\nN\nE\nP\nR\nK\nG\n-\n“\n”\n:\n’\nZ\nV\nU\n3\nQ\n;\n1\n–\n0\nX\n2\n5\n—\n‘\n9\n4\né\n…\n8\n)\n(\n6\n7\n/\nñ\n$\n`\n+\n*\n \n&\n\\\n%\nâ\n€\n<\n>\n|\n™\n[\n]\n~\n ',
  start: [
    1, 403, 407, 261, 378, 432, 383, 286, 261, 376, 298, 315, 421, 395, 317, 426, 338, 267, 341, 274, 287, 261, 349,
    304, 422, 426,
  ],
  /** A question before and behind the thing. */
  asks: [
    [313, 434, 411, 306, 284, 411, 261, 430, 408, 265],
    [443, 436, 336, 274, 287, 426],
  ],
  /** Start and questions of another listener. */
  otherStart: [
    1, 403, 407, 261, 378, 432, 383, 286, 261, 376, 298, 315, 421, 395, 317, 426, 338, 267, 341, 392, 287, 261, 349,
    304, 422, 426,
  ],
  otherAsks: [
    [313, 448, 415, 294, 261, 430, 408, 265],
    [450, 436, 261, 419, 355, 392, 287, 426],
  ],
  /** A sentence that takes a thing up, before and behind the thing. */
  replies: [[291], [286, 393, 426]],
  things: {
    dog: [400, 428],
    ball: [268, 388],
    cat: [280, 294],
    tree: [259, 276, 411],
    bird: [268, 315, 418],
    car: [280, 295],
    cake: [280, 412, 354],
    sun: [262, 379],
    book: [268, 347, 433],
    hat: [270, 294],
    fish: [272, 293, 415],
    box: [268, 414, 444],
  },
};
