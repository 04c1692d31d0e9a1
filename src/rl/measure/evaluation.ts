/**
 * Examinations of the policies while they train, on tasks that training never draws (where the environment sets some
 * aside: Environment.hasHeldOut). Tasks are the same each time and for every member, random numbers the same each time and
 * in every arm of a seed.
 *   - Success on held-out tasks: a whole group is sampled for each, and one greedy episode is played.
 *   - Cross-entropy of observations in held-out episodes that others played: half of them the scripted expert (if there is
 *     one), the rest a random policy. So it does not depend on where the policy itself goes.
 *   - Success without the tool, where the environment has one: as many tasks as a batch has trajectories.
 *   - What the policy does with its tool (toolExamination.ts), where asked for.
 *   - What it knows and takes up where it writes texts (textExamination.ts).
 * Everything runs on the decoder and the passes of the training, between two updates, and changes none of its numbers.
 */
import type { Environment } from '../../environments/environment';
import type { Arm } from '../../experiment/experiment';
import { STREAM } from '../../foundation/philox';
import type { TurnDecoder } from '../../policy/decoder';
import type { Backend, Tensor } from '../../tensor/backend';
import { greedily, withoutExploration } from '../play/baselines';
import { Demonstrations } from '../play/demonstrations';
import { Trajectories } from '../play/trajectories';
import type { Member } from '../population';
import { crossEntropyOf, type ScoreTokens } from './crossEntropy';
import { Examiner, type Measured, type Setup } from './examiner';
import { putMetric } from './measure';
import type { MetricName } from './metrics';
import { passAtK, passHatK } from './passAtK';
import { TextExamination } from './textExamination';
import { ToolExamination } from './toolExamination';

/** True before update 0 and before the last of every `every` updates; never where `every` is 0. */
export function isEvaluated(update: number, every: number): boolean {
  return every > 0 && (update === 0 || (update + 1) % every === 0);
}

/** True if there is anything to examine at any update. */
export const isExamined = ({ every, toolEvery }: { readonly every: number; readonly toolEvery: number }): boolean =>
  every > 0 || toolEvery > 0;

export interface EvaluationOptions {
  readonly environment: Environment;
  readonly members: readonly Member[];
  readonly groups: number;
  readonly groupSize: number;
  readonly chunk: number;
  /** Smallest number of held-out tasks; rounded up to whole batches. */
  readonly tasks: number;
  /** Updates between two examinations, and between two of the tool; 0 for none. */
  readonly every: number;
  readonly toolEvery: number;
  readonly experimentSeed: number;
}

/** Computation of the examined policies, besides their decoder. */
export interface ExaminedTasks {
  /** f32 [P, HYPER_COLUMNS]: hyperparameters of their decoder. */
  readonly hyper: Tensor<'f32'>;
  /** Records scoring. */
  recordScores(): ScoreTokens;
}

export class Evaluation {
  readonly #backend: Backend;
  readonly #examined: ExaminedTasks;
  readonly #options: EvaluationOptions;
  readonly #examiner: Examiner;
  readonly #tool: ToolExamination | null;
  readonly #texts: TextExamination | null;
  readonly #sampled: Setup;
  readonly #greedy: Setup;
  readonly #withoutTool: Setup | null;
  /** Episodes of others, the same for every member. */
  readonly #recorded: Trajectories;
  readonly #score: ScoreTokens;

  /** Records its programs; call before the backend is prepared. */
  constructor(backend: Backend, decoder: TurnDecoder, examined: ExaminedTasks, options: EvaluationOptions) {
    const { environment, groups, groupSize, tasks, toolEvery } = options;
    const batch = groups * groupSize;
    const examiner = new Examiner(decoder, options);
    this.#backend = backend;
    this.#examined = examined;
    this.#options = options;
    this.#examiner = examiner;
    this.#tool = toolEvery === 0 ? null : new ToolExamination(examiner, environment, { tasks, batch });
    this.#sampled = examiner.setup(environment, groups, groupSize);
    this.#greedy = examiner.setup(environment, groups, 1);
    const withoutTool = environment.withTool?.('down') ?? null;
    this.#withoutTool = withoutTool === null ? null : examiner.setup(withoutTool, batch, 1);
    this.#recorded = recordOthers(options);
    this.#score = examined.recordScores();
    const { texts } = environment;
    const sizes = { members: options.members.length, batch, tasks };
    this.#texts = texts === undefined ? null : new TextExamination(examiner, environment, texts, this.#score, sizes);
  }

