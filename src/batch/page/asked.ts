/** Messages between the page and the Worker that reads a batch. */
import type { Told } from '../words/told';

export type BatchRequest =
  | { readonly type: 'read'; readonly file: Blob; readonly name: string }
  | { readonly type: 'what-if'; readonly names: readonly string[] }
  | { readonly type: 'tokens'; readonly trajectory: number; readonly token: number; readonly count: number };

/** A token with what the batch says of it; NaN where it says nothing. */
export interface ShownToken {
  readonly text: string;
  readonly role: string;
  readonly numbers: Readonly<Record<string, number>>;
}

export interface ShownTokens {
  readonly trajectory: number;
  readonly line: number;
  readonly length: number;
  readonly from: number;
  /** The one that was asked for, which is among them. */
  readonly token: number;
  readonly tokens: readonly ShownToken[];
}

export type BatchEvent =
  | { readonly type: 'reading'; readonly bytes: number }
  | { readonly type: 'told'; readonly told: Told }
  | { readonly type: 'tokens'; readonly shown: ShownTokens }
  | { readonly type: 'failed'; readonly what: string; readonly advice: string };
