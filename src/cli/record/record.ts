/**
 * `npm run record -- [--episodes] PRESET …`: trains unchanged presets on the CPU backend, and writes their results to
 * src/store/recorded. The page draws them behind the charts, and judges a finished run of the preset by them. With `--episodes`,
 * episodes and dreams of a recorded run's first seed, for a first visit: trained once more, alone, which changes none of its numbers.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { MOST_POINTS, type SharedResult } from '../../experiment/conclude/result';
import { areaUnderCurve } from '../../experiment/conclude/statistics';
import type { Experiment } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { findPreset } from '../../experiment/presets/presets';
import { LabError } from '../../foundation/errors';
import { MetricHistory } from '../../measured/history';
import { type RecordedEpisode, type RecordedEpisodes, recordEpisode } from '../../measured/recordedEpisodes';
import { resultOf } from '../../measured/sentResult';
import { chooseNodeBackend } from '../../node/backend';
import { isPoolThread, servePoolThread, threadPool } from '../../node/poolThread';
import type { EpisodeView } from '../../train/looks/shown';
import type { Training } from '../../train/population/training';
import { machineOf, openTraining } from '../../train/run/choose/opening';
import { RECORDED } from './recorded';

/** Shares of the run from which on episodes are recorded: close together where most is learned. */
const MOMENTS = [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
/** Updates recorded of each moment, one task an update. */
const TOGETHER = 3;
const SEED = 0;

function experimentOf(id: string): Experiment {
  const experiment = findPreset(id)?.experiment;
  if (experiment === undefined)
    throw new LabError('invalid-experiment', `There is no preset “${id}”.`, 'See lab list.');
  return experiment;
}

interface Recorded {
  readonly history: MetricHistory;
  readonly adapter: string;
  readonly machines: readonly MachineEntry[];
}

/** Trains to the end. `watched`: called with the episodes of the updates that it asks for, before the next update. */
async function train(
  id: string,
  experiment: Experiment,
  seeds: readonly number[],
  watched?: { updates: readonly number[]; take(training: Training, episodes: EpisodeView[]): Promise<void> },
): Promise<Recorded> {
  const members = experiment.arms.length * seeds.length;
  const opened = await openTraining(experiment, {
    choose: () => chooseNodeBackend('cpu', threadPool(members, undefined, new URL(import.meta.url))),
    members: { seeds },
    snapshot: null,
    detail: () => {},
  });
  const { training, chosen } = opened;
  const machines = [machineOf(opened)];
  const history = new MetricHistory(experiment.arms.length, seeds.length);
  try {
    while (training.finished < experiment.updates) {
      const update = training.finished;
      const isWatched = watched?.updates.includes(update) === true;
      const { metrics, episodes } = await training.runUpdate(isWatched ? { seed: SEED, group: 0 } : undefined);
      history.append(update, 1, members, Float32Array.from(await metrics));
      if (isWatched) await watched.take(training, (await episodes) ?? []);
      process.stderr.write(`\r${id}: ${training.finished} of ${experiment.updates} updates`);
    }
  } finally {
    training.dispose();
  }
  process.stderr.write('\n');
  return { history, adapter: chosen.adapter, machines };
}

async function recordResult(id: string): Promise<void> {
  const experiment = experimentOf(id);
  const { history, adapter, machines } = await train(
    id,
    experiment,
    Array.from({ length: experiment.seeds }, (_, seed) => seed),
  );
  await mkdir(RECORDED, { recursive: true });
  const draw = await resultOf(experiment, history, adapter, '', machines);
  await writeFile(`${RECORDED}/${id}.json`, `${JSON.stringify(draw(MOST_POINTS))}\n`);
}

async function recordEpisodes(id: string): Promise<void> {
  const experiment = experimentOf(id);
  const tasks: RecordedEpisode[][] = [];
  const last = experiment.updates - TOGETHER;
  const firsts = MOMENTS.map((share) => Math.round(share * last));
  const updates = firsts.flatMap((first) => Array.from({ length: TOGETHER }, (_, i) => first + i));
  const { history } = await train(id, experiment, [SEED], {
    updates,
    async take(training, episodes) {
      const dreams = await training.dream({ id: tasks.length, sampling: 'greedy', episodes });
      tasks.push(
        episodes.flatMap((episode) =>
          dreams.filter(({ arm }) => arm === episode.arm).map((dream) => recordEpisode(episode, dream)),
        ),
      );
    },
  });
  const area = experiment.arms.map((_, arm) => areaUnderCurve(history.curve(arm, 0, 'successRate')));
  const result = JSON.parse(await readFile(`${RECORDED}/${id}.json`, 'utf8')) as SharedResult;
  if (result.arms.some((arm, index) => arm.area[SEED] !== area[index])) {
    throw new LabError('internal', `“${id}” gave other numbers than those recorded.`, 'Record its result again.');
  }
  // Moments close together share updates.
  const moments = firsts.map((first) =>
    tasks.filter(([episode]) => episode !== undefined && episode.update >= first && episode.update < first + TOGETHER),
  );
  const recorded: RecordedEpisodes = { seed: SEED, area, moments };
  await mkdir(`${RECORDED}/episodes`, { recursive: true });
  await writeFile(`${RECORDED}/episodes/${id}.json`, `${JSON.stringify(recorded)}\n`);
}

if (isPoolThread()) servePoolThread();
else {
  const ids = process.argv.slice(2).filter((argument) => argument !== '--episodes');
  const record = process.argv.includes('--episodes') ? recordEpisodes : recordResult;
  for (const id of ids) await record(id);
}
