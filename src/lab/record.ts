/**
 * `npm run record -- PRESET …`: trains presets as they are, on the CPU backend, and writes their results to
 * src/store/recorded. The page draws them behind the charts, and judges a finished run of the preset by them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { findPreset } from '../experiment/presets';
import { MOST_POINTS } from '../experiment/result';
import { LabError } from '../foundation/errors';
import { MetricHistory } from '../store/history';
import { resultOf } from '../store/sentResult';
import { openTraining } from '../train/run/opening';
import { chooseNodeBackend } from './nodeBackend';
import { isPoolThread, servePoolThread, threadPool } from './poolThread';

const FOLDER = 'src/store/recorded';

async function record(id: string): Promise<void> {
  const experiment = findPreset(id)?.experiment;
  if (experiment === undefined)
    throw new LabError('invalid-experiment', `There is no preset “${id}”.`, 'See lab list.');
  const { arms, seeds, updates } = experiment;
  const members = arms.length * seeds;
  const { training, chosen } = await openTraining(experiment, {
    choose: () => chooseNodeBackend('cpu', threadPool(members, undefined, new URL(import.meta.url))),
    snapshot: null,
    detail: () => {},
  });
  const history = new MetricHistory(arms.length, seeds);
  try {
    while (training.finished < updates) {
      const update = training.finished;
      const { metrics } = await training.runUpdate();
      history.append(update, 1, members, Float32Array.from(await metrics));
      process.stderr.write(`\r${id}: ${training.finished} of ${updates} updates`);
    }
  } finally {
    training.dispose();
  }
  process.stderr.write('\n');
  await mkdir(FOLDER, { recursive: true });
  const draw = await resultOf(experiment, history, chosen.adapter);
  await writeFile(`${FOLDER}/${id}.json`, `${JSON.stringify(draw(MOST_POINTS))}\n`);
}

if (isPoolThread()) servePoolThread();
else for (const id of process.argv.slice(2)) await record(id);
