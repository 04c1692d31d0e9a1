/**
 * The pieces that stories260K (docs/llama.md) reads and writes, as words of a world: what its tokenizer makes of the listener's
 * texts is a table here, so that no tokenizer is needed to play. A test compares both.
 */
import type { Writing } from '../environment';
import { TABLE } from './stories260k';

/** Token `<s>`, with which a text begins. */
export const BOS = 1;
const END = 2;
const BYTES = 256;
const FIRST_BYTE = 3;

const byteName = (byte: number): string => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/** All 512 pieces; the first two have the names that every world gives to them. A space is written ▁. */
export const PIECES: readonly string[] = [
  '<pad>',
  '<bos>',
  '</s>',
  ...Array.from({ length: BYTES }, (_, byte) => byteName(byte)),
  ...TABLE.pieces.split('\n'),
];

/** A listener: the beginning of stories told to them, and their question for each thing, as tokens. */
export interface Listener {
  readonly start: readonly number[];
  /** Questions of the listener, by thing. */
  readonly asks: readonly (readonly number[])[];
}

/** Sentences, one for each thing, from the tokens before the thing and those after it. */
const aboutAll = ([before = [], behind = []]: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  Object.values(TABLE.things).map((thing) => [...before, ...thing, ...behind]);

/** Listener who asks “Tell me about the dog!” */
export const TOM: Listener = { start: TABLE.start, asks: aboutAll(TABLE.asks) };
/** Listener who asks “What about the dog?”, and with whom nobody is trained. */
export const MOM: Listener = { start: TABLE.otherStart, asks: aboutAll(TABLE.otherAsks) };

export interface Thing {
  readonly name: string;
  /** A sentence that takes it up: “The dog was happy.” */
  readonly reply: readonly number[];
}

const REPLIES = aboutAll(TABLE.replies);

/** Things that are asked about. */
export const THINGS: readonly Thing[] = Object.keys(TABLE.things).map((name, at) => ({
  name,
  reply: REPLIES[at] ?? [],
}));

/** Tokens of two bytes that no text has: they can say who speaks. */
export const SPEAKERS = { listener: FIRST_BYTE + 1, agent: FIRST_BYTE + 2 } as const;

const LINE_BREAK = FIRST_BYTE + '\n'.charCodeAt(0);

/** Pieces that end a sentence: a full stop, ! or ? at their end, a line break, the end of a text. */
export const ENDS: readonly number[] = PIECES.flatMap((piece, token) =>
  token === END || token === LINE_BREAK || /[.!?]$/.test(piece) ? [token] : [],
);

/** Most bytes of a piece. */
const LONGEST_PIECE = Math.max(...TABLE.pieces.split('\n').map((piece) => piece.length));
const END_OF_SENTENCE = /[.!?\n]/;

/** Texts of the listener's world: of a text that somebody typed each byte is a token, and nothing behind its sentence is heard. */
export const writingOf = (longest: number): Writing => ({
  begun: (tokens) => textOf(tokens).trimStart(),
  textOf,
  typed(text) {
    const end = END_OF_SENTENCE.exec(text)?.index ?? text.length;
    const bytes = new TextEncoder().encode(text.slice(0, end + 1));
    return Array.from(bytes.slice(0, longest * LONGEST_PIECE), (byte) => FIRST_BYTE + byte);
  },
  end: END_OF_SENTENCE.source,
});

/** Text of tokens; bytes beyond ASCII are written as �. */
export function textOf(tokens: Iterable<number>): string {
  return Array.from(tokens, (token) => {
    if (token >= FIRST_BYTE && token < FIRST_BYTE + BYTES) {
      const byte = token - FIRST_BYTE;
      return byte < 128 ? String.fromCharCode(byte) : '\ufffd';
    }
    return token < FIRST_BYTE ? '' : (PIECES[token] ?? '').replaceAll('▁', ' ');
  }).join('');
}
