/**
 * One update's trajectories on the host: tokens, roles, behaviour log-probs and rewards of every member, [P, B, T].
 * Allocated once. The environments write into it during the rollout; packing, metrics and the viewer read it.
 */
import { ROLE, type Role } from '../foundation/roles';

export class Trajectories {
  readonly members: number;
  /** B, trajectories per member. */
  readonly count: number;
  /** T, capacity of one trajectory. */
  readonly context: number;
  readonly tokens: Uint16Array;
  readonly roles: Uint8Array;
  /** Legal set in force when an action token was drawn; 0 elsewhere. */
  readonly legalSets: Uint8Array;
  /** Log-prob under the policy that drew the token; 0 for tokens it did not draw. */
  readonly behaviourLogProb: Float32Array;
  readonly lengths: Int32Array;
  readonly rewards: Float32Array;
  readonly successes: Uint8Array;
  /** The task of each group, [P][groups]. */
  readonly tasks: Int32Array[][];

  constructor(members: number, count: number, context: number) {
    this.members = members;
    this.count = count;
    this.context = context;
    this.tokens = new Uint16Array(members * count * context);
    this.roles = new Uint8Array(members * count * context);
    this.legalSets = new Uint8Array(members * count * context);
    this.behaviourLogProb = new Float32Array(members * count * context);
    this.lengths = new Int32Array(members * count);
    this.rewards = new Float32Array(members * count);
    this.successes = new Uint8Array(members * count);
    this.tasks = Array.from({ length: members }, () => []);
  }

  clear(): void {
    this.lengths.fill(0);
    this.rewards.fill(0);
    this.successes.fill(0);
  }

  /** Appends a token the environment said. False when the trajectory is full. */
  appendSaid(trajectory: number, token: number, role: Exclude<Role, 'action'>): boolean {
    return this.#append(trajectory, token, ROLE[role], 0, 0);
  }

  /** Appends a token the policy drew. False when the trajectory is full. */
  appendDrawn(trajectory: number, token: number, legalSet: number, logProb: number): boolean {
    return this.#append(trajectory, token, ROLE.action, legalSet, logProb);
  }

  #append(trajectory: number, token: number, role: number, legalSet: number, logProb: number): boolean {
    const length = this.lengths[trajectory] as number;
    if (length >= this.context) return false;
    const at = trajectory * this.context + length;
    this.tokens[at] = token;
    this.roles[at] = role;
    this.legalSets[at] = legalSet;
    this.behaviourLogProb[at] = logProb;
    this.lengths[trajectory] = length + 1;
    return true;
  }
}
