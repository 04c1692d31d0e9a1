/** Argument checks of operations/logProb.ts. */
import type { LogProbOperations } from '../operations/logProb';
import type { ChecksOf } from './check';

export const LOG_PROB_CHECKS: ChecksOf<LogProbOperations> = {
  scatterRows() {},
  sumOfSquares() {},
  fusedLogProb() {},
  fusedLogProbBackward() {},
};
