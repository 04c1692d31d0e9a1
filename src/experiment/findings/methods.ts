/** Methods of all findings in words: one protocol, one rule. Counts and devices are taken from the findings themselves. */
import { percent } from '../../foundation/percent';
import { BOOTSTRAP_FROM, FINAL_UPDATES, RESAMPLES } from '../conclude/statistics';
import { MEASURES } from './claim';
import { DRAWS, LEVEL, OUTSIDE } from './finding';
import { RERUN_SEED } from './rerun';
import { type AnsweredClaim, spentInWords } from './told';

export interface MethodNote {
  readonly title: string;
  readonly text: string;
}

type Asked = Pick<AnsweredClaim, 'name' | 'claim' | 'finding'>;

const count = (value: number): string => value.toLocaleString('en');

export function methodsOf(asked: readonly Asked[]): MethodNote[] {
  const answered = asked.filter(({ finding }) => finding.comparisons !== null);
  const positive = answered.filter(({ finding }) =>
    finding.comparisons?.some(({ side, expected }) => side === expected),
  );
  const repeated = positive.filter(({ finding }) => finding.reruns.length > 0);
  const unrepeated = positive
    .filter((one) => !repeated.includes(one))
    .map(({ name }) => name)
    .join(', ');
  const measures = [...new Set(asked.map(({ claim }) => claim.measure))].map((id) => MEASURES[id].words);
  return [
    {
      title: 'Claims',
      text: `A claim is a file with a question, a measure, comparisons with the side on which each is expected, the smallest difference that counts, the number of seeds, and what would refute it. It is committed with its experiments before anything of it is run: the command trains nothing for a claim that is not committed as it stands, and notes the commit. A claim that was written later, or by somebody who knew other runs, says so. Nothing is judged before all of its runs are in, and every run that was recorded counts. So far ${answered.length} of ${asked.length} claims are answered.`,
    },
    {
      title: 'Seeds',
      text: 'A condition is one arm of an experiment, trained once a seed. A seed gives the first weights, the tasks and the dice. The same seed in two conditions means the same first weights where the policies have the same form and start, and the same tasks where the worlds and batches are the same.',
    },
    {
      title: 'Measures',
      text: `Each run gives one number. The claims use: ${measures.join('; ')}. The area under the success curve is the mean success over all updates, of the episodes that are trained on. “At the end” is the mean over the last ${FINAL_UPDATES} updates; examinations take place at some of them. Held-out tasks are those that the world sets aside: no update trains on them. An examination plays 64 tasks a seed; where it plays another number, 1,024 in the newer claims, the condition’s link says so.`,
    },
    {
      title: 'Test',
      text: `A permutation test of the difference of means, two-sided: the share of ways to deal the seeds out to the two conditions whose means differ at least as much. All ways are counted where there are at most ${count(DRAWS)} (8 seeds against 8: 12,870); otherwise ${count(DRAWS)} are drawn, and the observed one counts too.`,
    },
    {
      title: 'Correction',
      text: `Holm’s step-down correction, over all comparisons of a claim. Claims are not corrected against each other: where nothing differs, up to one claim in ${Math.round(1 / LEVEL)} still tells a difference.`,
    },
    {
      title: 'Intervals',
      text: `Each difference has two 95% intervals. Unpaired: Welch’s t, seeds taken as unrelated. Seed by seed: Student’s t of the differences of the same seed. Both stand beside each other because pairing may widen an interval as well as narrow it. Where the unit of a claim is a search, its searches are compared as well: each is one number an arm, the mean of its seeds, and a permutation test deals out searches. Bands of the figures are 95% intervals of the mean at each point alone: from ${BOOTSTRAP_FROM} seeds on the percentile bootstrap over seeds (${count(RESAMPLES)} resamples), below that Student’s t.`,
    },
    {
      title: 'Verdict',
      text: `One rule for all claims. Above or below: corrected p is under ${LEVEL}, and the difference is at least the smallest that counts. Alike: Welch’s interval lies within ± that difference, and one of the two conditions learned at least as much as it: its mean over the first twentieth of its runs, of the measure itself where it is examined with the tool up or down, and else of success in training. Where neither did, the comparison is at the floor and tells nothing; this was added after the runs, and five comparisons that had been called alike are there. Anything else is undecided. A comparison that came out on the side that was expected is supported; one that came out on another side is contradicted; one that is undecided or at the floor is not supported, which is no contradiction. What would refute a claim is written in it.`,
    },
    {
      title: 'Power',
      text: 'The detectable gap is that between two means which a t test at 5%, uncorrected, would tell from nothing in four experiments of five, with as many seeds of the spread that was found: (t + 0.84) · s · √(1/n + 1/m). It is computed after the runs, from their spread.',
    },
    {
      title: 'Reruns',
      text: `A rerun has seeds that no claim’s first runs used (drawn from ${RERUN_SEED} unless told otherwise), shared by claims with the same conditions, and has 8 seeds a condition (the first few had 4). Each comparison that a claim named for it before is judged by one number: its mean difference, seed by seed. It is reproduced if that lies in the ${percent(1 - OUTSIDE)} prediction interval of the first runs, mean ± t(n − 1) · s · √(1/n + 1/m), n seeds first and m again. Simulated, 9 of 10 reruns fall inside if differences are normal or uniform, and 84 to 96% if seeds are of two kinds, those that took off and those that did not. ${repeatedInWords(positive.length, repeated.length, unrepeated)} “Reproduced” is of the size: a gain that came out smaller or larger than the band is “not reproduced”, though it may be clear by itself, and one near nothing may lie inside a wide band.`,
    },
    {
      title: 'Device',
      text: `${spentInWords(asked.map(({ finding }) => finding))} Runs that several claims share count once. The CPU backend gives the same numbers to the bit on every machine; a GPU rounds otherwise, so that a run there is another sample of the same experiment.`,
    },
    {
      title: 'Limits of all',
      text: 'Worlds are small, policies have about 100,000 parameters at most (a storyteller that was trained before, 260,000), and each condition is one choice of settings. Intervals count seeds: not other worlds, sizes or settings. The claims were written and run by the makers of the lab. Nothing here says anything about large language models.',
    },
  ];
}

function repeatedInWords(positive: number, repeated: number, others: string): string {
  if (repeated === positive) return `All ${positive} claims of which something is supported have been run again.`;
  return `Of ${positive} claims of which something is supported, ${repeated} have been run again; nothing is known of the others (${others}) beyond their first seeds.`;
}
