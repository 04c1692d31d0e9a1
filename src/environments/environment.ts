/**
 * The contract of an environment: a small world in which every action and every observation is tokens. Environments know
 * nothing of policies, objectives or GPUs; registry.ts lists them.
 *
 * Stepping is batched: one World holds the state of many episodes (one a slot) in typed arrays that are allocated at its
 * construction. Everything is a function of (task, actions): no clock, no global randomness.
 */
import type { RandomStream } from '../foundation/philox';
import type { Role } from '../foundation/roles';
import type { Scene } from './scene';

/** One setting of an environment; validation, the control on screen, the link key and the help text follow from it. */
export interface EnvironmentSetting {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly type: 'integer' | 'number' | 'boolean' | 'choice';
  readonly default: number | boolean | string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** Names of choices on the screen, where their ids would not read well. */
  readonly names?: Readonly<Record<string, string>>;
  /** True if it has an effect, given the values of all settings; always, where this is absent. */
  readonly isRelevant?: (settings: EnvironmentSettings) => boolean;
}

export type EnvironmentSettings = Readonly<Record<string, number | boolean | string>>;

export interface EnvironmentDefinition {
  readonly id: string;
  readonly title: string;
  /** The agent's task in one sentence. */
  readonly summary: string;
  readonly settings: readonly EnvironmentSetting[];
  /** True for the key of a setting that only the environment itself knows, beside `settings`; absent where there is none. */
  readonly isFurther?: (key: string) => boolean;
  /** Key of the whole number among the settings that says which instance of the world it is; null or absent without one. */
  readonly instanceKey?: string | null;
  /** Description that only the settings tell; null where they do not, or not yet. Absent where it is always the same. */
  describe?(
    settings: EnvironmentSettings,
  ): Pick<EnvironmentDefinition, 'title' | 'summary' | 'settings' | 'instanceKey' | 'isText'> | null;
  /** Language model (experiment/models.ts) whose pieces are its words; absent in a world with words of its own. */
  readonly model?: string;
  /** True where a world is read and written as text, with the tokenizer of the language model that policies begin from. */
  readonly isText?: boolean;
  create(settings: EnvironmentSettings): Environment;
}

/** Roles of an environment's words. */
export type SaidRole = Exclude<Role, 'action' | 'thought'>;

/** Writer of an environment's tokens into a trajectory. */
export interface Emission {
  /** Appends one token with its role; returns false when the context is full (nothing is written). */
  emit(token: number, role: SaidRole): boolean;
}

/**
 * Thoughts: tokens that the policy draws before each action, for itself. The world never hears them. They are drawn from a
 * legal set of their own until the token `end`, and at most `most` of them.
 */
export interface Thoughts {
  /** Number of the legal set of their words, `end` among them. */
  readonly legalSet: number;
  readonly most: number;
  readonly end: number;
}

/** A tool that always answers, never, or wrongly; `believed`: wrongly, and its answer counts as the right one. */
export type ToolState = 'up' | 'down' | 'lying' | 'believed';

export type Split = 'train' | 'held-out';

/** Words of a world about its reward, for people; each absent where the lab's own fits. */
export interface WorldWords {
  /** Words for the reward of the outcome, where it is not 1 or 0: `similarity of …`. */
  readonly outcomeWords?: string;
  /** Steps that its progress counts, reached: `tests passed`. */
  readonly milestoneWords?: string;
}

