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
  /** How choices are called on the screen, where their ids read as words would not do. */
  readonly names?: Readonly<Record<string, string>>;
  /** Whether it has an effect, given the values of all settings; always where this is absent. */
  readonly isRelevant?: (settings: EnvironmentSettings) => boolean;
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

export type Split = 'train' | 'held-out';

export interface Environment {
  /** Words in vocabulary order, before padding to a multiple of 16. Word 0 is `<pad>`, word 1 `<bos>`. */
  readonly words: readonly string[];
  /** Of each word what it is, for people (wordKinds.ts); absent in a mixture, whose parts say it. */
  readonly kinds?: readonly string[];
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
  /** Simulated episodes it is measured from; absent where it is computed. */
  readonly simulatedEpisodes?: number | undefined;
  /**
   * Draws the task of a group: a few integers that define the instance wholly. Held-out tasks are never drawn for
   * training, by construction (a split of the tasks themselves, not of seeds); an environment too small for a split says
   * so by `hasHeldOut: false` and draws both alike.
   */
  drawTask(random: RandomStream, split?: Split): Int32Array;
  readonly hasHeldOut?: boolean;
  /** How hard a task is, 0 … 1: what a curriculum goes by. Absent where tasks are alike. */
  difficulty?(task: Int32Array): number;
  /**
   * The same environment where the agent's tool never answers, for an examination of what it knows without; null where
   * there is no tool to take away. Words, legal sets and turns stay, and no trajectory is longer.
   */
  withoutTool?(): Environment | null;
  /** The environments of a mixture, and which of them a task is of; absent where there is but one, itself. */
  readonly parts?: readonly MixturePart[];
  environmentOf?(task: Int32Array): number;
  /**
   * Hindsight (HER, arXiv 1707.01495): another training task that the actions of a failed episode would have solved, at the
   * latest with the last of them; chance and all else are the task's own. Null where there is none, and never a held-out
   * task. Absent where, as the environment is set, what was reached is no task.
   */
  hindsight?(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): Int32Array | null;
  /** The cell that an answer names, where answers name the agent's cell; null if these tokens name none. */
  cellNamed?(answer: ArrayLike<number>): readonly [x: number, y: number] | null;
  /** What there is to see: one scene for the prompt and one after each turn, replayed from a trajectory. */
  scenes?(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[];
  createWorld(slots: number): World;
}

export interface MixturePart {
  /** Of its definition. */
  readonly id: string;
  readonly environment: Environment;
  /** How often its tasks are drawn, beside those of the others. */
  readonly weight: number;
}

export interface World {
  /** Starts slot's episode on a task: emits the prompt. */
  reset(slot: number, task: Int32Array, emission: Emission): void;
  /** 1-based legal set for the slot's next action (0 = unrestricted). */
  legalSet(slot: number): number;
  /** Most tokens the slot's next action may have; absent where that is the environment's maxActionTokens for every slot. */
  maxActionTokens?(slot: number): number;
  /** Applies an action (tokens without trailing garbage); emits observations or warnings. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void;
  isDone(slot: number): boolean;
  /** Total reward of the episode so far. */
  reward(slot: number): number;
  isSuccess(slot: number): boolean;
  /** The scripted expert's next action in the slot's present state: tokens, its stop token included. */
  expert?(slot: number): readonly number[];
  /**
   * Nats of uncertainty, given all tokens before, of what the last step emitted: the exact floor of the observation
   * cross-entropy; NaN where it cannot be computed. 0 for a deterministic world whose state the tokens tell.
   */
  entropyFloor?(slot: number): number;
  /** How far the episode has come, 0 … 1: the potential of potential-based shaping. */
  progress?(slot: number): number;
}

/**
 * What a world looks like at one moment, as data: each kind has its own drawing in the interface. Texts are for people;
 * `action` is what the agent just did, in words, or null for the prompt.
 */
export type Scene = BoardScene | TapeScene | ShopScene | TerminalScene;

export interface BoardScene {
  readonly kind: 'board';
  readonly width: number;
  readonly height: number;
  /** Row by row; what lies on the floor of each cell. */
  readonly cells: readonly ('floor' | 'wall' | 'ice' | 'hole' | 'goal' | 'key' | 'door' | 'open-door' | 'target')[];
  readonly agent: readonly [x: number, y: number];
  readonly boxes: readonly (readonly [x: number, y: number])[];
  /** What the agent carries. */
  readonly carrying: string | null;
  /** Where up, down, left and right go, where the agent is not told. */
  readonly controls: string | null;
  readonly action: string | null;
}

/** A conversation with a paper tape: the calculator. */
export interface TapeScene {
  readonly kind: 'tape';
  readonly question: string;
  readonly lines: readonly {
    readonly who: 'agent' | 'tool' | 'grader';
    readonly text: string;
    readonly isError: boolean;
  }[];
  readonly toolWorks: boolean | null;
  readonly action: string | null;
}

export interface ShopScene {
  readonly kind: 'shop';
  readonly instruction: string;
  readonly page: 'search' | 'results' | 'item' | 'bought';
  readonly query: string | null;
  /** What the agent was shown of each result: texts and prices it was not told are empty. */
  readonly results: readonly { readonly id: string; readonly text: string; readonly price: string }[];
  readonly item: {
    readonly id: string;
    readonly attributes: readonly string[];
    readonly options: readonly { readonly text: string; readonly isChosen: boolean }[];
    readonly price: string;
  } | null;
  /** What else can be clicked on this page: `next`, `back`, `buy`… */
  readonly buttons: readonly string[];
  /** What the shop complained about, or null. */
  readonly complaint: string | null;
  /** The reward, 0 … 1, once bought. */
  readonly score: number | null;
  /** What was clicked: a text among those of the scene before. */
  readonly action: string | null;
}

export interface TerminalScene {
  readonly kind: 'terminal';
  readonly task: string;
  /** All lines so far, newest last: what was typed (after `prompt`), what was printed, errors of the shell, warnings. */
  readonly lines: readonly {
    readonly kind: 'command' | 'output' | 'error' | 'warning';
    readonly prompt: string | null;
    readonly text: string;
  }[];
  /** The file system as a tree of paths, with a mark on those the task asks for. */
  readonly files: readonly {
    readonly path: string;
    readonly isDirectory: boolean;
    readonly isTarget: boolean;
    /** What a file holds, its lines joined by line breaks; empty for directories. */
    readonly text: string;
    /** Deleted since the beginning, or asked for and not written yet. */
    readonly state: 'there' | 'deleted' | 'awaited';
  }[];
  /** The directory the agent is in. */
  readonly directory: string;
  /** Whether the file system is as the task asks. */
  readonly isSolved: boolean;
  readonly action: string | null;
}
