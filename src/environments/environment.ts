/**
 * The contract of an environment: a small world in which every action and every observation is tokens. Environments
 * know nothing of policies, objectives or GPUs. One file per environment; registry.ts lists them.
 *
 * Stepping is batched over typed arrays: one instance of a World holds the state of many episodes (one a slot) and
 * allocates nothing after construction. Everything is a function of (task, actions): no clock, no global randomness.
 */
import type { RandomStream } from '../foundation/philox';
import type { Role } from '../foundation/roles';

/** One setting of an environment: drives validation, the control on screen, the link key and the help text. */
export interface EnvironmentSetting {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly type: 'integer' | 'number' | 'boolean' | 'choice';
  readonly default: number | boolean | string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
}

export type EnvironmentSettings = Readonly<Record<string, number | boolean | string>>;

export interface EnvironmentDefinition {
  readonly id: string;
  readonly title: string;
  /** What the agent must do, in one sentence. */
  readonly summary: string;
  readonly settings: readonly EnvironmentSetting[];
  create(settings: EnvironmentSettings): Environment;
}

/** What is written into a trajectory besides the policy's actions. */
export interface Emission {
  /** Appends one token with its role; returns false when the context is full (nothing is written). */
  emit(token: number, role: Exclude<Role, 'action'>): boolean;
}

export interface Environment {
  /** Words in vocabulary order, before padding to a multiple of 16. Word 0 is `<pad>`, word 1 `<bos>`. */
  readonly words: readonly string[];
  /** Longest trajectory in tokens, prompt and last observation included. */
  readonly context: number;
  readonly maxTurns: number;
  /** Tokens an action may have, its stop token included; 1 means a single token and no stop token. */
  readonly maxActionTokens: number;
  /** The token that ends a multi-token action; -1 when maxActionTokens is 1. */
  readonly stopToken: number;
  /** Most tokens emitted after one action. */
  readonly maxObservationTokens: number;
  /** Legal-action sets as lists of tokens; set 0 is implied (all words). A slot's set is given by `World.legalSet`. */
  readonly legalSets: readonly (readonly number[])[];
  /** Success rate of the uniformly random legal policy, if known: a reference line on charts. */
  readonly randomSuccess: number | null;
  /** Draws the task of a group: a few integers that define the instance wholly. */
  drawTask(random: RandomStream): Int32Array;
  createWorld(slots: number): World;
}

export interface World {
  /** Starts slot's episode on a task: emits the prompt. */
  reset(slot: number, task: Int32Array, emission: Emission): void;
  /** 1-based legal set for the slot's next action (0 = unrestricted). */
  legalSet(slot: number): number;
  /** Applies an action (tokens without trailing garbage); emits observations or warnings. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void;
  isDone(slot: number): boolean;
  /** Total reward of the episode so far. */
  reward(slot: number): number;
  isSuccess(slot: number): boolean;
}

/** What drawing needs, replayed from tokens: environments that can be drawn as a board give one frame a turn. */
export interface BoardFrame {
  readonly width: number;
  readonly height: number;
  readonly agent: readonly [x: number, y: number];
  readonly goal: readonly [x: number, y: number];
  readonly walls: readonly (readonly [x: number, y: number])[];
}