export interface Environment extends WorldWords {
  /** Task and order of the prompt in sentences, for readers of language; absent where the summary says enough. */
  readonly asks?: string;
  /** Words in vocabulary order, before padding to a multiple of 16. Word 0 is `<pad>`, word 1 `<bos>`. */
  readonly words: readonly string[];
  /** Kind of each word, for people (wordKinds.ts); absent in a mixture, whose parts have it. */
  readonly kinds?: readonly string[];
  /** Longest trajectory in tokens, prompt and last observation included. */
  readonly context: number;
  readonly maxTurns: number;
  /** Largest number of tokens of an action, its stop token included; 1 means a single token and no stop token. */
  readonly maxActionTokens: number;
  /** The token that ends a multi-token action; −1 when maxActionTokens is 1. */
  readonly stopToken: number;
  /** Further tokens that end an action and are part of its text; absent where there are none. */
  readonly stopTokens?: readonly number[];
  /** Largest number of tokens emitted after one action. */
  readonly maxObservationTokens: number;
  /** Tokens with which an action that calls a tool begins; absent where there is no tool. */
  readonly toolWords?: readonly number[];
  /** Legal sets 1, 2 … as lists of tokens; set 0, all words, is implied. `World.legalSet` gives a slot's set. */
  readonly legalSets: readonly (readonly number[])[];
  /** Thoughts before actions; absent where the policy only acts. */
  readonly thoughts?: Thoughts;
  /** Success rate of the uniformly random legal policy, if known: a reference line on charts. */
  readonly randomSuccess: number | null;
  /** Simulated episodes that randomSuccess is measured from; absent where it is computed. */
  readonly simulatedEpisodes?: number | undefined;
  /**
   * Draws the task of a group: a few integers that fully define it. Held-out tasks are never drawn for training, because
   * the tasks themselves are split, not seeds. Without a split `hasHeldOut` is not true, and both splits are drawn alike. `seed`:
   * number of the member's seed, where each has an instance of its own (instances.ts); 0 if left out.
   */
  drawTask(random: RandomStream, split?: Split, seed?: number): Int32Array;
  readonly hasHeldOut?: boolean;
  /** Difficulty of a task, 0 … 1, for a curriculum. Absent where tasks are alike. */
  difficulty?(task: Int32Array): number;
  /**
   * The same environment with a tool that does as told, to examine the agent with it; null where there is no such tool. Words,
   * legal sets and turns stay, and no trajectory is longer.
   */
  withTool?(state: ToolState): Environment | null;
  /**
   * Number of tokens that are the action, of those that were drawn for it: a text that ends actions may be of several. Absent
   * where single tokens end them.
   */
  actionLength?(drawn: readonly number[]): number;
  /** Language model whose pieces its words are, where its tokenizer is known to the world alone; absent elsewhere. */
  readonly model?: string;
  /** Reader of texts, where actions are texts. */
  readonly texts?: TextWorld;
  /** Tokens as text and back, where the world is read and written as text. */
  readonly writing?: Writing;
  /** Environments of a mixture, and the index of the one that a task belongs to; absent in a single environment. */
  readonly parts?: readonly MixturePart[];
  environmentOf?(task: Int32Array): number;
  /**
   * Hindsight (HER, arXiv 1707.01495): another training task, never a held-out one, that the actions of a failed episode
   * would have solved; all but its goal is as in the first task. Null where there is none. Absent where a reached state
   * cannot be a goal under these settings.
   */
  hindsight?(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): Int32Array | null;
  /**
   * Right answer to a task, as the tokens of an action, its stop token included: to say it is to succeed. Null where a task has
   * none. Absent in a world where no action says a result.
   */
  answer?(task: Int32Array): readonly number[] | null;
  /** Cell that an answer names, where answers name the agent's cell; null if these tokens name none. */
  cellNamed?(answer: ArrayLike<number>): readonly [x: number, y: number] | null;
  /** Scenes to draw, replayed from a trajectory: one for the prompt and one after each turn. */
  scenes?(task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>): readonly Scene[];
  createWorld(slots: number): WorldSlots;
  /** True if it has an expert, where this thread only knows what the environment is like; absent where it plays here. */
  readonly hasExpert?: boolean;
  /** Whom to ask for play, where this thread only knows what the environment is like; absent where it plays here. */
  readonly elsewhere?: Elsewhere;
}

export interface Writing {
  /** Text of a prompt's tokens. */
  begun(tokens: readonly number[]): string;
  /** Text of tokens that follow others. */
  textOf(tokens: readonly number[]): string;
  /** Tokens of a text as an action: up to its end, and no more of them than an action has. */
  typed(text: string): readonly number[];
  /** End of an action, as an expression that JavaScript and Python read alike: behind its first match. */
  readonly end: string;
}

