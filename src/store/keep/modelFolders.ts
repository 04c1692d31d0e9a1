/**
 * Folders of language models as one file each: opened by hand, kept in this browser, or of the lab's own models. Loaded when asked
 * for.
 */
import type { Experiment } from '../../experiment/experiment';
import type { BaseModel } from '../../experiment/models';
import { checkExperiment } from '../../experiment/parse';
import { forTexts } from '../../experiment/presets/worlds/words';
import { asLabError, LabError, withoutAdvice } from '../../foundation/errors';
import { openPacked, packModel } from '../../llama/packed';
import type { TrainerEvent, WorkerCommand } from '../../train/protocol';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';
import type { Models, TrainerReply } from './models';
import { fetchShipped } from './shippedPolicies';

/**
 * Folder of a model that policies can begin from. `opened`: folder of the reader's model. `whole`: with weights, which a model of the
 * lab is else without.
 */
export async function folderOf(model: BaseModel, opened: Blob | undefined, whole: boolean): Promise<Blob> {
  if (model.folder === '') {
    if (opened !== undefined) return opened;
    throw new LabError('missing-policy', `The folder of ${model.title} is not open here.`, 'Open it again.');
  }
  const paths = [...model.beside.map((name) => `${model.folder}/${name}`), ...(whole ? [model.file] : [])];
  const files = await Promise.all(paths.map(fetchShipped));
  return packModel(model.title, Object.fromEntries(files.map((file) => [file.name, file])));
}

/** Body of Models.open(). */
export async function openIn(models: Models, files: readonly File[], wantedId: string | undefined): Promise<void> {
  models.store.setState({ isReading: true, problem: null });
  try {
    const packed = packFolder(files);
    const id = await models.take(packed, wantedId);
    if (wantedId !== undefined && id !== wantedId) {
      const what = `The model in ${packed.name} has the SHA-256 ${id}, and the one that is asked for ${wantedId}.`;
      throw new LabError('invalid-policy', what, 'Choose the folder that the experiment was made with.');
    }
    models.beginHere(id);
    models.store.setState({ isReading: false });
  } catch (cause) {
    models.store.setState({ isReading: false, problem: asLabError(cause).message });
  }
}

/**
 * The experiment on screen with policies that begin from the model. Where its world has other words: an experiment in a world of
 * texts.
 */
export function fitting(models: Models, id: string): Experiment {
  const here = models.begun(id);
  return checkExperiment(here).problems.length === 0 ? here : models.begun(id, forTexts);
}

/** Body of Models.beginFromKept(). */
export async function beginFromKept(models: Models, file: File): Promise<boolean> {
  models.store.setState({ isReading: true, problem: null });
  try {
    const isModel = (await openPacked(file)) !== null;
    if (isModel) await models.begin(await models.take(file));
    models.store.setState({ isReading: false });
    return isModel;
  } catch (cause) {
    models.store.setState({ isReading: false, problem: asLabError(cause).message });
    return true;
  }
}

/** A folder that was opened by hand. */
export function packFolder(files: readonly File[]): File {
  return packModel(nameOf(files), Object.fromEntries(files.filter(isAtTop).map((file) => [file.name, file])));
}

/** Files in the folder itself, not in one below it. */
const isAtTop = ({ webkitRelativePath: path }: File): boolean => path.split('/').length <= 2;

const nameOf = ([first]: readonly File[]): string => first?.webkitRelativePath.split('/')[0] || 'a folder';

/** Answer of a Worker of its own, which ends with it. */
export function askWorker<T extends TrainerEvent['type']>(
  start: () => TrainerWorker,
  command: WorkerCommand,
  type: T,
): Promise<TrainerReply<T>> {
  return new Promise((resolve, reject) => {
    const bridge = new TrainerBridge(start, (event) => {
      if (event.type === type) resolve(event as TrainerReply<T>);
      else if (event.type === 'error')
        reject(new LabError(event.code, withoutAdvice(event.message, event.advice), event.advice));
      else return;
      bridge.close();
    });
    bridge.send(command);
  });
}
