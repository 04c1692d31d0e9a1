/**
 * Decoding with a key-value cache: a turn feeds the tokens that each trajectory has gained since the last one, then
 * draws its next action, all on the device; one readback a turn brings actions of any length. Each trajectory has its
 * own position, and finished ones cost nothing.
 */
import type { Backend, ParameterView, Program, Rows, Tensor } from '../tensor/backend';
import { headWidths } from '../tensor/heads';
import { HYPER_COLUMNS, ROW_FIELDS } from '../tensor/layout';
import { allocateActivations } from './activations';
import { cohortSize } from './cohorts';
import { headsOf, type PolicyConfiguration } from './configuration';
import { recordBlocks, recordFinalNorm, recordHead } from './forward';

/** Mark in place of a token where none was drawn. */
export const NOT_DRAWN = 0xffffffff;

export interface DecoderOptions {
  readonly members: number;
  /** Trajectories per member, B. */
  readonly trajectories: number;
  /** Parts in which they are played, each with requests of its own; 1 if absent. */
  readonly cohorts?: number | undefined;
  /** Largest number of tokens fed per trajectory and turn. */
  readonly chunk: number;
  readonly maxActionTokens: number;
  readonly stopToken: number;
  /** Bit mask of further tokens that end an action, u32 [1, ceil(V/32)]; null or left out without any. */
  readonly stops?: Tensor<'u32'> | null | undefined;
  /** Greatest number of tokens of thoughts, and the token that ends them; left out where the policy only acts. */
  readonly thoughts?: { readonly most: number; readonly end: number } | undefined;
  /** Legal sets as bits, u32 [1, sets·ceil(V/32)]. */
  readonly legalSets: Tensor<'u32'>;
  /** Hyperparameter table, f32 [P, HYPER_COLUMNS]. */
  readonly hyper: Tensor<'f32'>;
  /** Index of each member's seed, u32 [P, 1]. */
  readonly seedIndex: Tensor<'u32'>;
}

/** One turn's tokens to feed and places to draw at, of one cohort; filled by the caller, [P, …] flat. Q: places. */
export interface TurnRequest {
  /** Tokens to feed, [P, Q·chunk, 4], and counts [P]. keyBase is trajectory·context. */
  readonly rows: Uint32Array;
  readonly rowCount: Uint32Array;
  /** Places to draw at, [P, Q, 4] = (row, position to draw, trajectory, meta), and counts [P]. */
  readonly picks: Uint32Array;
  readonly pickCount: Uint32Array;
  /** Largest number of tokens of each pick's action or thoughts, at most A, [P, Q]; not read where A is 1. */
  readonly actionTokens: Uint32Array;
}

export interface TurnResult {
  /**
   * Drawn tokens in pick order, [P, A, Q], A the greatest number drawn one after the other; NOT_DRAWN after the end. Places
   * beyond the greatest number of what was asked for are not specified.
   */
  readonly tokens: Uint32Array<ArrayBufferLike>;
  /** Their log-probs under the behaviour policy, nats, same shape. */
  readonly logProbs: ArrayLike<number>;
}

/** Kind of token that is drawn: actions, the usual, or thoughts before them, which end otherwise. */
export type DrawnTokens = 'actions' | 'thoughts';

/** Source of a rollout's actions, turn by turn. */
export interface TurnDecoder {
  readonly request: TurnRequest;
  /** Trajectories of a member, B. */
  readonly trajectories: number;
  /** Parts in which a batch is played. */
  readonly cohorts: number;
  /** Q, the trajectories a request has room for: those of the largest cohort. */
  readonly places: number;
  /** Begins a batch. Philox's key: experiment seed, stream; its counter: seed index, update, trajectory, position. */
  begin(experimentSeed: number, stream: number, update: number): void;
  /**
   * Feeds and draws as `request` says. With several cohorts the request is taken when this returns its promise: the next
   * cohort's may be written while the turn is under way.
   */
  turn(drawing?: DrawnTokens): Promise<TurnResult>;
}

export class Decoder implements TurnDecoder {
  readonly request: TurnRequest;
  readonly #backend: Backend;
  readonly #options: DecoderOptions;
  readonly #longest: number;
  readonly #rows: Rows;
  readonly #picks: Rows;
  readonly #key: Tensor<'u32'>;
  readonly #token: Tensor<'u32'>;
  readonly #logProb: Tensor<'f32'>;
  readonly #left: Tensor<'u32'>;
  readonly #sampled: Tensor<'u32'>;
  readonly #sampledLogProb: Tensor<'f32'>;
  readonly #programs: Readonly<Record<DrawnTokens, readonly Program[]>>;

