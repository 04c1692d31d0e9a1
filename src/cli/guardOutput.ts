/**
 * Files that a command must not write over: those it reads, those of its run, and those of another kind than it writes.
 * For every command that writes where a person said.
 */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, diskError } from './disk';
import { usage } from './errors';

/** A kind of file that a command writes. */
export interface OutputKind {
  /** Name in messages: “a policy that lab export wrote”. */
  readonly name: string;
  /** True where a file is of this kind, which may be written over. */
  isOne(path: string): Promise<boolean>;
}

/** Throws LabError if writing there would destroy one of `own`, or a file that is not of the kind; null for any kind. */
export async function guardOutput(path: string, own: readonly string[], kind: OutputKind | null): Promise<void> {
  const file = await stat(path).catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return null;
    throw diskError(path, cause);
  });
  // Pipes and devices are written into, and destroyed by nothing; a folder is refused where it is opened.
  if (file !== null && !file.isFile()) return;
  const place = await placeOf(path);
  for (const kept of own) {
    if ((await placeOf(kept)) !== place) continue;
    throw usage(`Writing ${path} would destroy what this command reads or keeps there.`, 'Choose another place.');
  }
  if (kind === null || file === null || file.size === 0 || (await kind.isOne(path))) return;
  throw usage(
    `There is a ${path} already, and it is not ${kind.name}.`,
    'Choose another file, or delete that one first.',
  );
}

/** Files that the arguments of an experiment may name. */
export function namedFiles(
  subject: string | undefined,
  {
    world,
    loss = [],
    policy = [],
  }: { world?: string | undefined; loss?: string[] | undefined; policy?: string[] | undefined },
): string[] {
  const losses = loss.map((one) => one.slice(one.indexOf('=') + 1));
  return [subject, world, ...losses, ...policy].filter((path) => path !== undefined);
}

/** Path without links, also of a file that is not there yet. */
const placeOf = (path: string): Promise<string> =>
  realpath(path).catch(async () => {
    const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
    return join(folder, basename(path));
  });
