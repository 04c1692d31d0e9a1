/**
 * Linear probes (Alain and Bengio, arXiv 1610.01644): what of the world's state can be read off a policy's residual stream
 * by a linear classifier, layer by layer. One is fitted on the spot for every layer, by ridge regression, to what the
 * trajectories of the last batch came through:
 *   - after an action, before the world has answered: whoever knows then where it will be has a model of the world;
 *   - after the answer has been read.
 * Tasks are dealt into two halves; each half is predicted by the probe fitted to the other, so no trajectory of a task is
 * predicted by a probe that saw another of the same task. Beside it stand the commonest class of the half that is fitted,
 * and the same probe on the policy with fresh weights: what there is to read without any training.
 */
import type { Environment, Scene } from '../environments/environment';
import { PROBE_TARGETS } from '../environments/probes';
import { turnsOf } from '../environments/replay';
import { effectiveRank } from './probes/rank';
import { classify, type Examples } from './probes/ridge';
import type { BatchResiduals, TokenPlace } from './residuals';
import type { Trajectories } from './trajectories';

/** The last token of an action, and of the answer to it. */
export const PROBE_MOMENTS = ['action', 'answer'] as const;
export type ProbeMoment = (typeof PROBE_MOMENTS)[number];

export interface Probe {
  /** Of PROBE_TARGETS. */
  readonly target: string;
  readonly moment: ProbeMoment;
  /** Tokens predicted, and classes among them. */
  readonly examples: number;
  readonly classes: number;
  /** Shares predicted rightly: by the commonest class, and layer by layer, of the embeddings and after each block. */
  readonly majority: number;
  readonly accuracy: readonly number[];
  readonly untrained: readonly number[];
  /** Effective rank of the residual stream at these tokens, layer by layer; absent from what was kept before 0.2. */
  readonly rank?: readonly number[] | undefined;
}

/** Most tokens of a member and moment: bounds the time, whatever the batch. */
const MOST_EXAMPLES = 2048;

/** A token of which it is known what the world's state is there. */
interface Moment extends TokenPlace {
  readonly moment: ProbeMoment;
  /** Half of the tasks. */
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

  /** Of each of these members, on the batch its last update learned from. Changes nothing that training reads. */
  async measure(members: readonly number[], trajectories: Trajectories): Promise<Probe[][]> {
    const moments = members.map((member) => this.#momentsOf(trajectories, member));
    const trained = await this.#residuals.read(null, members, moments);
    const untrained = await this.#residuals.read(this.#untrained, members, moments);
    return moments.map((own, i) => this.#probesOf(own, trained[i] ?? [], untrained[i] ?? []));
  }

  #momentsOf(trajectories: Trajectories, member: number): Moment[] {
    const { count, context, lengths } = trajectories;
    const found: Record<ProbeMoment, Moment[]> = { action: [], answer: [] };
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
        found.action.push({ ...shared, moment: 'action', position: turn.answer - 1 });
        if (turn.end > turn.answer) found.answer.push({ ...shared, moment: 'answer', position: turn.end - 1 });
      });
    }
    return PROBE_MOMENTS.flatMap((moment) => found[moment].slice(0, MOST_EXAMPLES));
  }

  #probesOf(moments: readonly Moment[], trained: readonly Float32Array[], untrained: readonly Float32Array[]): Probe[] {
    return PROBE_TARGETS.flatMap(({ id, value }) =>
      PROBE_MOMENTS.flatMap((moment) => {
        const names = moments.map((one) => (one.moment === moment ? value(one.scene) : null));
        const rows = [...names.keys()].filter((row) => names[row] !== null);
        const classes = [...new Set(rows.map((row) => names[row]))];
        const halves = [0, 1].map((half) => rows.filter((row) => moments[row]?.half === half));
        // What never changes cannot be asked for, nor what only one half of the tasks tells.
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

/** Share of all rows predicted rightly, each half from the other. */
function crossValidated(
  labels: readonly number[],
  [first, second]: readonly [readonly number[], readonly number[]],
  predict: (fit: readonly number[], asked: readonly number[]) => readonly number[],
): number {
  const right = (fit: readonly number[], asked: readonly number[]): number =>
    predict(fit, asked).filter((label, i) => label === labels[asked[i]]).length;
  return (right(first, second) + right(second, first)) / (first.length + second.length);
}

function commonest(labels: readonly number[], rows: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(labels[row], (counts.get(labels[row]) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
