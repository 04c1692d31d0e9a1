/**
 * One seed of an arm that is a fixed policy. It plays as a member in training would: the same tasks, the same random numbers,
 * the same metrics. It learns nothing, so metrics of learning are undefined.
 */
import type { Environment } from '../../environments/environment';
import type { Arm, Experiment } from '../../experiment/experiment';
import { isDrawn, ROLE } from '../../foundation/roles';
import type { OnnxScorer } from '../../onnx/scorer';
import type { PolicySession } from '../../onnx/session';
import { groupTree } from '../../rl/look/groupTree';
import { TOKEN_NUMBERS } from '../../rl/look/inspection';
import { addMeasured, Evaluation, isExamined } from '../../rl/measure/evaluation';
import { putMetric, rolloutMetrics, summariseRollout } from '../../rl/measure/measure';
import { Collection } from '../../rl/play/collection';
import { Curriculum } from '../../rl/play/curriculum';
import { Rollout } from '../../rl/play/rollout';
import type { TaskRecord } from '../../rl/play/taskMemory';
import { Trajectories } from '../../rl/play/trajectories';
import { hyperparameters, type Member } from '../../rl/population';
import type { Backend, Tensor } from '../../tensor/backend';
import { captureEpisodes, type Watch } from '../looks/episodes';
import type { EpisodeView, Inspection, InspectionChoice } from '../looks/shown';
import { filePlayer } from './filePlayer';
import { scoreTrajectories, sumOver, type TrajectoryScores } from './scores';

interface Played {
  readonly tokens: number;
  /** Metrics of the batch, [METRICS.length]. */
  readonly metrics: Float64Array;
}

export class FixedMember {
  readonly #backend: Backend;
  readonly #environment: Environment;
  readonly #experiment: Pick<Experiment, 'seed' | 'batch' | 'evaluation'>;
  readonly #member: Member;
  readonly #hyper: Tensor<'f32'>;
  readonly #scorer: OnnxScorer;
  readonly #trajectories: Trajectories;
  readonly #curriculum: Curriculum;
  readonly #collection: Collection;
  readonly #evaluation: Evaluation | null;
  /** Scores of the last batch; null until one was played here. */
  #last: { readonly arms: readonly Arm[]; readonly update: number; readonly scores: TrajectoryScores } | null = null;

