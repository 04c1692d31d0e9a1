/** A kept run as a file that the page opens again as one that was sent, and other programs read. */
import { METRICS } from '../../../rl/measure/metrics';
import type { KeptRun } from '../../../storage/runs';
import type { KeptRuns } from '../../../store/keep/keptRuns';
import type { SharedFile } from './chartFiles';
import { dataJson } from './data';
import { fileName } from './names';
import { written } from './written';

/** File of a kept run; null where the run cannot be read, which the state of kept runs tells. */
export async function keptRunFile(kept: KeptRuns, run: KeptRun): Promise<SharedFile | null> {
  const read = await kept.read(run);
  if (read === null) return null;
  const { experiment, history, looks } = read;
  const about = { adapter: run.device, machines: run.machines, note: run.note };
  return {
    name: fileName(experiment.preset, 'json'),
    content: await written(dataJson(experiment, history, METRICS, looks, about)),
  };
}
