/**
 * Decoding with a policy from a file, one member: onnxruntime computes the logits, the backend's own kernel draws from
 * them, with the same random numbers and the same legal sets as in training.
 */
import {
  type DecoderOptions,
  type DrawnTokens,
  NOT_DRAWN,
  type TurnDecoder,
  type TurnRequest,
  type TurnResult,
} from '../policy/decoder';
import type { Backend, Program, Rows, Tensor } from '../tensor/backend';
import { metaSequence, ROW_FIELDS } from '../tensor/layout';
import { type FedLogits, LogitsInput } from './logits';
import type { PolicySession } from './session';

/** Options of a decoder whose tokens come to the host one by one. */
export interface OnnxDecoderOptions extends Omit<DecoderOptions, 'stops' | 'stopToken'> {
  /** True where the last of these tokens ends an action. */
  readonly isOver: (drawn: readonly number[]) => boolean;
}

export class OnnxDecoder implements TurnDecoder {
  readonly request: TurnRequest;
  /** One: onnxruntime computes here, and nothing could be decoded beside it. */
  readonly cohorts = 1;
  readonly #backend: Backend;
  readonly #session: PolicySession;
  readonly #options: OnnxDecoderOptions;
  readonly #picks: Rows;
  readonly #key: Tensor<'u32'>;
  readonly #logits: LogitsInput;
  readonly #token: Tensor<'u32'>;
  readonly #logProb: Tensor<'f32'>;
  readonly #sample: Program;

  /** Records its program, so it must be called before the backend is prepared. */
  constructor(backend: Backend, session: PolicySession, options: OnnxDecoderOptions) {
    const { members, trajectories: B, chunk, legalSets, hyper, seedIndex } = options;
    if (members !== 1) throw new RangeError(`A file holds one policy, not ${members}.`);
    const V = session.vocabulary;
    this.#backend = backend;
    this.#session = session;
    this.#options = options;
    const picks: Rows = {
      table: backend.tensor('onnx.picks', 'u32', 1, B * ROW_FIELDS),
      count: backend.tensor('onnx.picksCount', 'u32', 1, 1),
      capacity: B,
    };
    const key = backend.tensor('onnx.key', 'u32', 1, 4);
    const sizes = { capacity: B, vocabulary: V };
    const logits = new LogitsInput(backend, 'onnx.logits', sizes, session.source, { whole: false });
    const token = backend.tensor('onnx.token', 'u32', 1, B);
    const logProb = backend.tensor('onnx.logProb', 'f32', 1, B);
    this.#picks = picks;
    this.#key = key;
    this.#logits = logits;
    this.#token = token;
    this.#logProb = logProb;
    this.#sample = backend.record('draw from onnxruntime’s logits', 1, (ops) => {
      ops.sample(token, logProb, logits.tensor, picks, legalSets, hyper, key, seedIndex, V);
    });
    this.request = {
      rows: new Uint32Array(B * chunk * ROW_FIELDS),
      rowCount: new Uint32Array(1),
      picks: new Uint32Array(B * ROW_FIELDS),
      pickCount: new Uint32Array(1),
      actionTokens: new Uint32Array(B),
    };
  }

  get trajectories(): number {
    return this.#options.trajectories;
  }

  get places(): number {
    return this.trajectories;
  }

  begin(experimentSeed: number, stream: number, update: number): void {
    this.#backend.write(this.#key, new Uint32Array([experimentSeed >>> 0, stream, update, 0]));
    this.#session.begin(this.trajectories);
  }

  async turn(what: DrawnTokens = 'actions'): Promise<TurnResult> {
    const { maxActionTokens, thoughts, trajectories: B } = this.#options;
    const most = what === 'thoughts' ? (thoughts?.most ?? 0) : maxActionTokens;
    const isOver = (drawn: readonly number[]): boolean =>
      what === 'thoughts' ? drawn.at(-1) === thoughts?.end : this.#options.isOver(drawn);
    const before = Array.from({ length: B }, (): number[] => []);
    const tokens = new Uint32Array(most * B).fill(NOT_DRAWN);
    const logProbs = new Float32Array(most * B);
    let drawing = Array.from({ length: this.request.pickCount[0] as number }, (_, pick) => pick);
    let additions = this.#requested();
    for (let step = 0; step < most && drawing.length > 0; step++) {
      const logits = await this.#session.feed(additions);
      const drawn = await this.#draw(drawing, step, additions, logits);
      // The last token drawn is fed with the next request.
      additions = this.#nothing();
      drawing = drawing.filter((pick, i) => {
        const token = drawn.tokens[i] as number;
        tokens[step * B + pick] = token;
        logProbs[step * B + pick] = drawn.logProbs[i] as number;
        const drawnHere = before[pick] as number[];
        drawnHere.push(token);
        const goesOn = !isOver(drawnHere) && step + 1 < (this.request.actionTokens[pick] as number);
        if (goesOn) additions[this.#trajectory(pick)]?.push(token);
        return goesOn;
      });
    }
    return { tokens, logProbs };
  }

  #nothing(): number[][] {
    return Array.from({ length: this.trajectories }, () => []);
  }

  #trajectory(pick: number): number {
    return this.request.picks[pick * ROW_FIELDS + 2] as number;
  }

  /** Tokens that the request feeds to each trajectory. */
  #requested(): number[][] {
    const { rows, rowCount } = this.request;
    const additions = this.#nothing();
    for (let row = 0; row < (rowCount[0] as number); row++) {
      const at = row * ROW_FIELDS;
      const trajectory = metaSequence(rows[at + 3] as number);
      const own = additions[trajectory];
      if (own === undefined || this.#session.length(trajectory) + own.length !== rows[at + 1]) {
        throw new RangeError(`Trajectory ${trajectory} is not as long as the token at ${rows[at + 1]} needs.`);
      }
      own.push(rows[at] as number);
    }
    return additions;
  }

  /** Draws a token for each pick, after the last token fed to its trajectory. */
  async #draw(
    picks: readonly number[],
    step: number,
    fed: readonly (readonly number[])[],
    logits: FedLogits,
  ): Promise<{ tokens: ArrayLike<number>; logProbs: ArrayLike<number> }> {
    const table = new Uint32Array(picks.length * ROW_FIELDS);
    const last = new Uint32Array(picks.length);
    picks.forEach((pick, i) => {
      const trajectory = this.#trajectory(pick);
      table.set(this.request.picks.subarray(pick * ROW_FIELDS, (pick + 1) * ROW_FIELDS), i * ROW_FIELDS);
      table[i * ROW_FIELDS + 1] = (table[i * ROW_FIELDS + 1] as number) + step;
      last[i] = logits.row(trajectory, (fed[trajectory]?.length ?? 0) - 1);
    });
    this.#backend.write(this.#picks.table, table);
    this.#backend.write(this.#picks.count, Uint32Array.of(picks.length));
    this.#logits.take(logits, last);
    this.#backend.run(this.#sample);
    const [tokens, logProbs] = await this.#backend.read(this.#token, this.#logProb);
    return { tokens, logProbs };
  }
}