  /** Records its programs; call before the backend is prepared. The session may serve others between two calls. */
  constructor(
    backend: Backend,
    session: PolicySession,
    environment: Environment,
    experiment: Pick<Experiment, 'seed' | 'batch' | 'evaluation'>,
    member: Member,
  ) {
    const { context, maxTurns } = environment;
    const { groups, groupSize } = experiment.batch;
    const count = groups * groupSize;
    const { hyper, chunk, decoder, scorer } = filePlayer(backend, session, environment, member.seed, count);
    const rollout = new Rollout(environment, decoder, [member], { groups, groupSize, chunk });
    this.#backend = backend;
    this.#environment = environment;
    this.#experiment = experiment;
    this.#member = member;
    this.#hyper = hyper;
    this.#scorer = scorer;
    this.#trajectories = new Trajectories(1, count, context, maxTurns);
    this.#curriculum = new Curriculum(environment, [member], groups, experiment.seed);
    const sizes = { groups, groupSize };
    this.#collection = new Collection(rollout, this.#curriculum, null, null, [member], sizes, experiment.seed);
    const scoring = { hyper, recordScores: () => (recorded: Trajectories) => this.#logProbs(recorded) };
    const examined = { environment, members: [member], groups, groupSize, chunk, ...experiment.evaluation };
    this.#evaluation = isExamined(experiment.evaluation)
      ? new Evaluation(backend, decoder, scoring, { ...examined, experimentSeed: experiment.seed })
      : null;
  }

  /** Tasks that the policy played, as it remembers them. */
  get tasks(): TaskRecord[] {
    return this.#curriculum.save()[0] ?? [];
  }

  restore(tasks: readonly TaskRecord[]): void {
    this.#curriculum.restore([tasks]);
    this.#last = null;
  }

  /** Plays the batch of an update. */
  async play(arms: readonly Arm[], update: number): Promise<Played> {
    const hyper = hyperparameters([this.#member], arms, update);
    const measured = (await this.#evaluation?.run(update, hyper, arms)) ?? [];
    this.#backend.write(this.#hyper, hyper);
    const trajectories = this.#trajectories;
    const collected = await this.#collection.collect(trajectories, arms, update);
    const scores = await scoreTrajectories(this.#scorer, trajectories, trajectories.count);
    this.#last = { arms, update, scores };
    const noisy = (arms[this.#member.armIndex]?.verifierNoise ?? 0) > 0;
    const summary = summariseRollout(trajectories, [noisy], collected, this.#environment);
    const metrics = rolloutMetrics(summary);
    const mean = (isOf: (role: number) => boolean, values: Float32Array): number => {
      const { sum, tokens } = sumOver(trajectories, trajectories.count, isOf, values);
      return sum / tokens;
    };
    putMetric(metrics, 'observationCrossEntropy', [-mean((role) => role === ROLE.observation, scores.logProb)]);
    putMetric(metrics, 'warningCrossEntropy', [-mean((role) => role === ROLE.warning, scores.logProb)]);
    putMetric(metrics, 'entropy', [mean(isDrawn, scores.entropy)]);
    return { tokens: summary.tokens, metrics: addMeasured(metrics, measured) };
  }

  /** The watched episode of the last batch; empty where another seed is watched. */
  watch(watch: Watch): EpisodeView[] {
    if (this.#last === null) return [];
    const { arms, update, scores } = this.#last;
    const { batch } = this.#experiment;
    const nothing = new Float32Array(scores.logProb.length);
    const learned = { advantage: nothing, policyWeight: nothing, crossEntropyWeight: nothing };
    const captured = captureEpisodes(this.#trajectories, [this.#member], arms, watch, batch, update);
    return captured.map((one) => one.finish({ ...learned, oldLogProb: scores.logProb }));
  }

  /** The chosen trajectory of the last batch; null before the first one, empty where another seed is asked for. */
  inspect(choice: InspectionChoice): Inspection[] | null {
    if (this.#last === null) return null;
    if (choice.seed !== this.#member.seed) return [];
    const { arms, update, scores } = this.#last;
    const { groupSize } = this.#experiment.batch;
    const { context, lengths, tokens, roles, rewards, successes } = this.#trajectories;
    const first = choice.group * groupSize;
    const slot = first + choice.trajectory;
    const [from, to] = [slot * context, slot * context + (lengths[slot] as number)];
    const unknown = new Float32Array(to - from).fill(Number.NaN);
    // A prompt is given, not predicted.
    const ofObservations = (values: Float32Array): Float32Array =>
      values.slice(from, to).map((value, t) => (roles[from + t] === ROLE.prompt ? Number.NaN : value));
    const ofGroup = rewards.slice(first, first + groupSize);
    return [
      {
        arm: arms[this.#member.armIndex] as Arm,
        update,
        ...choice,
        tokens: tokens.slice(from, to),
        roles: roles.slice(from, to),
        numbers: {
          ...(Object.fromEntries(TOKEN_NUMBERS.map((name) => [name, unknown])) as Inspection['numbers']),
          oldLogProb: ofObservations(scores.logProb),
          entropy: ofObservations(scores.entropy),
        },
        attention: { layers: 0, heads: 0, probabilities: new Float32Array(0) },
        rewards: ofGroup,
        successes: successes.slice(first, first + groupSize),
        tree: groupTree(this.#trajectories, first, groupSize),
        isEqual: ofGroup.every((reward) => reward === ofGroup[0]),
        isKept: true,
      },
    ];
  }

  async #logProbs(trajectories: Trajectories): Promise<Float32Array> {
    return (await scoreTrajectories(this.#scorer, trajectories, trajectories.count)).logProb;
  }
}
