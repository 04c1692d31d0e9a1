/** Questions to the Worker in which the page has users' worlds played, and its answers. */
import type { LabError } from '../../../foundation/errors';
import type { Role } from '../../../foundation/roles';
import type { EnvironmentSettings, Exhibit, PlayedTokens, Split } from '../../environment';
import type { Scene } from '../../scene';
import type { FileDescription } from '../described';
import type { WorldReport } from '../examine/check';
import type { WorldFacts } from '../examine/facts';
import type { SourcePosition } from '../examine/failure';

export interface TriedWorld {
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

export interface SaidWord {
  readonly word: string;
  readonly role: Role;
}

/** An action and the world's answer; the first of an episode is the prompt, without an action. */
export interface PlayedTurn {
  readonly action: readonly string[] | null;
  readonly said: readonly SaidWord[];
  /** Reward of the episode so far. */
  readonly reward: number;
  /** Exact floor of the answer's cross-entropy, nats; null where it is not known, and for the prompt. */
  readonly floor: number | null;
}

/** An error in words, and its place in the file. */
export interface WorldMistake extends SourcePosition, Pick<LabError, 'code' | 'advice'> {
  readonly text: string;
  /** True where a call used up its time or its memory. */
  readonly isExhausting: boolean;
}

/** A function of a world that is being called, in words: `step()`; with the line of its declaration where that is found. */
export interface WorldCall extends SourcePosition {
  readonly said: string;
}

export interface WorkshopEpisode {
  readonly turns: readonly PlayedTurn[];
  /** One for each turn; fewer where the world draws no further. */
  readonly scenes: readonly Scene[];
  /** True where an action is a text that one types: the one word of an action given here. */
  readonly isText: boolean;
  /** Words of the next action, and how many it may have; none once the episode is over, or where it is a text. */
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
  readonly mistake: WorldMistake | null;
}

/** An environment that is a user's world, or has one among its parts. */
export interface WorldSetup {
  /** The user's world, in the setting's words. */
  readonly world: string;
  readonly id: string;
  readonly settings: EnvironmentSettings;
}

/** Question to the Worker: texts and numbers. Its answers are data alone. */
export type WorkshopQuestion =
  | ({ readonly type: 'check' } & TriedWorld)
  | ({ readonly type: 'play'; readonly episode: Episode } & TriedWorld)
  /** Facts of the world. */
  | { readonly type: 'describe'; readonly world: string; readonly settings: EnvironmentSettings }
  | { readonly type: 'exhibit'; readonly place: WorldSetup }
  | { readonly type: 'draw'; readonly place: WorldSetup; readonly episode: PlayedTokens }
  /** Success rate of the random policy. */
  | { readonly type: 'guess'; readonly place: WorldSetup };

/** Tokenizer of a user's model: the contents of its two files. */
export interface SentTokenizer {
  readonly model: string;
  /** Pieces that the model computes with. */
  readonly count: number;
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
}

export type WorkshopRequest =
  | (WorkshopQuestion & { readonly id: number; readonly tokenizer?: SentTokenizer | undefined })
  /** End of all checks: no more of them is wanted. */
  | { readonly type: 'rest' };

/** Last answers; `id` is that of the request. */
export type WorkshopAnswer = { readonly id: number } & (
  | { readonly type: 'checked'; readonly report: WorldReport }
  | { readonly type: 'played'; readonly played: WorkshopEpisode }
  | {
      readonly type: 'described';
      /** Description, its settings without those that every world has. */
      readonly file: FileDescription;
      /** A mistake where these settings make no world. */
      readonly facts: WorldFacts | WorldMistake;
    }
  | { readonly type: 'exhibited'; readonly exhibit: Exhibit }
  | { readonly type: 'drawn'; readonly scenes: readonly Scene[] }
  | { readonly type: 'guessed'; readonly success: number | null }
  /** Mistake of a world that could not be made, or of a function that went wrong. */
  | { readonly type: 'mistaken'; readonly mistake: WorldMistake }
);

export type WorkshopEvent =
  | WorkshopAnswer
  /** Share of the episodes played, of a file that can be read. */
  | { readonly type: 'checking'; readonly id: number; readonly share: number }
  /** Beginning of work on a request, or of a call of this function for it: if no message follows, that call never ends. */
  | { readonly type: 'calls'; readonly id: number; readonly call: WorldCall | null }
  /** Pause of a request until its next message: other requests have their turn. */
  | { readonly type: 'waits'; readonly id: number }
  /** The sandbox could not be loaded. */
  | { readonly type: 'failed'; readonly text: string };
