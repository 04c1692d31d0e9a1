/**
 * Hindsight (HER, arXiv 1707.01495): a failed episode is told again as one of a task it did solve. Its actions are played in
 * a world set on that task, which says what it would have said, until the task is solved; whatever pays, pays for that
 * episode. It keeps its place: its group, whose baseline it is compared with, and the verifier's verdict.
 *
 * The log-probs that decoding recorded stay with the actions. Against those scored after the new prompt they are the
 * importance weights π(a | relabelled task)/π(a | task set) of hindsight policy gradients (arXiv 1711.06006): an objective
 * that corrects for decoding applies them, any other takes the episode as the policy's own, which is a bias.
 */
import type { Environment, World } from '../environments/environment';
import { actionsOf } from '../environments/replay';
import type { Arm } from '../experiment/experiment';
import { LabError } from '../foundation/errors';
import { RandomStream, STREAM } from '../foundation/philox';
import { ROLE } from '../foundation/roles';
import type { Member } from './population';
import { payEpisode, type RecordedAction, recordEpisode } from './recording';
import { type RewardRules, rewardRules } from './rewards';
import type { Trajectories } from './trajectories';

export class Hindsight {
  readonly #environment: Environment;
  readonly #members: readonly Member[];
  readonly #world: World;

  constructor(environment: Environment, members: readonly Member[]) {
    this.#environment = environment;
    this.#members = members;
    this.#world = environment.createWorld(1);
  }

  /**
   * Relabels failed trajectories of a batch that has been played, each with the probability its arm says, the same ones in
   * every arm of a seed. Returns the share of each member's trajectories, [P]; NaN for arms without hindsight.
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

  /** False where the episode solved no other task. */
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
