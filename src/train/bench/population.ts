/**
 * Cost of more members: whole updates of one arm with 1, 4 and 16 seeds, on the backend as the lab uses it (on the CPU that
 * is a pool of Workers).
 */
import type { Experiment } from '../../experiment/experiment';
import type { Training } from '../population/training';
import type { PopulationReport } from './report';
import { timeUpdates } from './update';

export const POPULATIONS = [1, 4, 16];

export async function benchPopulation(
  experiment: Experiment,
  open: (experiment: Experiment) => Promise<Training>,
  { updates, populations }: { updates: number; populations: readonly number[] },
  say: (text: string) => void,
): Promise<PopulationReport> {
  const [arm] = experiment.arms;
  const measured: { members: number; seconds: number; tokensPerSecond: number }[] = [];
  for (const members of populations) {
    say(`${members} members`);
    const arms = arm === undefined ? [] : [arm];
    const training = await open({ ...experiment, arms, seeds: members, diagnosticsEvery: 0, timeline: [] });
    try {
      await training.prepare();
      const { seconds, tokens } = await timeUpdates(training, { seconds: Number.POSITIVE_INFINITY, most: updates });
      measured.push({ members, seconds, tokensPerSecond: tokens / seconds });
    } finally {
      training.dispose();
    }
  }
  const fewest = measured[0];
  const perMember = (fewest?.seconds ?? Number.NaN) / (fewest?.members ?? 1);
  return {
    subject: 'population',
    experiment: experiment.preset,
    rows: measured.map((row) => ({ ...row, relative: row.seconds / perMember })),
  };
}
