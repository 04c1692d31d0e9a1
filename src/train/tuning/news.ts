/** Messages about fine-tuning between the page and its Worker. */
import type { TuneSettings } from '../../experiment/tuning';
import type { Weighed } from '../run/choose/weigh';

export interface TuneRequest {
  /** Folder of the model, packed (llama/packed.ts). */
  readonly base: Blob;
  readonly texts: File;
  readonly settings: TuneSettings;
}

/** A folder as one file. */
export interface SavedFolder {
  readonly name: string;
  readonly file: Blob;
}

export type TuneNews =
  | {
      readonly kind: 'planned';
      /** Pieces of text that are learned, that only examine, and of both those that begin inside of a text. */
      readonly learned: number;
      readonly examined: number;
      readonly cut: number;
      readonly memory: Weighed;
    }
  /** Loss of an update's pieces before its step, nats a token. */
  | { readonly kind: 'learned'; readonly update: number; readonly loss: number }
  /** Loss of held-out pieces after so many updates. */
  | { readonly kind: 'examined'; readonly update: number; readonly loss: number }
  | {
      readonly kind: 'done';
      readonly updates: number;
      readonly before: number | null;
      readonly after: number | null;
      /** The whole model, packed; adapters are merged into it. */
      readonly model: File;
      /** The same zipped, and the adapter alone where one was trained. */
      readonly folders: readonly SavedFolder[];
    };
