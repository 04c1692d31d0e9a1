/**
 * Linear probes (Alain and Bengio, arXiv 1610.01644): linear classifiers that read the world's state off a policy's residual
 * stream. One is fitted for every layer, by ridge regression, to the trajectories of the last batch, at two moments:
 *   - after an action, before the world has answered: to know the new state here takes a model of the world;
 *   - after the answer has been read.
 * Groups are dealt into two halves. The probe fitted to one half predicts the other, so it never saw a trajectory of the
 * groups it is asked about. There are two baselines: the commonest class of the fitted half, and the same probe on the
 * policy with fresh weights.
 */
import type { Environment } from '../../../environments/environment';
import { targetsIn } from '../../../environments/probes';
import { turnsOf } from '../../../environments/replay';
import type { Scene } from '../../../environments/scene';
import type { Trajectories } from '../../play/trajectories';
import type { BatchResiduals, ResidualPlace } from '../residuals';
import { effectiveRank } from './rank';
import { classify, type Examples } from './ridge';

/** Moments of a turn: the last token of its action, and that of the answer. */
export const PROBE_MOMENTS = ['action', 'answer'] as const;
export type ProbeMoment = (typeof PROBE_MOMENTS)[number];

export interface Probe {
  /** Id of a ProbeTarget. */
  readonly target: string;
  readonly moment: ProbeMoment;
  /** Tokens predicted, and classes among them. */
  readonly examples: number;
  readonly classes: number;
  /** Shares of right predictions: by the commonest class, then layer by layer (the embeddings, and after each block). */
  readonly majority: number;
  readonly accuracy: readonly number[];
  readonly untrained: readonly number[];
  /** Effective rank of the residual stream at these tokens, layer by layer; absent in probes saved before 0.2. */
  readonly rank?: readonly number[] | undefined;
}

/** Largest number of tokens of a member and moment: bounds the time, however large the batch. */
const MOST_EXAMPLES = 2048;

/** Token at which the world's state is known. */
interface Moment extends ResidualPlace {
  readonly moment: ProbeMoment;
  /** Half that its group was dealt into. */
  readonly half: 0 | 1;
  readonly scene: Scene;
}

type Residuals = Pick<BatchResiduals, 'read'>;

export class Probes {
  readonly #environment: Pick<Environment, 'scenes'>;
  readonly #groupSize: number;
  readonly #residuals: Residuals;
  readonly #untrained: Float32Array;

  /** untrained [P, N]: the members' policies with fresh weights. */
  constructor(
    environment: Pick<Environment, 'scenes'>,
    groupSize: number,
    residuals: Residuals,
    untrained: Float32Array,
  ) {
    this.#environment = environment;
    this.#groupSize = groupSize;
    this.#residuals = residuals;
    this.#untrained = untrained;
  }

  /** Probes of these members, on the batch that the last update learned from. Changes nothing that training reads. */
  async measure(members: readonly number[], trajectories: Trajectories): Promise<Probe[][]> {
    const moments = members.map((member) => this.#momentsOf(trajectories, member));
    const trained = await this.#residuals.read(null, members, moments);
    const untrained = await this.#residuals.read(this.#untrained, members, moments);
    return moments.map((own, i) => this.#probesOf(own, trained[i] ?? [], untrained[i] ?? []));
  }

  #momentsOf(trajectories: Trajectories, member: number): Moment[] {
    const { count, context, lengths } = trajectories;
    const moments: Record<ProbeMoment, Moment[]> = { action: [], answer: [] };
    for (let slot = 0; slot < count; slot++) {
      const at = member * count + slot;
      const end = at * context + lengths[at];
      const tokens = trajectories.tokens.subarray(at * context, end);
      const roles = trajectories.roles.subarray(at * context, end);
      const scenes = this.#environment.scenes?.(trajectories.taskOf(at), tokens, roles) ?? [];
      const half = Math.floor(slot / this.#groupSize) % 2 === 0 ? 0 : 1;
      turnsOf(roles).forEach((turn, index) => {
        const scene = scenes[index + 1];
        if (scene === undefined) return;
        const shared = { slot, half, scene } as const;
        moments.action.push({ ...shared, moment: 'action', position: turn.answer - 1 });
        if (turn.end > turn.answer) moments.answer.push({ ...shared, moment: 'answer', position: turn.end - 1 });
      });
    }
    return PROBE_MOMENTS.flatMap((moment) => moments[moment].slice(0, MOST_EXAMPLES));
  }

  #probesOf(moments: readonly Moment[], trained: readonly Float32Array[], untrained: readonly Float32Array[]): Probe[] {
    return targetsIn(moments.map(({ scene }) => scene)).flatMap(({ id, value }) =>
      PROBE_MOMENTS.flatMap((moment) => {
        const names = moments.map((one) => (one.moment === moment ? value(one.scene) : null));
        const rows = [...names.keys()].filter((row) => names[row] !== null);
        const classes = [...new Set(rows.map((row) => names[row]))];
        const halves = [0, 1].map((half) => rows.filter((row) => moments[row]?.half === half));
        // No probe for a state that never changes, or that only one half tells.
        if (classes.length < 2 || halves.some((half) => half.length === 0)) return [];
        const labels = names.map((name) => classes.indexOf(name));
        const share = (predict: (fit: readonly number[], asked: readonly number[]) => readonly number[]): number =>
          crossValidated(labels, halves as [number[], number[]], predict);
        const ofStreams = (streams: readonly Float32Array[]): number[] =>
          streams.map((x) => {
            const examples: Examples = { x, labels, classes: classes.length };
            return share((fit, asked) => classify(examples, fit, asked));
          });
        const majority = share((fit, asked) => Array<number>(asked.length).fill(commonest(labels, fit)));
        const rank = trained.map((x) => effectiveRank(x, rows, x.length / moments.length));
        const measured = { accuracy: ofStreams(trained), untrained: ofStreams(untrained), rank };
        return [{ target: id, moment, examples: rows.length, classes: classes.length, majority, ...measured }];
      }),
    );
  }
}

/** Share of right predictions over all rows, each half predicted from the other. */
function crossValidated(
  labels: readonly number[],
  [first, second]: readonly [readonly number[], readonly number[]],
  predict: (fit: readonly number[], asked: readonly number[]) => readonly number[],
): number {
  const right = (fit: readonly number[], rows: readonly number[]): number =>
    predict(fit, rows).filter((label, i) => label === labels[rows[i]]).length;
  return (right(first, second) + right(second, first)) / (first.length + second.length);
}

function commonest(labels: readonly number[], rows: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(labels[row], (counts.get(labels[row]) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
