import type { ObjectiveHost } from '../objective/host';
import type { LogProbOperations } from '../operations/logProb';

export function logProbOperations(_host: ObjectiveHost): LogProbOperations {
  return {
    scatterRows() {},
    sumOfSquares() {},
    fusedLogProb() {},
    fusedLogProbBackward() {},
  };
}