  /** Runs the examinations due before an update. hyper: the members' rows of it. Overwrites the hyperparameter table. */
  async run(update: number, hyper: Float32Array, arms: readonly Arm[]): Promise<Measured> {
    const { every, toolEvery } = this.#options;
    this.#examiner.arms = arms;
    const measured = isEvaluated(update, every) ? await this.#examine(hyper) : [];
    if (this.#tool === null || !isEvaluated(update, toolEvery)) return measured;
    this.#backend.write(this.#examined.hyper, withoutExploration(hyper));
    return [...measured, ...(await this.#tool.run())];
  }

  async #examine(hyper: Float32Array): Promise<Measured> {
    const measured: (readonly [MetricName, ArrayLike<number>])[] = [];
    this.#backend.write(this.#examined.hyper, withoutExploration(hyper));
    measured.push(['heldOutCrossEntropy', await crossEntropyOf([this.#recorded], this.#score)]);
    measured.push(...(await this.#heldOut()));
    if (this.#texts !== null) measured.push(...(await this.#texts.run()));
    const tool = this.#withoutTool;
    const successOf = (setup: Setup, rounds: number): Promise<Float64Array> => this.#examiner.successOf(setup, rounds);
    if (tool !== null) measured.push(['toolOffSuccess', await successOf(tool, 1)]);
    this.#backend.write(this.#examined.hyper, greedily(hyper));
    measured.push(['heldOutGreedySuccess', await successOf(this.#greedy, this.#rounds)]);
    if (tool !== null) measured.push(['toolOffGreedySuccess', await successOf(tool, 1)]);
    return measured;
  }

  get #rounds(): number {
    return Math.ceil(this.#options.tasks / this.#options.groups);
  }

  async #heldOut(): Promise<Measured> {
    const { members, groups, groupSize } = this.#options;
    /** Successful episodes of each task, [P][tasks]. */
    const solved: number[][] = members.map(() => []);
    for (let round = 0; round < this.#rounds; round++) {
      const { successes } = await this.#examiner.play(this.#sampled, round, 'held-out');
      for (let task = 0; task < members.length * groups; task++) {
        const ofTask = successes.subarray(task * groupSize, (task + 1) * groupSize);
        solved[Math.floor(task / groups)]?.push(ofTask.reduce((sum, success) => sum + success, 0));
      }
    }
    const mean = (estimate: typeof passAtK, k: number): number[] =>
      solved.map((counts) => counts.reduce((sum, count) => sum + estimate(groupSize, count, k), 0) / counts.length);
    return PASS_METRICS.filter(([, k]) => k <= groupSize).map(
      ([estimate, k, metric]) => [metric, mean(estimate, k)] as const,
    );
  }
}

const PASS_METRICS: readonly (readonly [estimate: typeof passAtK, k: number, metric: MetricName])[] = [
  [passAtK, 1, 'heldOutSuccess'],
  [passAtK, 2, 'heldOutPassAt2'],
  [passAtK, 4, 'heldOutPassAt4'],
  [passAtK, 8, 'heldOutPassAt8'],
  [passAtK, 16, 'heldOutPassAt16'],
  [passAtK, 32, 'heldOutPassAt32'],
  [passHatK, 2, 'heldOutPassHat2'],
  [passHatK, 4, 'heldOutPassHat4'],
  [passHatK, 8, 'heldOutPassHat8'],
];

function recordOthers({ environment, members, groups, groupSize, experimentSeed }: EvaluationOptions): Trajectories {
  const count = groups * groupSize;
  const trajectories = new Trajectories(members.length, count, environment.context, environment.maxTurns);
  const common = { noisy: 0, noise: 0, split: 'held-out', experimentSeed, stream: STREAM.evaluation } as const;
  const random = new Demonstrations(environment, { ...common, source: 'random' });
  const hasExpert = environment.createWorld(1).expert !== undefined;
  const expert = hasExpert ? new Demonstrations(environment, { ...common, source: 'expert' }) : random;
  for (let i = 0; i < members.length * count; i++) {
    const number = i % count;
    // Seed index 0xffffffff: other tasks than those of the rounds above, which have 0.
    (number % 2 === 0 ? expert : random).play(trajectories, i, 0xffffffff, number, members[Math.floor(i / count)].seed);
  }
  return trajectories;
}

/** Adds the measured values to the update's other metrics, [P, METRICS.length]. */
export function addMeasured(values: Float64Array, measured: Measured): Float64Array {
  for (const [metric, ofMembers] of measured) putMetric(values, metric, ofMembers);
  return values;
}