/** Measures of a world in which the policy writes texts. */
export interface TextWorld {
  /** Texts that nobody asks for, from the token that begins a text on: what a policy forgets shows in them. */
  ordinary(): Promise<readonly (readonly number[])[]>;
  /** World in which another listener asks for the same in other words; sizes and legal sets stay. Absent where nobody asks. */
  other?(): Environment;
  /** Reads the action of a turn, from 0. */
  read(task: Int32Array, turn: number, action: ArrayLike<number>): TextReading;
}

export interface TextReading {
  /** True where it holds what was asked for; absent, as the next, where a world does not say. */
  readonly takesUp?: boolean;
  /** True where it begins with the words of who asked. */
  readonly saysBack?: boolean;
  /** Share of its words that it had said before, 0 … 1; NaN without a word. */
  readonly repeated: number;
}

/** An episode as its tokens, each with the number of its role. */
export interface PlayedTokens {
  readonly task: Int32Array;
  readonly tokens: ArrayLike<number>;
  readonly roles: ArrayLike<number>;
}

/** One episode to look at, as exhibit.ts plays it; without tokens where it could not be played. */
export interface Exhibit extends Omit<PlayedTokens, 'task'> {
  readonly scenes: readonly Scene[];
  /** Kinds of scenes of the environment; several in a mixture. */
  readonly kinds: readonly Scene['kind'][];
}

/** Play of an environment in another thread. What goes wrong in a world is told as its picture. */
export interface Elsewhere {
  exhibit(): Promise<Exhibit>;
  /** Scenes of an episode. A board that asks for another one before the answer gets null here. */
  scenes(board: string, episode: PlayedTokens): Promise<readonly Scene[] | null>;
  /** Success rate of the random policy; null where nothing tells it. */
  randomSuccess(): Promise<number | null>;
  /** Play of an environment that has this one among its parts. */
  within(id: string, settings: EnvironmentSettings): Elsewhere;
}

export interface MixturePart {
  /** Id of the part's definition. */
  readonly id: string;
  readonly environment: Environment;
  /** Weight of the part's tasks in the draw. */
  readonly weight: number;
}

export interface WorldSlots {
  /** Starts the slot's episode on a task and emits the prompt. */
  reset(slot: number, task: Int32Array, emission: Emission): void;
  /** Legal set of the slot's next action in its present state; 0 for all words. */
  legalSet(slot: number): number;
  /** True if the slot's next action is drawn among all words, the illegal ones too; absent where it never is. */
  isFree?(slot: number): boolean;
  /** Largest number of tokens of the slot's next action; absent where it is always the environment's maxActionTokens. */
  maxActionTokens?(slot: number): number;
  /** True if thoughts come before the slot's next action; absent where they always do if the environment has any. */
  hasThoughts?(slot: number): boolean;
  /**
   * Announces the slot's next action before any slot is stepped, so that a world that pays for each question can ask for a
   * whole batch at once. It changes nothing that can be seen.
   */
  expect?(slot: number, action: ArrayLike<number>): void;
  /** Applies an action (tokens without trailing garbage); emits observations or warnings. */
  step(slot: number, action: ArrayLike<number>, emission: Emission): void;
  isDone(slot: number): boolean;
  /** Total reward of the episode so far. */
  reward(slot: number): number;
  isSuccess(slot: number): boolean;
  /** The scripted expert's next action in the slot's present state: tokens, its stop token included. */
  expert?(slot: number): readonly number[];
  /** The expert's thoughts before that action, the token that ends them included; absent where it thinks of nothing. */
  thinks?(slot: number): readonly number[];
  /**
   * Entropy of the last step's emission given all tokens before, nats: the exact floor of the observation cross-entropy. NaN
   * where it cannot be computed; 0 for a deterministic world whose state follows from the tokens.
   */
  entropyFloor?(slot: number): number;
  /** Progress of the episode, 0 … 1: the potential of potential-based shaping. */
  progress?(slot: number): number;
}
