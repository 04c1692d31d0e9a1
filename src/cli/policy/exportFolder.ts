/** `lab export` of a member that began from a language model: a folder that Hugging Face's programs read. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BaseModel } from '../../experiment/models';
import { LabError } from '../../foundation/errors';
import type { MemberPolicy } from '../../train/policies/member';
import { FILE_FORMAT, modelFiles, weightsFile } from '../../train/policies/modelFiles';
import { unpackSafetensors } from '../../train/run/keep/safetensors';
import { codeOf, diskError, makeFolders, nodeDisk, replaceFile } from '../disk';
import { usage } from '../errors';
import { folderOfModel } from '../model/opened';

/** Function that writes the folder and gives its weights. Throws LabError where something else is in it. */
export function folderWriter(
  out: string,
  policy: MemberPolicy,
  base: BaseModel,
): Promise<() => Promise<{ readonly path: string; readonly bytes: Uint8Array }>> {
  return filesWriter(out, weightsFile(policy), () => modelFiles(policy, folderOfModel(base)));
}

/** Writer of a folder whose files `make` gives when it writes. weights: name of the file with the weights. */
export async function filesWriter(
  out: string,
  weights: string,
  make: () => Promise<ReadonlyMap<string, Uint8Array>>,
): Promise<() => Promise<{ readonly path: string; readonly bytes: Uint8Array }>> {
  await refuseOther(out, weights);
  return async () => {
    const files = await make();
    try {
      await makeFolders(nodeDisk, out);
      for (const [name, bytes] of files) await replaceFile(nodeDisk, join(out, name), bytes);
    } catch (cause) {
      throw diskError(out, cause);
    }
    return { path: join(out, weights), bytes: files.get(weights) as Uint8Array };
  };
}

/**
 * Refuses a folder that is neither empty nor written by this command: programs would read a model and an adapter
 * together as a third.
 */
async function refuseOther(out: string, weights: string): Promise<void> {
  const there = await nodeDisk.list(out).catch((cause: unknown): string[] => {
    if (codeOf(cause) === 'ENOENT') return [];
    throw diskError(out, cause);
  });
  if (there.length === 0 || (there.includes(weights) && (await isOurs(join(out, weights))))) return;
  const what = `There is a ${there[0]} in ${out}, and no ${weights} that the lab wrote.`;
  throw usage(what, 'Choose another folder, or delete that one first.');
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const { format, member, tuned } = unpackSafetensors(await readFile(path)).metadata;
    return format === FILE_FORMAT && (member ?? tuned) !== undefined;
  } catch (cause) {
    if (cause instanceof LabError) return false;
    throw cause;
  }
}
