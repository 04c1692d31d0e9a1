/**
 * The shape of a policy: a decoder-only, pre-norm transformer. All members of a population share one shape. The widths
 * the kernels rely on (multiples of 4) are checked here once.
 */
import { LabError } from '../foundation/errors';
import type { Activation } from '../tensor/backend';

export interface PolicyConfiguration {
  readonly layers: number;
  /** C, the residual stream. */
  readonly width: number;
  readonly heads: number;
  /** T, the longest trajectory in tokens. */
  readonly context: number;
  /** V, padded. */
  readonly vocabulary: number;
  readonly positions: 'learned' | 'rotary';
  readonly activation: Exclude<Activation, 'none'>;
  /** Choice of the initial weights' standard deviations (parameters.ts). */
  readonly initialisation: 'normal' | 'fan-in' | 'gpt-2';
  /** Standard deviation of the initial matrices and embeddings; only `normal` reads it. */
  readonly initialScale: number;
}

/** Hidden width of the feed-forward block, as in GPT-2: four times the residual stream. */
export const FEED_FORWARD_FACTOR = 4;

export function checkConfiguration(configuration: PolicyConfiguration): void {
  const { width, heads, vocabulary } = configuration;
  const headWidth = width / heads;
  const problem =
    width % 4 !== 0
      ? `A width of ${width} is not a multiple of 4.`
      : !Number.isInteger(headWidth) || headWidth % 4 !== 0
        ? `A width of ${width} does not divide into ${heads} heads of a multiple of 4.`
        : headWidth > 64
          ? `Heads of ${headWidth} are wider than 64.`
          : vocabulary % 4 !== 0
            ? `A vocabulary of ${vocabulary} is not a multiple of 4.`
            : null;
  if (problem !== null) throw new LabError('limits', problem, 'Choose another width or number of heads.');
}
