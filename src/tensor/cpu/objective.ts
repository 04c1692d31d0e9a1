/** Recording of what is drawn from logits and of the first objective: sampling, advantages, the per-token objective. */
import type { Operations } from '../backend';
import type { Recorder } from './recorder';

type Objective = Pick<
  Operations,
  'sample' | 'continueAction' | 'groupAdvantage' | 'countRoles' | 'tokenObjective' | 'sumTerms'
>;

export function objectiveOperations(recorder: Recorder): Objective {
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

    continueAction(rows, picks, stopped, sampled, sampledLogProb, token, logProb, { step, stopToken, context }) {
      recorder.each((p) => {
        const count = recorder.count(picks, p);
        kernels.continueAction(
          recorder.at(rows.table, p),
          recorder.at(picks.table, p),
          count,
          recorder.at(stopped, p),
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

    groupAdvantage(advantage, zeroVariance, reward, hyper, { groups, groupSize }) {
      recorder.each((p) => {
        const [out, rewards] = [recorder.at(advantage, p), recorder.at(reward, p)];
        const share = kernels.groupAdvantage(out, rewards, groups, groupSize, recorder.at(hyper, p));
        recorder.setScalar(zeroVariance, p, share);
      });
    },

    countRoles(counts, rows, { accumulate }) {
      recorder.each((p) => {
        const table = recorder.at(rows.table, p);
        kernels.countRoles(recorder.at(counts, p), table, recorder.count(rows, p), accumulate);
      });
    },

    tokenObjective(dLogProb, dEntropy, terms, inputs, rows, part) {
      const isWorldModelOnly = part === 'world-model';
      recorder.each((p) => {
        kernels.tokenObjective(
          recorder.at(dLogProb, p),
          recorder.at(dEntropy, p),
          recorder.at(terms, p),
          recorder.at(inputs.logProb, p),
          recorder.at(inputs.oldLogProb, p),
          recorder.at(inputs.referenceLogProb, p),
          recorder.at(inputs.behaviourLogProb, p),
          recorder.at(inputs.entropy, p),
          recorder.at(inputs.advantage, p),
          recorder.at(inputs.counts, p),
          recorder.at(inputs.hyper, p),
          recorder.at(rows.table, p),
          recorder.count(rows, p),
          isWorldModelOnly,
        );
      });
    },

    sumTerms(sums, sequenceSums, terms, rows, { accumulate }) {
      recorder.each((p) => {
        kernels.sumTerms(
          recorder.at(sums, p),
          recorder.at(sequenceSums, p),
          recorder.at(terms, p),
          recorder.at(rows.start, p),
          rows.sequences,
          recorder.count(rows, p),
          accumulate,
        );
      });
    },
  };
}
