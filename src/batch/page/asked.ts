/** Messages between the page and the Worker that reads a batch. */
import type { BatchSummary } from '../words/told';
import type { TokenPosition } from './pieces';
import type { Move, PageRow, ShownView } from './rows';

/** Files that were chosen together: of one batch, and the model's own. */
export interface ChosenFiles {
  readonly files: readonly File[];
  readonly tokenizer: File | null;
  readonly template: File | null;
}

export type BatchRequest =
  | ({ readonly type: 'read' } & ChosenFiles)
  /** Names of objectives; text of an own formula, empty for none. */
  | { readonly type: 'what-if'; readonly names: readonly string[]; readonly formula: string }
  /** `columns`: letters of a row; `top`: the row at the top, which stays there. */
  | { readonly type: 'lay'; readonly view: ShownView; readonly columns: number; readonly top: number }
  | { readonly type: 'rows'; readonly from: number; readonly to: number }
  | { readonly type: 'choose'; readonly place: TokenPosition }
  | { readonly type: 'move'; readonly by: Move }
  | { readonly type: 'find'; readonly text: string; readonly isBackwards: boolean };

/** The chosen token with its numbers from the batch; NaN for those it has not. */
export interface ChosenBatchToken extends TokenPosition {
  readonly row: number;
  readonly line: number;
  /** Tokens of the chosen token's trajectory. */
  readonly length: number;
  readonly text: string;
  readonly role: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** Rows that were laid out again have another `layout`. */
export interface Laid {
  readonly layout: number;
  readonly view: ShownView;
  readonly rows: number;
  /** Row that shows the content that was at the top of the former layout. */
  readonly top: number;
}

/** A row; of a group and of a trajectory’s head its words. */
export type ShownRow =
  | Extract<PageRow, { kind: 'tokens' }>
  | { readonly kind: 'group'; readonly words: string }
  | { readonly kind: 'head'; readonly trajectory: number; readonly words: string };

export interface ShownRows {
  readonly layout: number;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly ShownRow[];
}

export type BatchEvent =
  | { readonly type: 'reading'; readonly bytes: number }
  | { readonly type: 'told'; readonly told: BatchSummary }
  | { readonly type: 'laid'; readonly laid: Laid }
  | { readonly type: 'rows'; readonly shown: ShownRows }
  /** Token of the answer; null where a text was looked for and not found. */
  | { readonly type: 'chosen'; readonly chosen: ChosenBatchToken | null }
  | { readonly type: 'failed'; readonly what: string; readonly advice: string };
