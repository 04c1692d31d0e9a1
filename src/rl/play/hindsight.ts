/**
 * Hindsight (HER, arXiv 1707.01495): a failed episode is rewritten as one of a task that it did solve. Its actions are
 * played again in a world with that task, until the task is solved. The observations are those of the new world, and the
 * reward is that of the new episode. Its group stays the same, and so does a flip of the verifier's verdict.
 *
 * The actions keep the log-probs that decoding recorded. Together with those under the new prompt they give the importance
 * weights π(a | new task)/π(a | old task) of hindsight policy gradients (arXiv 1711.06006). An objective that corrects for
 * decoding applies them. Any other takes the episode as the policy's own, which is a bias.
 */
import type { Environment, WorldSlots } from '../../environments/environment';
import { actionsOf } from '../../environments/replay';
import type { Arm } from '../../experiment/experiment';
import { LabError } from '../../foundation/errors';
import { RandomStream, STREAM } from '../../foundation/philox';
import { ROLE } from '../../foundation/roles';
import type { Member } from '../population';
import { payEpisode, type RecordedAction, recordEpisode } from './recording';
import { type RewardRules, rewardRules } from './rewards';
import type { Trajectories } from './trajectories';

export class Hindsight {
  readonly #environment: Environment;
  readonly #members: readonly Member[];
  readonly #world: WorldSlots;

  constructor(environment: Environment, members: readonly Member[]) {
    this.#environment = environment;
    this.#members = members;
    this.#world = environment.createWorld(1);
  }

  /**
   * Relabels failed trajectories of a played batch, each with its arm's probability; all arms of a seed use the same random
   * numbers. Returns the share of each member's trajectories that were relabelled, [P]; NaN for arms without hindsight.
   */
  relabel(trajectories: Trajectories, arms: readonly Arm[], experimentSeed: number, update: number): Float64Array {
    const { count, successes } = trajectories;
    return Float64Array.from(this.#members, ({ armIndex, seed }, member) => {
      const arm = arms[armIndex];
      if (arm.hindsight === 0) return Number.NaN;
      const rules = rewardRules(arm);
      let relabelled = 0;
      for (let slot = 0; slot < count; slot++) {
        const trajectory = member * count + slot;
        if (successes[trajectory] === 1) continue;
        const random = new RandomStream(experimentSeed, STREAM.hindsight, seed, update, slot);
        if (random.unit() < arm.hindsight && this.#relabelOne(trajectories, trajectory, rules)) relabelled++;
      }
      return relabelled / count;
    });
  }

  /** Relabels one trajectory; false where its episode solved no other task. */
  #relabelOne(trajectories: Trajectories, trajectory: number, rules: RewardRules): boolean {
    const first = trajectory * trajectories.context;
    const end = first + trajectories.lengths[trajectory];
    const tokens = trajectories.tokens.slice(first, end);
    const roles = trajectories.roles.slice(first, end);
    const task = this.#environment.hindsight?.(trajectories.taskOf(trajectory), tokens, roles) ?? null;
    if (task === null) return false;
    const actions = recordedActions(tokens, roles, trajectories.behaviourLogProb.slice(first, end));
    const act = (turn: number): RecordedAction => actions[turn] ?? { tokens: [] };
    const flip = trajectories.flips[trajectory];
    trajectories.clear(trajectory);
    trajectories.flips[trajectory] = flip;
    trajectories.relabelled.set(trajectory, task);
    recordEpisode(this.#environment, this.#world, task, trajectories, trajectory, act, rules);
    payEpisode(this.#environment, this.#world, 0, trajectories, trajectory, rules);
    if (trajectories.successes[trajectory] === 1) return true;
    throw new LabError(
      'internal',
      'An episode does not solve the task that hindsight gave it.',
      'Set hindsight to 0, and please report it with the link.',
    );
  }
}

function recordedActions(tokens: Uint16Array, roles: Uint8Array, logProbs: Float32Array): RecordedAction[] {
  const drawn = logProbs.filter((_, t) => roles[t] === ROLE.action);
  let at = 0;
  return actionsOf(tokens, roles).map((action) => {
    at += action.length;
    return { tokens: action, logProbs: drawn.subarray(at - action.length, at) };
  });
}
