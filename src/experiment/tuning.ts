/** Settings of supervised fine-tuning, on the command line and on the page. */
export interface TuneSettings {
  readonly updates: number;
  /** Pieces of text in a step, and tokens of a piece at most. */
  readonly batch: number;
  readonly length: number;
  readonly learningRate: number;
  /** Rank of an adapter; 0 trains all weights. */
  readonly rank: number;
  readonly alpha: number;
  /** Share of the pieces that only examines. */
  readonly heldOut: number;
  readonly seed: number;
}

export const USUAL_TUNING: TuneSettings = {
  updates: 100,
  batch: 8,
  length: 128,
  learningRate: 3e-4,
  rank: 0,
  alpha: 16,
  heldOut: 0.1,
  seed: 0,
};
