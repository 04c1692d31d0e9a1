/**
 * A population in training: everything one experiment needs on one backend, advanced one update at a time. No Worker, no
 * clock, no messages here; worker.ts and the command line both drive this class.
 */

import type { Environment } from '../environments/environment';
import { findEnvironment } from '../environments/registry';
import { composeVocabulary, type Vocabulary } from '../environments/vocabulary';
import type { Arm, Change, Experiment } from '../experiment/experiment';
import { effectiveArms } from '../experiment/timeline';
import { LabError } from '../foundation/errors';
import { checkConfiguration, type PolicyConfiguration } from '../policy/configuration';
import { Decoder } from '../policy/decoder';
import { initialParameters, layoutParameters, type ParameterLayout, parameterViews } from '../policy/parameters';
import { Baselines, GREEDY_TEMPERATURE } from '../rl/baselines';
import { addMeasured, Evaluation, isEvaluated } from '../rl/evaluation';
import { legalSetTable } from '../rl/legalSets';
import { measure, summariseRollout } from '../rl/measure';
import type { Plan } from '../rl/microbatches';
import { hasActionLoss, hasCritic, needsOf } from '../rl/needs';
import { placeboTargets } from '../rl/placebo';
import { hyperparameters, type Member } from '../rl/population';
import { type RewardRules, rewardRules } from '../rl/rewards';
import { decoderChunk, Rollout } from '../rl/rollout';
import { Trajectories } from '../rl/trajectories';
import { type OptimiserState, Update } from '../rl/update';
import { WarmStart, type WarmStartProgress, warmStartUpdates } from '../rl/warmStart';
import type { Backend, FloatData, Tensor } from '../tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../tensor/layout';
import { captureEpisodes, type Watch } from './episodes';
import { planHalved } from './plan';
import type { EpisodeView } from './protocol';
import {
  chooseMembers,
  type Snapshot,
  STATE_TENSORS,
  type TrainerUpdate,
  type Training,
  type TrainingOptions,
} from './training';

function createEnvironment(experiment: Experiment): Environment {
  const definition = findEnvironment(experiment.environment.id);
  if (definition !== undefined) return definition.create(experiment.environment.settings);
  throw new LabError(
    'invalid-experiment',
    `There is no environment called ${experiment.environment.id}.`,
    'Choose one of the environments in the list.',
  );
}

/** The world of the examination in which there is no tool, where there is one to take away. */
function createWithoutTool({ environment: { id, settings } }: Experiment): Environment | null {
  const definition = findEnvironment(id);
  const without = definition?.withoutTool?.(settings) ?? null;
  return without === null ? null : (definition?.create(without) ?? null);
}

export interface TrainerOptions extends TrainingOptions {
  /** Instead of the one the experiment names. */
  readonly environment?: Environment;
}

export class Trainer implements Training {
  readonly members: readonly Member[];
  readonly environment: Environment;
  readonly vocabulary: Vocabulary;
  readonly configuration: PolicyConfiguration;
  readonly layout: ParameterLayout;
  readonly #backend: Backend;
  readonly #hyper: Tensor<'f32'>;
  readonly #state: OptimiserState;
  readonly #trajectories: Trajectories;
  readonly #decoder: Decoder;
  readonly #chunk: number;
  readonly #rollout: Rollout;
  #baselines: Baselines | null = null;
  readonly #update: Update;
  readonly #evaluation: Evaluation | null;
  /** Null once it is over, or where there is none. */
  #warmStart: WarmStart | null;
  #experiment: Experiment;
  #finished = 0;

