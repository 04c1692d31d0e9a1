/** Common ground of the parts of one run: experiment, machine, numerics, and each member once. */
import type { Experiment } from '../../experiment/experiment';
import { tellingEntries } from '../../experiment/machines';
import { parseExperiment } from '../../experiment/parse';
import { codeInWords } from '../../experiment/provenance';
import { type Member, membersOf } from '../../rl/population';
import type { Checkpoint } from '../../train/run/keep/checkpoint';
import { usage } from '../errors';
import { NO_NUMERICS } from '../run/provenance';
import { memberName, ownSeeds } from './members';

/** Finished run of some members. */
export interface FinishedShard {
  readonly folder: string;
  readonly checkpoint: Checkpoint;
  readonly adapter: string;
  readonly wallSeconds: number;
  /** Indices of members with a parameter that is not finite. */
  readonly broken: readonly number[];
}

export interface ShardAgreement {
  readonly parts: readonly FinishedShard[];
  readonly experiment: Experiment;
  /** All members, in the order of the run on one machine. */
  readonly members: readonly Member[];
}

/** Most members named in one message. */
const NAMED = 8;

/**
 * Agreement of a run's parts. Throws LabError 'invalid-experiment' that names the parts that differ, miss or are there
 * twice.
 */
export function agreementOf(parts: readonly FinishedShard[], mixed: boolean): ShardAgreement {
  const [first, ...others] = parts as [FinishedShard, ...FinishedShard[]];
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
  if (!mixed) refuseOtherNumerics(parts);
  const members = membersOf(experiment.arms, seeds);
  checkMembers(parts, members);
  return { parts, experiment, members };
}

const SAME = 'Merge the shards of one run.';

/** Throws where two parts were computed with other numerics. Parts that kept none are of any: readPart says so. */
function refuseOtherNumerics(parts: readonly FinishedShard[]): void {
  const [first, ...others] = parts.filter((part) => numericsOf(part) !== null);
  const differing = others.find((part) => numericsOf(part) !== numericsOf(first as FinishedShard));
  if (first === undefined || differing === undefined) return;
  throw usage(
    `${differing.folder} was computed with ${numericsOf(differing)} (${codeOf(differing)}), ${first.folder} with ${numericsOf(first)} (${codeOf(first)}): the same run has other bits in one than in the other.`,
    'Train one of them again with the version of the other, or merge them all the same with --mixed; the result then says who trained what.',
  );
}

/** Numerics of a part, such as “numerics 1, from update 20 on 2”; null where none were kept. */
export function numericsOf({ checkpoint: { machines } }: FinishedShard): string | null {
  const entries = tellingEntries(machines);
  if (entries.every(({ code }) => code === undefined)) return null;
  const [begin, ...later] = entries.map(({ update, code }) => [update, code?.numerics ?? 'unknown'] as const);
  return [`numerics ${begin?.[1]}`, ...later.map(([update, number]) => `from update ${update} on ${number}`)].join(
    ', ',
  );
}

/** Code that a part ended with, in words; empty where none was kept. */
export function codeOf({ checkpoint: { machines } }: FinishedShard): string {
  const code = machines.at(-1)?.code;
  return code === undefined ? '' : codeInWords(code);
}

/** Words on parts of other code, which need not be refused: another commit with the same numerics, or none kept. */
export function codeRemarks(parts: readonly FinishedShard[]): string[] {
  const unknown = parts.filter((part) => numericsOf(part) === null);
  const known = parts.filter((part) => numericsOf(part) !== null);
  const remarks = unknown.map(({ folder }) => `${folder} is ${NO_NUMERICS}.`);
  const codes = [...new Set(known.map(codeOf))];
  if (codes.length < 2) return remarks;
  const named = codes.map((code) => `${known.find((part) => codeOf(part) === code)?.folder} by ${code}`);
  return [...remarks, `The shards were trained by ${codes.length} versions of the lab: ${named.join('; ')}.`];
}

function experimentOf({ checkpoint: { experiment, snapshot } }: FinishedShard): Experiment {
  return parseExperiment({ ...experiment, timeline: snapshot.timeline });
}

/** Seeds of the whole run: those the shard was cut from, or the experiment's own. */
const seedsOf = ({ checkpoint: { shard } }: FinishedShard, experiment: Experiment): readonly number[] =>
  shard?.seeds ?? ownSeeds(experiment);

const machineOf = ({ checkpoint, adapter }: FinishedShard): string => `${checkpoint.backend} (${adapter})`;

function checkMembers(parts: readonly FinishedShard[], members: readonly Member[]): void {
  const folders = new Map<string, string>();
  const expected = new Set(members.map(memberName));
  for (const { folder, checkpoint } of parts) {
    for (const name of checkpoint.snapshot.members.map(memberName)) {
      if (!expected.has(name)) throw usage(`${folder} has ${name}, which the run does not have.`, SAME);
      const known = folders.get(name);
      if (known !== undefined) throw usage(`${name} is in ${known} and in ${folder}.`, 'Name one of the two.');
      folders.set(name, folder);
    }
  }
  const missing = [...expected].filter((name) => !folders.has(name));
  if (missing.length === 0) return;
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  const names = `${missing.slice(0, NAMED).join(', ')}${more}`;
  const advice = `Train the shards that have them; ${parts.length} folders were given.`;
  throw usage(`Of ${expected.size} members ${missing.length} are missing: ${names}.`, advice);
}

/** Path of the first setting in which two experiments differ; null if they are equal. */
function firstDifference(a: unknown, b: unknown, path = ''): string | null {
  if (Object.is(a, b)) return null;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return `${path} (${JSON.stringify(a)} and ${JSON.stringify(b)})`;
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = firstDifference(left[key], right[key], path === '' ? key : `${path}.${key}`);
    if (difference !== null) return difference;
  }
  return null;
}
