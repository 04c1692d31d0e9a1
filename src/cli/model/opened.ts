/** Folder of a language model on the command line: `--model DIR`. */
import type { BaseModel } from '../../experiment/models';
import type { ModelFolder } from '../../llama/folder';
import { folderOf, openFolder } from '../../train/policies/models';
import { modelFolder, shippedModel } from './disk';
import { rememberModel } from './named';

/** The model, from now on known here; null where none is named. */
export async function openedModel(path: string | undefined): Promise<BaseModel | null> {
  rememberModel(path);
  return path === undefined ? null : (await openFolder(modelFolder(path))).model;
}

/** Folder of a model that policies begin from. */
export const folderOfModel = (model: BaseModel): ModelFolder => folderOf(model.id) ?? shippedModel(model);