  /** Allocates and records everything; call prepare() next. */
  constructor(backend: Backend, experiment: Experiment, options: TrainerOptions = {}) {
    const environment = options.environment ?? createEnvironment(experiment);
    const { groups, groupSize } = experiment.batch;
    const count = groups * groupSize;
    this.#experiment = experiment;
    this.#backend = backend;
    this.environment = environment;
    this.members = chooseMembers(experiment, options);
    this.vocabulary = composeVocabulary([environment.words]);
    this.configuration = {
      ...experiment.policy,
      context: environment.context,
      vocabulary: this.vocabulary.size,
    };
    checkConfiguration(this.configuration);
    this.layout = layoutParameters(this.configuration);

    const P = this.members.length;
    const N = this.layout.size;
    const chunk = decoderChunk(environment);
    const { maxActionTokens } = environment;
    const sizes = {
      members: P,
      trajectories: count,
      groups,
      turns: environment.maxTurns,
      parameters: N,
      chunk,
      maxActionTokens,
    };
    // Before any memory is taken.
    const plan = planHalved(backend.limits, this.configuration, sizes, options.halvings ?? 0);
    const legal = legalSetTable(environment, this.vocabulary.size);
    const legalSets = backend.tensor('legalSets', 'u32', 1, legal.length);
    backend.write(legalSets, legal);
    const seedIndex = backend.tensor('seedIndex', 'u32', P, 1);
    backend.write(
      seedIndex,
      Uint32Array.from(this.members, (member) => member.seed),
    );
    this.#hyper = backend.tensor('hyper', 'f32', P, HYPER_COLUMNS);
    const tensor = (label: string, stride: number) => backend.tensor(label, 'f32', P, stride);
    this.#state = {
      parameters: tensor('parameters', N),
      firstMoment: tensor('firstMoment', N),
      secondMoment: tensor('secondMoment', N),
      step: tensor('step', 1),
      reference: tensor('reference', N),
    };
    this.#trajectories = new Trajectories(P, count, environment.context, environment.maxTurns);
    this.#chunk = chunk;
    this.#decoder = new Decoder(backend, this.configuration, parameterViews(this.layout, this.#state.parameters), {
      members: P,
      trajectories: count,
      chunk,
      maxActionTokens,
      stopToken: environment.stopToken,
      legalSets,
      hyper: this.#hyper,
      seedIndex,
    });
    this.#rollout = new Rollout(environment, this.#decoder, this.members, { groups, groupSize, chunk });
    this.#update = new Update(
      backend,
      environment,
      this.configuration,
      this.layout,
      this.#state,
      { members: P, groups, groupSize },
      plan,
      this.#hyper,
      legalSets,
    );
    this.#initialise();
    const state = [this.#update, this.#state, this.#trajectories, this.members] as const;
    this.#warmStart =
      warmStartUpdates(experiment) > 0 ? new WarmStart(backend, environment, ...state, experiment) : null;
    const { every, tasks } = experiment.evaluation;
    const { members } = this;
    const withoutTool = options.environment === undefined ? createWithoutTool(experiment) : null;
    const examined = { environment, withoutTool, members, groups, groupSize, chunk, tasks };
    const experimentSeed = experiment.seed;
    this.#evaluation =
      every === 0 ? null : new Evaluation(backend, this.#decoder, this.#update, { ...examined, experimentSeed });
  }

  #initialise(): void {
    const N = this.layout.size;
    const initial = new Float32Array(this.members.length * N);
    const bySeed = new Map<number, Float32Array>();
    this.members.forEach((member, index) => {
      const values = bySeed.get(member.seed) ?? initialParameters(this.layout, this.#experiment.seed, member.seed);
      bySeed.set(member.seed, values);
      initial.set(values, index * N);
    });
    this.#backend.write(this.#state.parameters, initial);
    this.#backend.write(this.#state.reference, initial);
  }

  /** Compiles what the device needs; the slow part of starting. */
  prepare(onProgress?: (done: number, total: number) => void): Promise<void> {
    return this.#backend.prepare(onProgress);
  }

  /** How the batch is cut to fit the device. */
  get plan(): Plan {
    return this.#update.plan;
  }

  get parts(): number {
    return this.plan.microbatches;
  }

  get finished(): number {
    return this.#finished;
  }

  get lost(): Promise<LabError> {
    return this.#backend.lost;
  }

  get experiment(): Experiment {
    return this.#experiment;
  }

  setTimeline(timeline: readonly Change[]): void {
    this.#experiment = { ...this.#experiment, timeline: [...timeline] };
  }

  async warmUp(): Promise<WarmStartProgress> {
    const total = warmStartUpdates(this.#experiment);
    if (this.#warmStart === null) return { done: total, total };
    const progress = await this.#warmStart.step();
    if (progress.done === progress.total) this.#warmStart = null;
    return progress;
  }

  async #finishWarmStart(): Promise<void> {
    while (this.#warmStart !== null) await this.warmUp();
  }

  async runUpdate(watch?: Watch): Promise<TrainerUpdate> {
    await this.#finishWarmStart();
    const update = this.#finished;
    const arms = effectiveArms(this.#experiment, update);
    const hyper = hyperparameters(this.members, arms, update);
    const needs = needsOf(hyper);
    const rules = arms.map(rewardRules);
    const examination = isEvaluated(update, this.#experiment.evaluation.every) ? this.#evaluation : null;
    const measured = (await examination?.run(hyper, rules)) ?? [];
    const baselines = needs.baselines ? await this.#playBaselines(hyper, rules, update) : null;
    this.#backend.write(this.#hyper, hyper);
    await this.#rollout.run(this.#trajectories, rules, this.#experiment.seed, update);
    if (baselines !== null) this.#baselines?.assign(this.#trajectories, baselines);
    const summary = summariseRollout(
      this.#trajectories,
      this.members.map(({ armIndex }) => (arms[armIndex]?.verifierNoise ?? 0) > 0),
    );
    const options = {
      innerEpochs: this.members.map((member) => arms[member.armIndex]?.innerEpochs ?? 1),
      critic: this.members.map((_, p) => hasCritic(hyper, p)),
      actionLoss: this.members.map((_, p) => hasActionLoss(hyper, p)),
    };
    const every = this.#experiment.diagnosticsEvery;
    const diagnostics = every > 0 && update % every === 0;
    await this.#update.prepare(needs);
    const targets = placeboTargets(this.#trajectories, this.members, arms, this.#experiment.seed, update);
    const readback = this.#update.run(this.#trajectories, { ...options, needs, diagnostics, ...targets });
    const episodes = watch === undefined ? null : this.#watch(watch, arms, update);
    this.#finished = update + 1;
    return {
      update,
      tokens: summary.tokens,
      metrics: readback.then((values) => addMeasured(measure(summary, values, options), measured)),
      episodes,
    };
  }

  async #playBaselines(hyper: Float32Array, rules: readonly RewardRules[], update: number): Promise<Float32Array> {
    const greedy = hyper.slice();
    for (let p = 0; p < this.members.length; p++) greedy[p * HYPER_COLUMNS + HYPER.temperature] = GREEDY_TEMPERATURE;
    this.#backend.write(this.#hyper, greedy);
    const { groups } = this.#experiment.batch;
    this.#baselines ??= new Baselines(this.environment, this.#decoder, this.members, groups, this.#chunk);
    return this.#baselines.play(rules, this.#experiment.seed, update);
  }

  #watch(watch: Watch, arms: readonly Arm[], update: number): Promise<EpisodeView[]> {
    const captured = captureEpisodes(this.#trajectories, this.members, arms, watch, this.#experiment.batch, update);
    const { oldLogProb, advantage, policyWeight, crossEntropyWeight } = this.#update.batch.dense;
    const read = this.#backend.read(oldLogProb, advantage, policyWeight, crossEntropyWeight);
    return read.then(([logProbs, advantages, weights, worldModel]) =>
      captured.map((one) =>
        one.finish({
          oldLogProb: logProbs,
          advantage: advantages,
          policyWeight: weights,
          crossEntropyWeight: worldModel,
        }),
      ),
    );
  }

  async snapshot(): Promise<Snapshot> {
    await this.#finishWarmStart();
    const values = await this.#backend.read(...STATE_TENSORS.map((name) => this.#state[name]));
    const entries = STATE_TENSORS.map((name, i) => [name, (values[i] as FloatData).slice()] as const);
    return {
      update: this.#finished,
      members: this.members,
      timeline: this.#experiment.timeline,
      tensors: Object.fromEntries(entries) as Snapshot['tensors'],
    };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    this.#warmStart = null;
    for (const name of STATE_TENSORS) {
      const tensor = this.#state[name];
      if (snapshot.tensors[name].length !== tensor.members * tensor.stride) {
        throw new LabError(
          'invalid-experiment',
          'The saved run has another shape than this experiment.',
          'Resume it with the experiment it was saved with.',
        );
      }
      this.#backend.write(tensor, snapshot.tensors[name]);
    }
    this.setTimeline(snapshot.timeline);
    this.#finished = snapshot.update;
  }

  dispose(): void {
    this.#backend.dispose();
  }
}
