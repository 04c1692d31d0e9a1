import type { LogProbOperations } from '../operations/logProb';
import type { Recorder } from './recorder';

export function logProbDispatches(_recorder: Recorder): LogProbOperations {
  return {
    scatterRows() {},
    sumOfSquares() {},
    fusedLogProb() {},
    fusedLogProbBackward() {},
  };
}
