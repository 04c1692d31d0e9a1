/**
 * Folder of a run: the one that was named, or the next free one below lab-runs/, so two runs never share one. Files are
 * replaced whole: if the process is killed, the old or the new file is there.
 */
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LabError } from '../foundation/errors';
import { type Checkpoint, decodeCheckpoint } from '../train/run/checkpoint';

type FileName = 'checkpoint.safetensors' | 'result.json';

export class RunFolder {
  /** True if the user named it; the result is then saved there too. */
  readonly named: boolean;
  readonly #base: string;
  readonly #written = new Set<FileName>();
  #path: string | null;

  private constructor(path: string | null, base: string) {
    this.named = path !== null;
    this.#path = path;
    this.#base = base;
  }

  static at(path: string): RunFolder {
    return new RunFolder(path, path);
  }

  /** `base`, `base-2`, `base-3` …: the first that does not exist, made when it is first written to. */
  static free(base: string): RunFolder {
    return new RunFolder(null, base);
  }

  /** Path; null until the folder is chosen. */
  get path(): string | null {
    return this.#path;
  }

  has(name: FileName): boolean {
    return this.#written.has(name);
  }

  async open(): Promise<string> {
    this.#path ??= await claim(this.#base);
    await mkdir(this.#path, { recursive: true });
    return this.#path;
  }

  async save(name: FileName, data: string | Uint8Array): Promise<void> {
    const path = await this.open();
    const draft = join(path, `.${name}.${process.pid}`);
    await writeFile(draft, data);
    await rename(draft, join(path, name));
    this.#written.add(name);
  }

  /** Removes what was written, and the folder if nothing else is in it. */
  async discard(): Promise<void> {
    if (this.#path === null) return;
    for (const name of this.#written) await rm(join(this.#path, name), { force: true });
    await rmdir(this.#path).catch(() => {});
  }
}

async function claim(base: string): Promise<string> {
  await mkdir(join(base, '..'), { recursive: true });
  for (let number = 1; ; number++) {
    const path = number === 1 ? base : `${base}-${number}`;
    try {
      await mkdir(path);
      return path;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
  }
}

/** Checkpoint in a run's folder. Throws LabError if there is none that can be read. */
export async function readCheckpoint(directory: string): Promise<Checkpoint> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(join(directory, 'checkpoint.safetensors'));
  } catch (cause) {
    const what = `There is no checkpoint in ${directory}.`;
    throw new LabError('invalid-experiment', what, 'Name the folder that an interrupted run left.', { cause });
  }
  return decodeCheckpoint(bytes);
}
