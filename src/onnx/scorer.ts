/**
 * What a policy out of a file thinks of whole sequences, token by token: onnxruntime computes the logits, the backend's
 * masked log-prob the rest, as in training.
 */
import type { Backend, Program, Rows, Tensor } from '../tensor/backend';
import { packMeta, ROW_FIELDS } from '../tensor/layout';
import type { PolicySession } from './session';

export interface Sequence {
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
  /** Of action tokens: the legal set in force; 0 elsewhere. */
  readonly legalSets: ArrayLike<number>;
}

export interface SequenceScores {
  /** Of each token given those before it, nats; 0 for prompts and the first one. */
  readonly logProb: ArrayLike<number>;
  readonly entropy: ArrayLike<number>;
}

export interface ScorerOptions {
  /** Tokens scored at a time; no sequence may be longer. */
  readonly rows: number;
  /** u32 [1, sets·ceil(V/32)]. */
  readonly legalSets: Tensor<'u32'>;
  /** f32 [1, HYPER_COLUMNS]: the temperature of action tokens. */
  readonly hyper: Tensor<'f32'>;
}

export class OnnxScorer {
  readonly #backend: Backend;
  readonly #session: PolicySession;
  readonly #rows: Rows;
  readonly #logits: Tensor<'f32'>;
  readonly #logProb: Tensor<'f32'>;
  readonly #entropy: Tensor<'f32'>;
  readonly #program: Program;

  /** Records what it needs; call before the backend is prepared. */
  constructor(backend: Backend, session: PolicySession, { rows: capacity, legalSets, hyper }: ScorerOptions) {
    const V = session.vocabulary;
    const tensor = (name: string, stride: number) => backend.tensor(`onnx.score.${name}`, 'f32', 1, stride);
    const rows: Rows = {
      table: backend.tensor('onnx.score.rows', 'u32', 1, capacity * ROW_FIELDS),
      count: backend.tensor('onnx.score.rowCount', 'u32', 1, 1),
      capacity,
    };
    const logits = tensor('logits', capacity * V);
    const logProb = tensor('logProb', capacity);
    const entropy = tensor('entropy', capacity);
    const logSumExp = tensor('logSumExp', capacity * 2);
    this.#backend = backend;
    this.#session = session;
    this.#rows = rows;
    this.#logits = logits;
    this.#logProb = logProb;
    this.#entropy = entropy;
    this.#program = backend.record('score onnxruntime’s logits', 1, (ops) => {
      ops.maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, V);
    });
  }

  /** Ends whatever the session was doing. */
  async score(sequences: readonly Sequence[]): Promise<SequenceScores[]> {
    const scores: SequenceScores[] = [];
    let batch: Sequence[] = [];
    let rows = 0;
    for (const sequence of sequences) {
      if (rows + sequence.tokens.length > this.#rows.capacity) {
        scores.push(...(await this.#scoreBatch(batch)));
        batch = [];
        rows = 0;
      }
      batch.push(sequence);
      rows += sequence.tokens.length;
    }
    if (batch.length > 0) scores.push(...(await this.#scoreBatch(batch)));
    return scores;
  }

  async #scoreBatch(sequences: readonly Sequence[]): Promise<SequenceScores[]> {
    this.#session.begin(sequences.length);
    const fed = await this.#session.feed(sequences.map(({ tokens }) => Array.from(tokens)));
    const V = this.#session.vocabulary;
    const rows = sequences.reduce((sum, { tokens }) => sum + tokens.length, 0);
    const table = new Uint32Array(rows * ROW_FIELDS);
    const logits = new Float32Array(rows * V);
    const starts: number[] = [];
    let row = 0;
    sequences.forEach(({ tokens, roles, legalSets }, sequence) => {
      const start = row;
      starts.push(start);
      for (let t = 0; t < tokens.length; t++, row++) {
        const meta = packMeta(roles[t] as number, legalSets[t] as number, sequence);
        table.set([tokens[t] as number, t, start, meta], row * ROW_FIELDS);
        logits.set(fed.of(sequence, t), row * V);
      }
    });
    this.#backend.write(this.#logits, logits);
    this.#backend.write(this.#rows.table, table);
    this.#backend.write(this.#rows.count, Uint32Array.of(rows));
    this.#backend.run(this.#program);
    const [logProb, entropy] = await this.#backend.read(this.#logProb, this.#entropy);
    return sequences.map(({ tokens }, sequence) => {
      const start = starts[sequence] as number;
      const end = start + tokens.length;
      return { logProb: logProb.slice(start, end), entropy: entropy.slice(start, end) };
    });
  }
}
