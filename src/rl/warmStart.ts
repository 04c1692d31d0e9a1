/**
 * Supervised training before update 0: cross-entropy on demonstrations, by the very passes and optimiser that train
 * afterwards. Members of a seed see the same demonstrations, and those with the same choice of tokens become the same
 * policy: nothing else of an arm counts yet. Arms without a warm start keep their first weights.
 *
 * The loss of a step is Σ w·(−log p) over the tokens chosen, divided by how many they are: −Σ_A log p/|A| for actions,
 * −Σ_{A∪O} log p/(|A| + |O|) for both (ActObs, arXiv 2609.20715, with a weight of observations beside it). Action tokens
 * are scored among the legal ones where decoding is restricted to them, all others in the full vocabulary. What the
 * environment says of malformed actions counts as an observation.
 *
 * Afterwards the optimiser's moments and its step count are 0 again, and the reference of the KL is the policy as it is then.
 */
import type { Environment } from '../environments/environment';
import { type Arm, defaultArm, type Experiment } from '../experiment/experiment';
import { STREAM } from '../foundation/philox';
import { ROLES } from '../foundation/roles';
import type { Backend, Program, Tensor } from '../tensor/backend';
import { Demonstrations } from './demonstrations';
import { needsOf } from './needs';
import { hyperparameters, type Member } from './population';
import type { Trajectories } from './trajectories';
import type { OptimiserState, Update } from './update';

type Choice = Arm['warmStart'];

export interface WarmStartProgress {
  /** Supervised updates finished, and all there are. */
  readonly done: number;
  readonly total: number;
}

/** Supervised updates this experiment begins with. */
export function warmStartUpdates({ arms, warmStart }: Pick<Experiment, 'arms' | 'warmStart'>): number {
  return arms.some((arm) => arm.warmStart !== 'none') ? warmStart.updates : 0;
}

export class WarmStart {
  readonly #backend: Backend;
  readonly #update: Update;
  readonly #hyper: Tensor<'f32'>;
  readonly #trajectories: Trajectories;
  readonly #members: readonly Member[];
  readonly #demonstrations: Demonstrations;
  readonly #settings: Experiment['warmStart'];
  readonly #rows: Float32Array;
  readonly #innerEpochs: readonly number[];
  readonly #end: Program;
  #done = 0;

  /** Uses the trajectories and the hyperparameter tensor of the training that follows; records one program. */
  constructor(
    backend: Backend,
    environment: Environment,
    update: Update,
    state: OptimiserState,
    trajectories: Trajectories,
    members: readonly Member[],
    experiment: Experiment,
  ) {
    const { warmStart, seed } = experiment;
    const choices = members.map(({ armIndex }): Choice => experiment.arms[armIndex]?.warmStart ?? 'none');
    this.#backend = backend;
    this.#update = update;
    this.#hyper = update.hyper;
    this.#trajectories = trajectories;
    this.#members = members;
    this.#settings = warmStart;
    const { source, noisy, noise } = warmStart;
    const stream = STREAM.demonstrations;
    const options = { source, noisy, noise, split: 'train', experimentSeed: seed, stream } as const;
    this.#demonstrations = new Demonstrations(environment, options);
    const arms = choices.map((choice) => supervised(choice, warmStart));
    const own = members.map((member, armIndex) => ({ ...member, armIndex }));
    this.#rows = hyperparameters(own, arms);
    this.#innerEpochs = choices.map((choice) => (choice === 'none' ? 0 : 1));
    this.#end = backend.record('end of the warm start', members.length, (ops) => {
      for (const tensor of [state.firstMoment, state.secondMoment, state.step]) ops.fill(tensor, 0);
      ops.copy(state.reference, state.parameters);
    });
  }

  /** One supervised update; after the last one the optimiser begins anew. */
  async step(): Promise<WarmStartProgress> {
    const total = this.#settings.updates;
    if (this.#done < total) {
      this.#play();
      this.#backend.write(this.#hyper, this.#rows);
      const needs = needsOf(this.#rows);
      const options = { innerEpochs: this.#innerEpochs, needs, diagnostics: false };
      if (this.#innerEpochs.some((epochs) => epochs > 0)) await this.#update.run(this.#trajectories, options);
      this.#done += 1;
      if (this.#done === total) this.#backend.run(this.#end);
    }
    return { done: this.#done, total };
  }

  #play(): void {
    const trajectories = this.#trajectories;
    const { count } = trajectories;
    const { batch, demonstrations } = this.#settings;
    const size = batch === 0 ? count : Math.min(batch, count);
    trajectories.clear();
    this.#members.forEach(({ seed }, index) => {
      if (this.#innerEpochs[index] === 0) return;
      for (let i = 0; i < size; i++) {
        const number = this.#done * size + i;
        const wrapped = demonstrations === 0 ? number : number % demonstrations;
        this.#demonstrations.play(trajectories, index * count + i, seed, wrapped);
      }
    });
  }
}

/** An arm that only imitates: every setting at its default but the weights, the step size, and no regulariser. */
function supervised(choice: Choice, { learningRate, observationWeight }: Experiment['warmStart']): Arm {
  const arm = defaultArm('warm-start', 'Warm start');
  const none = Object.fromEntries(ROLES.map((role) => [role, 0])) as Arm['pg'];
  const action = choice === 'actions' || choice === 'actions-and-observations' ? 1 : 0;
  const observation = { none: 0, actions: 0, observations: 1, 'actions-and-observations': observationWeight }[choice];
  return {
    ...arm,
    learningRate,
    pg: none,
    ce: { ...none, action, observation, warning: observation },
    entropyCoefficient: 0,
    klCoefficient: 0,
  };
}
