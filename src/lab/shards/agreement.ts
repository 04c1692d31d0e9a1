/** Common ground of the parts of one run: experiment, machine, and each member once. */
import type { Experiment } from '../../experiment/experiment';
import { parseExperiment } from '../../experiment/parse';
import { type Member, membersOf } from '../../rl/population';
import type { Checkpoint } from '../../train/run/checkpoint';
import { usage } from '../errors';
import { memberName, ownSeeds } from './members';

/** Finished run of some members. */
export interface Part {
  readonly folder: string;
  readonly checkpoint: Checkpoint;
  readonly adapter: string;
  readonly wallSeconds: number;
  /** Indices of members with a parameter that is not finite. */
  readonly broken: readonly number[];
}

export interface Agreement {
  readonly parts: readonly Part[];
  readonly experiment: Experiment;
  /** All members, in the order of the run on one machine. */
  readonly members: readonly Member[];
}

/** Most members named in one message. */
const NAMED = 8;

/** Throws LabError 'invalid-experiment' that names what differs, is missing or is there twice. */
export function agreed(parts: readonly Part[], mixed: boolean): Agreement {
  const [first, ...others] = parts as [Part, ...Part[]];
  const experiment = experimentOf(first);
  const seeds = seedsOf(first, experiment);
  for (const part of others) {
    const where = firstDifference(experiment, experimentOf(part));
    if (where !== null) {
      throw usage(`${part.folder} and ${first.folder} are of different experiments: they differ in ${where}.`, SAME);
    }
    if (String(seedsOf(part, experiment)) !== String(seeds)) {
      throw usage(`${part.folder} and ${first.folder} are shards of other seeds.`, SAME);
    }
    if (!mixed && machineOf(part) !== machineOf(first)) {
      throw usage(
        `${part.folder} was trained on ${machineOf(part)}, ${first.folder} on ${machineOf(first)}.`,
        'Train both on the same, or merge them all the same with --mixed; the result then says who trained what.',
      );
    }
  }
  const members = membersOf(experiment.arms, seeds);
  checkMembers(parts, members);
  return { parts, experiment, members };
}

const SAME = 'Merge the shards of one run.';

function experimentOf({ checkpoint: { experiment, snapshot } }: Part): Experiment {
  return parseExperiment({ ...experiment, timeline: snapshot.timeline });
}

/** Seeds of the whole run: those the shard was cut from, or the experiment's own. */
const seedsOf = ({ checkpoint: { shard } }: Part, experiment: Experiment): readonly number[] =>
  shard?.seeds ?? ownSeeds(experiment);

const machineOf = ({ checkpoint, adapter }: Part): string => `${checkpoint.backend} (${adapter})`;

function checkMembers(parts: readonly Part[], members: readonly Member[]): void {
  const found = new Map<string, string>();
  const wanted = new Set(members.map(memberName));
  for (const { folder, checkpoint } of parts) {
    for (const name of checkpoint.snapshot.members.map(memberName)) {
      if (!wanted.has(name)) throw usage(`${folder} has ${name}, which the run does not have.`, SAME);
      const other = found.get(name);
      if (other !== undefined) throw usage(`${name} is in ${other} and in ${folder}.`, 'Name one of the two.');
      found.set(name, folder);
    }
  }
  const missing = [...wanted].filter((name) => !found.has(name));
  if (missing.length === 0) return;
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const names = `${missing.slice(0, NAMED).join(', ')}${more}`;
  const advice = `Train the shards that have them; ${parts.length} folders were given.`;
  throw usage(`Of ${wanted.size} members ${missing.length} are missing: ${names}.`, advice);
}

/** Path of the first setting in which two experiments differ; null if they are equal. */
function firstDifference(a: unknown, b: unknown, path = ''): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return `${path} (${JSON.stringify(a)} and ${JSON.stringify(b)})`;
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = firstDifference(left[key], right[key], path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
