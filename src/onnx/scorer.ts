/**
 * Log-probs and entropies of whole sequences under a decoder from a file: onnxruntime computes the logits, the backend's
 * masked log-prob the rest, as in training.
 */
import type { Backend, FloatData, Program, Rows, Tensor } from '../tensor/backend';
import { packMeta, ROW_FIELDS } from '../tensor/layout';
import { type FedLogits, LogitsInput } from './logits';
import type { PolicySession } from './session';

export interface ScoredSequence {
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
  /** Legal set of each action token; 0 for other tokens. */
  readonly legalSets: ArrayLike<number>;
}

export interface SequenceScores {
  /** Log-prob of each token given those before it, nats; 0 for the first, and for prompts that `hyper` gives no loss. */
  readonly logProb: ArrayLike<number>;
  readonly entropy: ArrayLike<number>;
}

export interface ScorerOptions {
  /** Rows scored at a time, filling included; more rows are scored piece by piece. */
  readonly rows: number;
  /** Legal sets as bits, u32 [1, sets·ceil(V/32)]. */
  readonly legalSets: Tensor<'u32'>;
  /** f32 [1, HYPER_COLUMNS]: temperature of action tokens, and the loss weights of prompts. */
  readonly hyper: Tensor<'f32'>;
}

/** Token of a batch of sequences at its row of the logits; FILLING where there is no token. */
interface RowEntry {
  readonly token: number;
  readonly position: number;
  readonly role: number;
  readonly legalSet: number;
}

const FILLING: RowEntry = { token: 0, position: 0, role: 0, legalSet: 0 };

/** Part of a session that the scorer needs. */
type Feeding = Pick<PolicySession, 'vocabulary' | 'source' | 'begin' | 'feed'>;

export class OnnxScorer {
  readonly #backend: Backend;
  readonly #session: Feeding;
  readonly #rows: Rows;
  readonly #logits: LogitsInput;
  readonly #logProb: Tensor<'f32'>;
  readonly #entropy: Tensor<'f32'>;
  readonly #program: Program;

  /** Records its program, so it must be called before the backend is prepared. `rows`: at least 2. */
  constructor(backend: Backend, session: Feeding, { rows: capacity, legalSets, hyper }: ScorerOptions) {
    const V = session.vocabulary;
    const tensor = (name: string, stride: number) => backend.tensor(`onnx.score.${name}`, 'f32', 1, stride);
    const rows: Rows = {
      table: backend.tensor('onnx.score.rows', 'u32', 1, capacity * ROW_FIELDS),
      count: backend.tensor('onnx.score.rowCount', 'u32', 1, 1),
      capacity,
    };
    const sizes = { capacity, vocabulary: V };
    const logits = new LogitsInput(backend, 'onnx.score.logits', sizes, session.source, { whole: true });
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
      ops.maskedLogProb(logProb, entropy, logSumExp, logits.tensor, rows, legalSets, hyper, V);
    });
  }

  /** Scores of the sequences. The session forgets all earlier tokens. */
  async score(sequences: readonly ScoredSequence[]): Promise<SequenceScores[]> {
    const scores: SequenceScores[] = [];
    for (const batch of this.#batches(sequences)) scores.push(...(await this.#scoreBatch(batch)));
    return scores;
  }

  /** Sequences in batches: as many as fit when filled up to the longest, at least one. */
  #batches(sequences: readonly ScoredSequence[]): ScoredSequence[][] {
    const batches: ScoredSequence[][] = [];
    let longest = 0;
    for (const sequence of sequences) {
      const batch = batches.at(-1);
      longest = Math.max(longest, sequence.tokens.length);
      if (batch !== undefined && (batch.length + 1) * longest <= this.#rows.capacity) batch.push(sequence);
      else {
        batches.push([sequence]);
        longest = sequence.tokens.length;
      }
    }
    return batches;
  }

  async #scoreBatch(sequences: readonly ScoredSequence[]): Promise<SequenceScores[]> {
    this.#session.begin(sequences.length);
    const fed = await this.#session.feed(sequences.map(({ tokens }) => Array.from(tokens)));
    const entries = new Array<RowEntry>(fed.rows).fill(FILLING);
    sequences.forEach(({ tokens, roles, legalSets }, sequence) => {
      for (let t = 0; t < tokens.length; t++) {
        const [token, role, legalSet] = [tokens[t], roles[t], legalSets[t]] as [number, number, number];
        entries[fed.row(sequence, t)] = { token, position: t, role, legalSet };
      }
    });
    const logProb = new Float32Array(fed.rows);
    const entropy = new Float32Array(fed.rows);
    // A piece begins with the last row of the one before, already scored: its logits predict the piece's next token.
    for (let first = 0, end = 0; end < fed.rows; first = end - 1) {
      const known = Math.min(end, 1);
      end = Math.min(first + this.#rows.capacity, fed.rows);
      const piece = await this.#scorePiece(fed, first, entries.slice(first, end));
      logProb.set(piece.logProb.subarray(known, end - first), first + known);
      entropy.set(piece.entropy.subarray(known, end - first), first + known);
    }
    return sequences.map(({ tokens }, sequence) => {
      const rows = Array.from(tokens, (_, t) => fed.row(sequence, t));
      return {
        logProb: rows.map((row) => logProb[row] as number),
        entropy: rows.map((row) => entropy[row] as number),
      };
    });
  }

  async #scorePiece(
    fed: FedLogits,
    first: number,
    entries: readonly RowEntry[],
  ): Promise<{ logProb: FloatData; entropy: FloatData }> {
    const table = new Uint32Array(entries.length * ROW_FIELDS);
    entries.forEach(({ token, position, role, legalSet }, i) => {
      table.set([token, i === 0 ? 0 : position, 0, packMeta(role, legalSet, 0)], i * ROW_FIELDS);
    });
    this.#logits.take(
      fed,
      entries.map((_, i) => first + i),
    );
    this.#backend.write(this.#rows.table, table);
    this.#backend.write(this.#rows.count, Uint32Array.of(entries.length));
    this.#backend.run(this.#program);
    const [logProb, entropy] = await this.#backend.read(this.#logProb, this.#entropy);
    return { logProb, entropy };
  }
}