  constructor(
    backend: Backend,
    configuration: PolicyConfiguration,
    parameter: (name: string) => ParameterView,
    options: DecoderOptions,
  ) {
    const { members: P, trajectories: B, chunk, maxActionTokens, thoughts, legalSets, hyper, seedIndex } = options;
    const Q = cohortSize(B, options.cohorts ?? 1);
    const A = Math.max(maxActionTokens, thoughts?.most ?? 0);
    const { context, width: C, vocabulary: V } = configuration;
    const { keys } = headWidths(headsOf(configuration));
    if (hyper.stride !== HYPER_COLUMNS) throw new RangeError('The hyperparameter tensor has another layout.');
    this.#backend = backend;
    this.#options = options;
    const table = (label: string, capacity: number): Rows => ({
      table: backend.tensor(`decode.${label}`, 'u32', P, capacity * ROW_FIELDS),
      count: backend.tensor(`decode.${label}Count`, 'u32', P, 1),
      capacity,
    });
    const rows = table('rows', Q * chunk);
    const picks = table('picks', Q);
    this.#rows = rows;
    this.#picks = picks;
    this.#key = backend.tensor('decode.key', 'u32', 1, 4);
    this.#token = backend.tensor('decode.token', 'u32', P, Q);
    this.#logProb = backend.tensor('decode.logProb', 'f32', P, Q);
    this.#left = backend.tensor('decode.left', 'u32', P, Q);
    this.#sampled = backend.tensor('decode.sampled', 'u32', P, A * Q);
    this.#sampledLogProb = backend.tensor('decode.sampledLogProb', 'f32', P, A * Q);
    this.request = {
      rows: new Uint32Array(P * Q * chunk * ROW_FIELDS),
      rowCount: new Uint32Array(P),
      picks: new Uint32Array(P * Q * ROW_FIELDS),
      pickCount: new Uint32Array(P),
      actionTokens: new Uint32Array(P * Q),
    };

    const caches = Array.from({ length: configuration.layers }, (_, layer) =>
      backend.tensor(`decode.cache${layer}`, 'f32', P, B * context * 2 * keys),
    );
    const last = backend.tensor('decode.last', 'f32', P, Q * C);
    const normed = backend.tensor('decode.normed', 'f32', P, Q * C);
    const stats = backend.tensor('decode.stats', 'f32', P, Q * 2);
    const logits = backend.tensor('decode.logits', 'f32', P, Q * V);
    const draw = (
      fed: Rows,
      hidden: ReturnType<typeof allocateActivations>,
      label: string,
      step: number,
      stopToken: number,
      stops: Tensor<'u32'> | null,
    ): Program =>
      backend.record(label, P, (ops) => {
        recordBlocks(ops, configuration, parameter, hidden, fed, caches);
        ops.gatherRows(last, hidden.output, picks);
        recordFinalNorm(ops, configuration, parameter, normed, stats, last, picks);
        recordHead(ops, parameter, logits, normed, picks);
        ops.sample(this.#token, this.#logProb, logits, picks, legalSets, hyper, this.#key, seedIndex, V);
        if (A > 1) {
          ops.continueAction(
            single,
            picks,
            this.#left,
            this.#sampled,
            this.#sampledLogProb,
            this.#token,
            this.#logProb,
            { step, stopToken, context },
            stops,
          );
        }
      });
    const single: Rows = A > 1 ? table('single', Q) : rows;
    const fed = allocateActivations(backend, configuration, P, Q * chunk, { keep: false, label: 'decode' });
    const one =
      A > 1 ? allocateActivations(backend, configuration, P, Q, { keep: false, label: 'decode.single' }) : fed;
    const programs = (what: string, most: number, stopToken: number, stops: Tensor<'u32'> | null = null): Program[] =>
      Array.from({ length: most }, (_, step) =>
        step === 0
          ? draw(rows, fed, `decode a turn${what === 'action' ? '' : `: ${what}`}`, 0, stopToken, stops)
          : draw(single, one, `decode ${what} token ${step}`, step, stopToken, stops),
      );
    this.#longest = A;
    this.#programs = {
      actions: programs('action', maxActionTokens, options.stopToken, options.stops),
      thoughts: programs('thought', thoughts?.most ?? 0, thoughts?.end ?? -1),
    };
  }

  get trajectories(): number {
    return this.#options.trajectories;
  }

  get cohorts(): number {
    return this.#options.cohorts ?? 1;
  }

  get places(): number {
    return cohortSize(this.trajectories, this.cohorts);
  }

  begin(experimentSeed: number, stream: number, update: number): void {
    this.#backend.write(this.#key, new Uint32Array([experimentSeed >>> 0, stream, update, 0]));
  }

  async turn(drawing: DrawnTokens = 'actions'): Promise<TurnResult> {
    const backend = this.#backend;
    const programs = this.#programs[drawing];
    backend.write(this.#rows.table, this.request.rows);
    backend.write(this.#rows.count, this.request.rowCount);
    backend.write(this.#picks.table, this.request.picks);
    backend.write(this.#picks.count, this.request.pickCount);
    if (this.#longest === 1) {
      backend.run(...programs);
      const [tokens, logProbs] = await backend.read(this.#token, this.#logProb);
      return { tokens, logProbs };
    }
    backend.write(this.#left, this.request.actionTokens);
    backend.run(...programs);
    const [tokens, logProbs] = await backend.read(this.#sampled, this.#sampledLogProb);
    return { tokens, logProbs };
  }
}
