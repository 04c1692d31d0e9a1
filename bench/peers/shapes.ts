/**
 * Shapes of the training step that is compared with peers: a pre-norm GPT, tanh-form GELU, cross-entropy of every token
 * after the first, Adam. Tokens are drawn once, from a fixed stream, and never change, so the loss must fall.
 */
import { RandomStream } from '../../src/foundation/philox';
import type { PolicyConfiguration } from '../../src/policy/configuration';

export interface Shape {
  readonly policy: PolicyConfiguration;
  readonly batch: number;
}

const policy = (width: number, layers: number, context: number): PolicyConfiguration => ({
  width,
  layers,
  context,
  heads: 4,
  vocabulary: 128,
  positions: 'learned',
  activation: 'gelu',
  initialisation: 'normal',
  initialScale: 0.05,
});

export const SHAPES: Readonly<Record<'tiny' | 'small' | 'base', Shape>> = {
  tiny: { policy: policy(32, 1, 16), batch: 4 },
  small: { policy: policy(64, 2, 64), batch: 16 },
  base: { policy: policy(128, 4, 128), batch: 16 },
};

export const LEARNING_RATE = 1e-3;

/** Tokens, [batch, context]. */
export function drawTokens({ policy: { context, vocabulary }, batch }: Shape): Uint32Array {
  const random = new RandomStream(7, 0, 0, 0, 0);
  return Uint32Array.from({ length: batch * context }, () => random.below(vocabulary));
}
