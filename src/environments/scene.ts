/** Scenes of worlds, of which the page draws their boards. */
import type { WorldDrawing } from './own/drawing';

/**
 * Picture of a world at one moment, as data; the interface has a drawing for each kind. Texts are for people. `action` is
 * the agent's last action in words, null for the prompt.
 */
export type Scene = BoardScene | StoryScene | TapeScene | ShopScene | TerminalScene | DrawingScene;

/** Drawing of a world that somebody wrote, as data of that world. */
export interface DrawingScene {
  readonly kind: 'drawing';
  readonly drawing: WorldDrawing;
  /** Parts of the state that linear probes look for, as the world names them. */
  readonly probe?: Readonly<Record<string, string>>;
  readonly action: string | null;
}

/** Tokens of an episode that stand together, each as its text; a letter that several tokens make is the last one's. */
export interface WrittenTokens {
  /** Index of the first in the episode. */
  readonly from: number;
  readonly pieces: readonly string[];
}

/** A story, line by line. */
export interface StoryScene {
  readonly kind: 'story';
  readonly begins: WrittenTokens;
  readonly lines: readonly (WrittenTokens & {
    readonly who: 'listener' | 'agent';
    /** True for a line of the agent's that is paid for. */
    readonly counts: boolean;
  })[];
  /** Parts of the state that linear probes look for, in a user's world alone. */
  readonly probe?: Readonly<Record<string, string>>;
  readonly action: string | null;
}

export interface BoardScene {
  readonly kind: 'board';
  readonly width: number;
  readonly height: number;
  /** Contents of each cell, row by row. */
  readonly cells: readonly ('floor' | 'wall' | 'ice' | 'hole' | 'goal' | 'key' | 'door' | 'open-door' | 'target')[];
  readonly agent: readonly [x: number, y: number];
  readonly boxes: readonly (readonly [x: number, y: number])[];
  /** Thing that the agent carries. */
  readonly carrying: string | null;
  /** Directions that up, down, left and right really go, as their words with commas between, where controls are hidden; else null. */
  readonly controls: string | null;
  /** Parts of the state that linear probes look for, in a user's world alone. */
  readonly probe?: Readonly<Record<string, string>>;
  readonly action: string | null;
}

/** Picture of the calculator: a paper tape of the conversation. */
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
  /** Results as shown to the agent: texts and prices that it was not told are empty. */
  readonly results: readonly { readonly id: string; readonly text: string; readonly price: string }[];
  readonly item: {
    readonly id: string;
    readonly attributes: readonly string[];
    readonly options: readonly { readonly text: string; readonly isChosen: boolean }[];
    readonly price: string;
  } | null;
  /** Further buttons of this page: `next`, `back`, `buy`… */
  readonly buttons: readonly string[];
  /** Complaint of the shop, or null. */
  readonly complaint: string | null;
  /** Reward, 0 … 1, once bought. */
  readonly score: number | null;
  /** Text that was clicked, among those of the scene before. */
  readonly action: string | null;
}

export interface TerminalScene {
  readonly kind: 'terminal';
  readonly task: string;
  /** All lines so far, newest last: commands (after `prompt`), output, errors of the shell, warnings. */
  readonly lines: readonly {
    readonly kind: 'command' | 'output' | 'error' | 'warning';
    readonly prompt: string | null;
    readonly text: string;
  }[];
  /** The file system as paths, with a mark on those the task asks for. */
  readonly files: readonly {
    readonly path: string;
    readonly isDirectory: boolean;
    readonly isTarget: boolean;
    /** Content of a file, its lines joined by line breaks; empty for directories. */
    readonly text: string;
    /** `deleted`: since the beginning; `awaited`: asked for and not written yet. */
    readonly state: 'there' | 'deleted' | 'awaited';
  }[];
  /** The directory the agent is in. */
  readonly directory: string;
  /** True if the file system is as the task asks. */
  readonly isSolved: boolean;
  readonly action: string | null;
}
