/** Recording of the operations that draw tokens. */
import type { SamplingOperations } from '../operations/sampling';
import type { CpuRecorder } from './recorder';

export function samplingOperations(recorder: CpuRecorder): SamplingOperations {
  const { kernels, memory } = recorder;
  return {
    sample(token, logProb, logits, picks, legalSets, hyper, key, seedIndex, vocabulary) {
      memory.needScratch(vocabulary);
      recorder.each(({ at, count, word }) => {
        kernels.sample(
          at(token),
          at(logProb),
          at(logits),
          at(picks.table),
          count(picks),
          at(legalSets),
          at(hyper),
          at(key),
          word(seedIndex),
          vocabulary,
          memory.scratch,
        );
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
      recorder.each(({ at, row, count, setWord }) => {
        const inUse = count(picks);
        kernels.continueAction(
          at(rows.table),
          at(picks.table),
          inUse,
          at(left),
          row(sampled, step, picks.capacity),
          row(sampledLogProb, step, picks.capacity),
          at(token),
          at(logProb),
          stopToken,
          context,
          at(stops),
        );
        setWord(rows.count, inUse);
      });
    },
  };
}
