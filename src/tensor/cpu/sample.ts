/** Recording of what is drawn from logits. */
import type { SamplingOperations } from '../operations/sampling';
import type { Recorder } from './recorder';

export function samplingOperations(recorder: Recorder): SamplingOperations {
  const { kernels, memory } = recorder;
  return {
    sample(token, logProb, logits, picks, legalSets, hyper, key, seedIndex, vocabulary) {
      memory.needScratch(vocabulary);
      recorder.each((p) => {
        kernels.sample(
          recorder.at(token, p),
          recorder.at(logProb, p),
          recorder.at(logits, p),
          recorder.at(picks.table, p),
          recorder.count(picks, p),
          recorder.at(legalSets, p),
          recorder.at(hyper, p),
          recorder.at(key, p),
          recorder.word(seedIndex, p),
          vocabulary,
          memory.scratch,
        );
      });
    },

    continueAction(rows, picks, left, sampled, sampledLogProb, token, logProb, { step, stopToken, context }) {
      recorder.each((p) => {
        const count = recorder.count(picks, p);
        kernels.continueAction(
          recorder.at(rows.table, p),
          recorder.at(picks.table, p),
          count,
          recorder.at(left, p),
          recorder.row(sampled, p, step, picks.capacity),
          recorder.row(sampledLogProb, p, step, picks.capacity),
          recorder.at(token, p),
          recorder.at(logProb, p),
          stopToken,
          context,
        );
        recorder.setWord(rows.count, p, count);
      });
    },
  };
}
