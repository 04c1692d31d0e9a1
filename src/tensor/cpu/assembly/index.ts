/**
 * The exported kernels. Each does one operation for one member: addresses are bytes in linear memory, sizes are counts.
 * The host allocates above heapBase(); nothing here allocates.
 */
export { attention, attentionProbabilities } from './attention';
export { attentionBackward } from './attentionBackward';
export { fusedLogProb, fusedLogProbBackward, fusedScratch } from './fusedLogProb';
export { layerNorm, layerNormBackward } from './layerNorm';
export { linear, linearBackwardInput, linearScratch } from './linear';
export { linearBackwardWeight, linearWeightScratch } from './linearWeight';
export {
  addColumns,
  embedTied,
  embedTiedBackward,
  rmsNorm,
  rmsNormBackward,
  swiglu,
  swigluBackward,
  takeColumns,
} from './llama';
export { maskedLogProb, maskedLogProbBackward, sumOfSquares } from './logProb';
export { adamW, gradientNorm } from './optimiser';
export { add, copy, embed, embedBackward, fill, gatherRows, maxPosition, rotary, storeKeyValue } from './rows';
export { continueAction, sample } from './sample';

/** Address of the first free byte. */
export function heapBase(): usize {
  return __heap_base;
}
