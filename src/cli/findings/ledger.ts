/**
 * Files of the recorded runs, one a run: the link that reproduces an experiment of one arm, and the outcome of each seed.
 * Every run is kept, and a seed that a file has is never trained again.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Experiment } from '../../experiment/experiment';
import { decodeLink } from '../../experiment/link/link';
import { LabError } from '../../foundation/errors';
import type { SteeringShares } from '../../rl/look/steering/measure';
import type { MetricName } from '../../rl/measure/metrics';

/** Fields of a link, in order; a preset among them. */
export type LinkFields = Readonly<Record<string, string | number | boolean>>;

export interface RunOutcome {
  readonly seconds: number;
  /** Area under the success curve: mean success over all updates, and so over all episodes. */
  readonly area: number;
  /** Mean success of the last 20 updates. */
  readonly final: number;
  /** Success before the last update on held-out tasks, and with the tool taken away; null if there are none. */
  readonly heldOut: number | null;
  readonly toolOff: number | null;
  /** Means over twentieths of the run. */
  readonly success: readonly number[];
  readonly crossEntropy: readonly (number | null)[];
  /** Probes over updates; absent unless asked for. */
  readonly probes?: readonly ProbedOutcome[];
  /** Other metrics, by name; absent unless asked for. */
  readonly watched?: Readonly<Partial<Record<MetricName, WatchedMetric>>>;
  /** Steering of the trained policy, by place and strength; absent unless asked for. */
  readonly steered?: readonly SteeringShares[];
}

/**
 * A metric of a run: its first value, and means over all updates, over the last 20 and over twentieths, each of the
 * updates that have it.
 */
export interface WatchedMetric {
  /** First value; absent in runs from before it was recorded. */
  readonly first?: number | null;
  readonly run: number | null;
  readonly end: number | null;
  readonly curve: readonly (number | null)[];
}

export interface ProbedOutcome {
  readonly update: number;
  /** Shares of cells that a probe reads correctly after the action and after the answer, and the effective rank, by layer. */
  readonly action: readonly number[];
  readonly answer: readonly number[];
  readonly rank: readonly number[];
}

/** Runs that a file should have, one a seed. */
export interface WantedRuns {
  /** Path below the folder, without `.json`. */
  readonly name: string;
  readonly fields: LinkFields;
  readonly seeds: readonly number[];
  /** Updates between two fittings of probes; absent for none. */
  readonly probeEvery?: number;
  /** Id of the one arm that is trained; absent where the link has no other. */
  readonly arm?: string;
  readonly watch?: readonly MetricName[];
  /** True to steer the trained policy. */
  readonly steers?: boolean;
}

export interface LedgerRuns {
  readonly link: string;
  readonly device: string;
  /** Commits that its seeds were trained at; absent where none was noted. */
  readonly commits?: readonly string[];
  /** Numerics numbers that its seeds were trained with; absent where none was noted. */
  readonly numerics?: readonly number[];
  readonly seeds: Readonly<Record<string, RunOutcome>>;
}

export interface TrainedBy {
  readonly commit?: string | undefined;
  readonly numerics?: number | undefined;
}

const withOne = <T>(list: readonly T[] = [], one?: T): readonly T[] =>
  one === undefined || list.includes(one) ? list : [...list, one];

export function linkOf(fields: LinkFields): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
}

/** Fields of a link as `linkOf` wrote it. */
export function fieldsOf(link: string): LinkFields {
  return Object.fromEntries(
    link.split('&').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
  );
}

export function experimentOf(fields: LinkFields): Experiment {
  return decodeLink(linkOf(fields));
}

/** Recorded runs below a folder. A file is read when it is first asked for. */
export class Ledger {
  readonly #folder: string;
  readonly #kept = new Map<string, LedgerRuns>();
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Contents of a file; empty if there is none. Throws if the file is of another experiment. */
  async read({ name, fields }: Pick<WantedRuns, 'name' | 'fields'>): Promise<LedgerRuns> {
    const known = this.#kept.get(name) ?? (await this.#load(name)) ?? { link: linkOf(fields), device: '', seeds: {} };
    if (known.link !== linkOf(fields)) {
      const what = `${this.#path(name)} is of another experiment: ${known.link} instead of ${linkOf(fields)}.`;
      throw new LabError('invalid-experiment', what, 'Delete the file, or give the runs another name in claim.json.');
    }
    this.#kept.set(name, known);
    return known;
  }

  /** A file that is there already, of any experiment; null if there is none. */
  async open(name: string): Promise<LedgerRuns | null> {
    const known = this.#kept.get(name) ?? (await this.#load(name));
    if (known === undefined) return null;
    this.#kept.set(name, known);
    return known;
  }

  async missing(runs: WantedRuns): Promise<number[]> {
    const { seeds } = await this.read(runs);
    return runs.seeds.filter((seed) => seeds[seed] === undefined);
  }

  /** `by`: code that trained the seed. */
  async add(runs: WantedRuns, seed: number, device: string, outcome: RunOutcome, by: TrainedBy = {}): Promise<void> {
    const before = await this.read(runs);
    const commits = withOne(before.commits, by.commit);
    const numerics = withOne(before.numerics, by.numerics);
    const code = { ...(commits.length > 0 && { commits }), ...(numerics.length > 0 && { numerics }) };
    const after = { ...before, device, ...code, seeds: { ...before.seeds, [seed]: outcome } };
    this.#kept.set(runs.name, after);
    this.#writing = this.#writing.then(() => this.#write(runs.name));
    await this.#writing;
  }

  async #load(name: string): Promise<LedgerRuns | undefined> {
    try {
      return JSON.parse(await readFile(this.#path(name), 'utf8')) as LedgerRuns;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw cause;
    }
  }

  /** Writes a file, one line a seed, and replaces it whole: a stop at any moment leaves a complete file. */
  async #write(name: string): Promise<void> {
    const { link, device, commits, numerics, seeds } = this.#kept.get(name) as LedgerRuns;
    const lines = Object.entries(seeds).map(([seed, outcome]) => `    "${seed}": ${JSON.stringify(outcome)}`);
    const noted = Object.entries({ commits, numerics }).map(([key, list]) =>
      list === undefined ? '' : `  "${key}": ${JSON.stringify(list)},\n`,
    );
    const head = `  "link": ${JSON.stringify(link)},\n  "device": ${JSON.stringify(device)},\n${noted.join('')}`;
    const path = this.#path(name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, `{\n${head}  "seeds": {\n${lines.join(',\n')}\n  }\n}\n`);
    await rename(`${path}.part`, path);
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
