/** Questions to the Worker in which a world is tried while it is written, and its answers. */
import type { Role } from '../../../foundation/roles';
import type { EnvironmentSettings, Scene, Split } from '../../environment';
import type { WorldReport } from '../check';
import type { Place } from '../failure';

export interface Tried {
  readonly text: string;
  readonly settings: EnvironmentSettings;
}

/** Choice of an episode's actions: those given alone, or further ones after them until it ends. */
export const PLAYERS = ['hand', 'random', 'expert'] as const;
export type Player = (typeof PLAYERS)[number];

export interface Episode {
  /** Number of the task. */
  readonly task: number;
  readonly split: Split;
  readonly player: Player;
  /** Actions to begin with, each as its words. They end where the world does not take one. */
  readonly actions: readonly (readonly string[])[];
}

export interface Said {
  readonly word: string;
  readonly role: Role;
}

/** An action and the world's answer; the first of an episode is the prompt, without an action. */
export interface PlayedTurn {
  readonly action: readonly string[] | null;
  readonly said: readonly Said[];
  /** Reward of the episode so far. */
  readonly reward: number;
  /** Exact floor of the answer's cross-entropy, nats; null where it is not known, and for the prompt. */
  readonly floor: number | null;
}

/** An error in words, and its place in the file. */
export interface Mistake extends Place {
  readonly text: string;
  /** True where a call used up its time or its memory. */
  readonly isExhausting: boolean;
}

export interface PlayedEpisode {
  readonly turns: readonly PlayedTurn[];
  /** One for each turn; fewer where the world draws no further. */
  readonly scenes: readonly Scene[];
  /** Words of the next action, and how many it may have; none once the episode is over. */
  readonly legal: readonly string[];
  readonly most: number;
  /** The expert's next action; null where there is none, or the episode is over. */
  readonly expert: readonly string[] | null;
  readonly hasExpert: boolean;
  readonly hasHeldOut: boolean;
  readonly maxTurns: number;
  readonly isDone: boolean;
  readonly isSuccess: boolean;
  /** The error that ended it before its end; null where none did. */
  readonly mistake: Mistake | null;
}

/** `id` counts the requests of a kind: only the answer to the last one is wanted. */
export type WorkshopRequest =
  | ({ readonly type: 'check'; readonly id: number } & Tried)
  | ({ readonly type: 'play'; readonly id: number; readonly episode: Episode } & Tried);

export type WorkshopAnswer =
  /** It can be read, and is being played: so many of all episodes. */
  | { readonly type: 'checking'; readonly id: number; readonly share: number }
  | { readonly type: 'checked'; readonly id: number; readonly report: WorldReport }
  | { readonly type: 'played'; readonly id: number; readonly played: PlayedEpisode }
  /** The world could not be made. */
  | { readonly type: 'unplayed'; readonly id: number; readonly mistake: Mistake }
  /** The sandbox could not be loaded, or a text held it up. */
  | { readonly type: 'failed'; readonly text: string; readonly isHeldUp: boolean };
