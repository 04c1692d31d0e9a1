/**
 * WGSL cut into pieces for reading: comments, keywords, types, numbers, attributes, names. Line by line, as the language has no
 * longer strings and the shaders no block comments.
 */
export type PieceKind = 'comment' | 'directive' | 'keyword' | 'type' | 'number' | 'attribute' | 'plain';

export interface Piece {
  readonly kind: PieceKind;
  readonly text: string;
}

const KEYWORDS = new Set(
  'alias break case const const_assert continue continuing default diagnostic discard else enable fn for if let loop override requires return struct switch var while true false'.split(
    ' ',
  ),
);
const TYPE =
  /^(?:bool|[fiu]32|f16|vec[234][fiuh]?|mat[234]x[234][fh]?|array|atomic|ptr|uniform|storage|workgroup|function|private|read|write|read_write)$/;

/** Patterns in the order in which they are tried at each place. */
const PATTERNS: readonly (readonly [PieceKind | 'word', RegExp])[] = [
  ['directive', /\/\/ #.*/y],
  ['comment', /\/\/.*/y],
  ['attribute', /@\w+/y],
  ['number', /(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[iufh]?\b|\d+\.(?!\w)/y],
  ['word', /[A-Za-z_]\w*/y],
  ['plain', /[^\w@/.]+|./y],
];

export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < line.length; ) {
    const [kind, text] = pieceAt(line, at);
    const last = pieces.at(-1);
    if (kind === 'plain' && last?.kind === 'plain') pieces[pieces.length - 1] = { kind, text: last.text + text };
    else pieces.push({ kind, text });
    at += text.length;
  }
  return pieces;
}

function pieceAt(line: string, at: number): [PieceKind, string] {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text === undefined || text === '') continue;
    if (kind !== 'word') return [kind, text];
    return [KEYWORDS.has(text) ? 'keyword' : TYPE.test(text) ? 'type' : 'plain', text];
  }
  return ['plain', line.slice(at)];
}
