/** Drawing tokens as dispatches; formulas are in the shaders of the same names. */
import type { SamplingOperations } from '../operations/sampling';
import { optimiserOperations } from './optimiserOperations';
import type { Recorder } from './recorder';

export function samplingOperations(recorder: Recorder): SamplingOperations {
  return {
    sample(token, logProb, logits, picks, legalSets, hyper, key, seedIndex, vocabulary) {
      recorder.threads('decoding/sample', picks.capacity, {
        tensors: { token, logProb, logits, legalSets, hyper, key, seedIndex },
        rows: picks,
        params: { vocabulary },
      });
    },

    continueAction(
      rows,
      picks,
      left,
      sampled,
      sampledLogProb,
      token,
      logProb,
      { step, stopToken, context },
      stops = null,
    ) {
      recorder.threads('decoding/continue_action', picks.capacity, {
        tensors: {
          table: rows.table,
          picks: picks.table,
          count: picks.count,
          left,
          sampled,
          sampledLogProb,
          token,
          logProb,
          stops: stops ?? token,
        },
        params: { capacity: picks.capacity, step, stopToken, context, hasStops: stops === null ? 0 : 1 },
      });
      if (rows.count !== picks.count) optimiserOperations(recorder).copy(rows.count, picks.count);
    },
  };
}
