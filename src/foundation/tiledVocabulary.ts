/**
 * Least vocabulary for which a training pass stores no logits: log-probs and their gradient read the head tile by tile instead,
 * and the backward pass computes a tile's logits a second time. Losses that need all logits of a token are refused there.
 */
export const TILED_VOCABULARY = 8192;
