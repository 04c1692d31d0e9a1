/** The critic's head as dispatches; formulas are in the shaders of the same names. */
import type { Operations } from '../backend';
import { GRADIENT_CHUNK } from '../layout';
import { ceilDivide, type Recorder } from './recorder';

export function valueHeadOperations(recorder: Recorder) {
  return {
    valueHead(value, hidden, rows, weight, bias) {
      recorder.threads('forward/value_head', rows.capacity, {
        tensors: { value, hidden, weight, bias },
        rows,
        params: { width: weight.shape[0] as number },
      });
    },

    valueHeadBackward(dHidden, partials, dValue, hidden, rows, weight, bias) {
      const width = weight.shape[0] as number;
      const chunks = ceilDivide(rows.sequences, GRADIENT_CHUNK);
      recorder.threads('backward/value_head', chunks * width, {
        tensors: { dHidden, partials, dValue, hidden, weight, bias },
        rows,
        params: { chunkStride: weight.tensor.stride, width },
      });
    },
  } satisfies Partial<Operations>;
}
