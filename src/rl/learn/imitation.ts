/**
 * Learning from demonstrations. The warm start consists of such steps; later an arm can have a phase of them (its setting
 * `imitation`).
 *
 * The loss of a step is Σ w·(−log p) over the chosen tokens, divided by their number: −Σ_A log p/|A| for actions,
 * −Σ_{A∪O} log p/(|A| + |O|) for both (ActObs, arXiv 2609.20715; the weight w of observations is ours). Action tokens are
 * scored among the legal ones where decoding is restricted to them, all others in the full vocabulary. Warnings count as
 * observations.
 */
import type { Environment } from '../../environments/environment';
import { type Arm, defaultArm, type Experiment } from '../../experiment/experiment';
import { STREAM } from '../../foundation/philox';
import { ROLES } from '../../foundation/roles';
import { Demonstrations } from '../play/demonstrations';
import type { Trajectories } from '../play/trajectories';
import type { Member } from '../population';

/** Tokens of demonstrations to learn from. */
export type ImitatedTokens = Arm['imitation'];

/** Tokens that a warm start learns from in a step: one kind after the other where it is told so. */
export function tokensInStep(
  chosen: Arm['warmStart'],
  step: number,
  { updates, observationShare }: Pick<Experiment['warmStart'], 'updates' | 'observationShare'>,
): ImitatedTokens {
  if (chosen !== 'observations-then-actions') return chosen;
  return step < Math.round(observationShare * updates) ? 'observations' : 'actions';
}

export class Imitation {
  readonly #demonstrations: Demonstrations;
  readonly #settings: Experiment['warmStart'];

  /** Demonstrator of an environment. Throws LabError where there is nobody to imitate. */
  constructor(environment: Environment, { warmStart, seed }: Pick<Experiment, 'warmStart' | 'seed'>) {
    const { source, noisy, noise } = warmStart;
    const stream = STREAM.demonstrations;
    const options = { source, noisy, noise, split: 'train', experimentSeed: seed, stream } as const;
    this.#settings = warmStart;
    this.#demonstrations = new Demonstrations(environment, options);
  }

  /**
   * Writes a step's demonstrations over the trajectories of members that imitate; members of a seed get the same ones.
   * tokens: [P].
   */
  play(trajectories: Trajectories, members: readonly Member[], tokens: readonly ImitatedTokens[], step: number): void {
    const { count } = trajectories;
    const size = this.#sizeOf(count);
    members.forEach(({ seed }, member) => {
      if (tokens[member] === 'none') return;
      for (let i = 0; i < count; i++) {
        const trajectory = member * count + i;
        trajectories.clear(trajectory);
        if (i >= size) continue;
        this.#demonstrations.play(trajectories, trajectory, seed, this.#demonstrationAt(step * size + i));
      }
    });
  }

  /**
   * Writes the first demonstration of a seed's step over a trajectory, the only one, and returns its task. count: B of
   * the step's batch.
   */
  playFirst(trajectories: Trajectories, seed: number, step: number, count: number): Int32Array {
    trajectories.clear();
    return this.#demonstrations.play(trajectories, 0, seed, this.#demonstrationAt(step * this.#sizeOf(count)));
  }

  /** Demonstrations of a step, in a batch of `count` trajectories. */
  #sizeOf(count: number): number {
    const { batch } = this.#settings;
    return batch === 0 ? count : Math.min(batch, count);
  }

  /** Index of a demonstration: a limited number of demonstrations comes again and again. */
  #demonstrationAt(number: number): number {
    const { demonstrations } = this.#settings;
    return demonstrations === 0 ? number : number % demonstrations;
  }
}

/**
 * The arm while it imitates, thoughts as actions: defaults but for loss weights and learning rate, one inner epoch, no regulariser.
 */
export function imitating(
  arm: Pick<Arm, 'id' | 'name'>,
  tokens: ImitatedTokens,
  { learningRate, observationWeight }: Pick<Experiment['warmStart'], 'learningRate' | 'observationWeight'>,
): Arm {
  const none = Object.fromEntries(ROLES.map((role) => [role, 0])) as Arm['pg'];
  const action = tokens === 'actions' || tokens === 'actions-and-observations' ? 1 : 0;
  const observation = { none: 0, actions: 0, observations: 1, 'actions-and-observations': observationWeight }[tokens];
  return {
    ...defaultArm(arm.id, arm.name),
    learningRate,
    innerEpochs: 1,
    pg: none,
    ce: { ...none, action, thought: action, observation, warning: observation },
    entropyCoefficient: 0,
    klCoefficient: 0,
  };
}
