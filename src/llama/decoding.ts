/**
 * A text that a model reads and writes token by token: keys and values of what was fed stay in a cache, and what comes next is
 * drawn from the logits of the last token.
 */
import { LabError } from '../foundation/errors';
import type { Draws } from '../foundation/philox';
import { ROLE } from '../foundation/roles';
import { allocateActivations } from '../policy/activations';
import { headsOf } from '../policy/configuration';
import { recordHead, recordTrunk } from '../policy/forward';
import type { Backend, Program, Rows, Tensor } from '../tensor/backend';
import { headWidths } from '../tensor/heads';
import { packMeta, ROW_FIELDS } from '../tensor/layout';
import { holdModel, type Model } from './model';

/** Tokens that are fed together at most. */
const CHUNK = 64;

export class TextDecoding {
  /** Tokens for which there is room. */
  readonly room: number;
  readonly #backend: Backend;
  readonly #tokens: number;
  readonly #rows: Rows;
  readonly #last: Rows;
  readonly #logits: Tensor<'f32'>;
  readonly #program: Program;
  #fed: number[] = [];

  /** Throws LabError where the backend has not the memory. */
  constructor(backend: Backend, { tokens, ...model }: Model, room: number) {
    const { configuration } = model;
    const { layers, width, vocabulary } = configuration;
    const table = (label: string, capacity: number): Rows => ({
      table: backend.tensor(label, 'u32', 1, capacity * ROW_FIELDS),
      count: backend.tensor(`${label}Count`, 'u32', 1, 1),
      capacity,
    });
    const { find } = holdModel(backend, model);
    const { keys } = headWidths(headsOf(configuration));
    const rows = table('rows', CHUNK);
    const last = table('last', 1);
    const hidden = allocateActivations(backend, configuration, 1, CHUNK, { keep: false, label: 'decoding' });
    const caches = Array.from({ length: layers }, (_, layer) =>
      backend.tensor(`cache${layer}`, 'f32', 1, room * 2 * keys),
    );
    const end = backend.tensor('end', 'f32', 1, width);
    const logits = backend.tensor('logits', 'f32', 1, vocabulary);
    this.room = room;
    this.#backend = backend;
    this.#tokens = tokens;
    this.#rows = rows;
    this.#last = last;
    this.#logits = logits;
    this.#program = backend.record('tokens of a text', 1, (ops) => {
      recordTrunk(ops, configuration, find, hidden, rows, caches);
      ops.gatherRows(end, hidden.finalNorm, last);
      recordHead(ops, find, logits, end, last);
    });
  }

  /** Tokens fed so far. */
  get fed(): readonly number[] {
    return this.#fed;
  }

  /** Forgets all tokens. */
  begin(): void {
    this.#fed = [];
  }

  /** Logits [tokens] of the next token. Throws LabError 'limits' where there is no room. */
  async feed(tokens: readonly number[]): Promise<ArrayLike<number>> {
    if (this.#fed.length + tokens.length > this.room) {
      const what = `The text is longer than the ${this.room} tokens that there is room for.`;
      throw new LabError('limits', what, 'Begin a new one.');
    }
    const backend = this.#backend;
    await backend.prepare();
    for (let at = 0; at < tokens.length; at += CHUNK) {
      const chunk = tokens.slice(at, at + CHUNK);
      const table = new Uint32Array(CHUNK * ROW_FIELDS);
      const meta = packMeta(ROLE.observation, 0, 0);
      chunk.forEach((token, i) => {
        table.set([token, this.#fed.length + i, 0, meta], i * ROW_FIELDS);
      });
      backend.write(this.#rows.table, table);
      backend.write(this.#rows.count, Uint32Array.of(chunk.length));
      backend.write(this.#last.table, Uint32Array.of(chunk.length - 1, this.#fed.length + chunk.length, 0, meta));
      backend.write(this.#last.count, Uint32Array.of(1));
      backend.run(this.#program);
      this.#fed.push(...chunk);
    }
    const [logits] = await backend.read(this.#logits);
    return logits.subarray(0, this.#tokens);
  }
}

/** Chooses a token by its logits. */
export type Choice = (logits: ArrayLike<number>) => number;

/** Tokens that follow a prompt, without end; each is fed when the next one is asked for. */
export async function* following(
  decoding: TextDecoding,
  prompt: readonly number[],
  choose: Choice,
): AsyncGenerator<number, never> {
  let logits = await decoding.feed(prompt);
  for (;;) {
    const token = choose(logits);
    yield token;
    logits = await decoding.feed([token]);
  }
}

/** The likeliest; the first of equal ones. */
export const likeliest: Choice = (logits) => {
  const values = Array.from(logits);
  return values.indexOf(values.reduce((a, b) => Math.max(a, b)));
};

/**
 * Draws from softmax(logits / temperature), or from the likeliest tokens alone that have a probability of topP together (nucleus
 * sampling, arXiv 1904.09751). At temperature 0 the likeliest token.
 */
export function drawing(temperature: number, topP: number, draws: Draws): Choice {
  if (temperature === 0) return likeliest;
  return (logits) => {
    const values = Array.from(logits);
    const most = values.reduce((a, b) => Math.max(a, b));
    const weights = values.map((value) => Math.exp((value - most) / temperature));
    const order = weights.map((_, token) => token);
    if (topP < 1) order.sort((a, b) => weights[b] - weights[a]);
    let whole = 0;
    const sums = order.map((token) => {
      whole += weights[token];
      return whole;
    });
    const drawn = draws.unit() * (sums.find((sum) => sum >= topP * whole) ?? whole);
    return order[sums.findIndex((sum) => sum > drawn)];
  };
}
