/** `lab check` of a model's folder, and of files about the model that comes with the lab. */
import { join } from 'node:path';
import { checkFolder } from '../../check/llama/folder';
import { storiesCheck } from '../../check/llama/stories';
import type { CaseReport } from '../../check/run';
import { findModel } from '../../experiment/models';
import type { Backend } from '../../tensor/backend';
import { modelFolder, shippedModel } from './disk';

const ADAPTER = 'adapter';

type Run = (open: () => Promise<Backend>) => Promise<CaseReport[]>;

/** True for a folder with a model and its expected numbers. */
export async function expectsNumbers(path: string): Promise<boolean> {
  const folder = modelFolder(path);
  return (await folder.open('config.json')) !== null && (await folder.open('expected.json')) !== null;
}

/** Checks a model, and an adapter in a folder of it, against the folder's expected numbers. */
export async function checkModelFolder(open: () => Promise<Backend>, path: string): Promise<CaseReport[]> {
  const folder = modelFolder(path);
  const adapter = modelFolder(join(path, ADAPTER));
  const hasAdapter = (await adapter.open('adapter_config.json')) !== null;
  return checkFolder(open, folder, hasAdapter ? adapter : null);
}

/** Check of a file about stories260K; null for any other text. */
export function modelCheck(name: string, text: string): Run | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const check = storiesCheck(name, json);
  const model = findModel('stories260k');
  return check === null || model === undefined ? null : (open) => check(open, shippedModel(model));
}
