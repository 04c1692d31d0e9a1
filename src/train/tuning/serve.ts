/** Fine-tuning in a Worker of the page: what it would take is told first, and it may be stopped between two updates. */

import { damaged } from '../../llama/folder';
import { readWithAdapter } from '../../llama/model';
import { openPacked, packModel } from '../../llama/packed';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { zipOf } from '../policies/zipped';
import { lackInBrowser, sizeOf } from '../run/choose/weigh';
import type { SavedFolder, TuneNews, TuneRequest } from './news';
import { planTuning, type Tuned, type TunePlan, tune, tunedFolder } from './tune';

/** Examinations of a training, about. */
const EXAMINATIONS = 20;

let isStopped = false;

/** Ends the training after the update in flight, with what was learned by then. */
export function stopTuning(): void {
  isStopped = true;
}

/** `begins`: it is trained too, not only planned. has: GiB that the browser says the machine has at least, if it says so. */
export async function serveTuning(
  { base, texts, settings }: TuneRequest,
  begins: boolean,
  post: (news: TuneNews) => void,
  has?: number,
): Promise<void> {
  isStopped = false;
  const folder = await openPacked(base);
  if (folder === null) throw damaged('The file holds no folder of a model.');
  const model = await readWithAdapter(folder);
  const bytes = new Uint8Array(await texts.arrayBuffer());
  const plan = await planTuning(folder, model, { name: texts.name, bytes }, settings, true);
  const lack = lackInBrowser(plan.memory, has);
  const { learned, examined, cut } = plan;
  post({ kind: 'planned', learned: learned.length, examined: examined.length, cut, memory: sizeOf(plan.memory, lack) });
  if (!begins) return;
  if (lack !== null) throw lack;
  const tuned = await tune(plan, await createCpuBackend(), {
    learned: (update, loss) => post({ kind: 'learned', update, loss }),
    examined: (update, loss) => post({ kind: 'examined', update, loss }),
    examineEvery: Math.ceil(settings.updates / EXAMINATIONS),
    // A message that stops it arrives meanwhile.
    goesOn: () => new Promise((resolve) => setTimeout(() => resolve(!isStopped))),
  });
  post(await newsOf(plan, tuned, texts.name));
}

const saveFolder = async (name: string, files: Parameters<typeof zipOf>[1]): Promise<SavedFolder> => ({
  name: `${name}.zip`,
  file: new Blob([await zipOf(name, files)]),
});

async function newsOf(plan: TunePlan, tuned: Tuned, on: string): Promise<TuneNews> {
  const { updates, before, after } = tuned;
  const name = `${plan.folder.name} tuned on ${on}`;
  const whole = await tunedFolder(plan, tuned, { merge: true, below: plan.folder.name });
  const blobs = Object.fromEntries(Array.from(whole, ([file, bytes]) => [file, new Blob([bytes])]));
  const folders: SavedFolder[] = [await saveFolder(name, whole)];
  if (plan.model.configuration.adapters !== undefined) {
    const adapter = await tunedFolder(plan, tuned, { merge: false, below: plan.folder.name });
    folders.push(await saveFolder(`${name}, adapter`, adapter));
  }
  return { kind: 'done', updates, before, after, model: packModel(name, blobs), folders };
}
