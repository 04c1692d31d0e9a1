/**
 * One file a run: an experiment of one arm, as the link that reproduces it, and what came of each of its seeds. Everything
 * that was tried is kept, and what a file already has is never trained again.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Experiment } from '../../experiment/experiment';
import { decodeLink } from '../../experiment/link';

/** Fields of a link, in order; a preset among them. */
export type Fields = Readonly<Record<string, string | number | boolean>>;

export interface Outcome {
  readonly seconds: number;
  /** Area under the success curve: mean success over all updates, that is over all episodes. */
  readonly area: number;
  /** Mean success of the last 20 updates. */
  readonly final: number;
  /** Success on held-out tasks before the last update, and with the tool taken away; null where there is none. */
  readonly heldOut: number | null;
  readonly toolOff: number | null;
  /** Means over twentieths of the run. */
  readonly success: readonly number[];
  readonly crossEntropy: readonly (number | null)[];
  /** Probes over updates, where they were asked for. */
  readonly probes?: readonly ProbedOutcome[];
}

export interface ProbedOutcome {
  readonly update: number;
  /** Share of cells read rightly after the action and after the answer, and effective rank, layer by layer. */
  readonly action: readonly number[];
  readonly answer: readonly number[];
  readonly rank: readonly number[];
}

/** Runs that a file is to have. */
export interface Wanted {
  /** Path below the folder, without `.json`; says what it is for. */
  readonly name: string;
  readonly fields: Fields;
  readonly seeds: readonly number[];
  /** Updates from one fitting of probes to the next; absent: none. */
  readonly probeEvery?: number;
}

export interface Kept {
  readonly link: string;
  readonly device: string;
  readonly seeds: Readonly<Record<string, Outcome>>;
}

export function linkOf(fields: Fields): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
}

export function experimentOf(fields: Fields): Experiment {
  return decodeLink(linkOf(fields));
}

/** All files below a folder that were asked for so far. */
export class Ledger {
  readonly #folder: string;
  readonly #kept = new Map<string, Kept>();
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Contents of a file; empty if there is none. A file of another experiment is refused. */
  async read({ name, fields }: Pick<Wanted, 'name' | 'fields'>): Promise<Kept> {
    const known = this.#kept.get(name) ?? (await this.#load(name)) ?? { link: linkOf(fields), device: '', seeds: {} };
    if (known.link !== linkOf(fields)) {
      throw new Error(`${this.#path(name)} is of another experiment: ${known.link} instead of ${linkOf(fields)}.`);
    }
    this.#kept.set(name, known);
    return known;
  }

  /** Seeds in all files read so far. */
  get outcomes(): number {
    return [...this.#kept.values()].reduce((sum, { seeds }) => sum + Object.keys(seeds).length, 0);
  }

  /** Devices that they ran on, each once. */
  get devices(): string[] {
    return [...new Set(Array.from(this.#kept.values(), ({ device }) => device).filter((device) => device !== ''))];
  }

  async missing(wanted: Wanted): Promise<number[]> {
    const { seeds } = await this.read(wanted);
    return wanted.seeds.filter((seed) => seeds[seed] === undefined);
  }

  async add(wanted: Wanted, seed: number, device: string, outcome: Outcome): Promise<void> {
    const before = await this.read(wanted);
    const kept = { ...before, device, seeds: { ...before.seeds, [seed]: outcome } };
    this.#kept.set(wanted.name, kept);
    this.#writing = this.#writing.then(() => this.#write(wanted.name));
    await this.#writing;
  }

  async #load(name: string): Promise<Kept | undefined> {
    try {
      return JSON.parse(await readFile(this.#path(name), 'utf8')) as Kept;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw cause;
    }
  }

  /** Replaced at once, a line a seed: a run that is cut off leaves a whole file. */
  async #write(name: string): Promise<void> {
    const { link, device, seeds } = this.#kept.get(name) as Kept;
    const lines = Object.entries(seeds).map(([seed, outcome]) => `    "${seed}": ${JSON.stringify(outcome)}`);
    const head = `  "link": ${JSON.stringify(link)},\n  "device": ${JSON.stringify(device)},\n`;
    const path = this.#path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, `{\n${head}  "seeds": {\n${lines.join(',\n')}\n  }\n}\n`);
    await rename(`${path}.part`, path);
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
