/**
 * Members of a run: all of them, those of some seeds, or a shard. Members do not depend on each other, so a shard's
 * numbers are those of the whole run, bit for bit.
 */
import { armPasses } from '../../experiment/duration';
import type { Experiment } from '../../experiment/experiment';
import { parseExperiment } from '../../experiment/parse';
import { EXPERIMENT_TABLE, LIMITS } from '../../experiment/settings/tables';
import { type Member, membersOf } from '../../rl/population';
import type { Checkpoint, Shard } from '../../train/run/keep/checkpoint';
import { usage } from '../errors';

/** Largest number of shards: as long as an array of Slurm may be unless its administrator allows more. */
const MOST_SHARDS = 1000;

interface Chosen {
  readonly members: readonly Member[];
  /** Shard that the members are; null for all members. */
  readonly shard: Shard | null;
}

/** Members that `--seeds` and `--shard` ask for. Throws LabError if they cannot be trained together. */
export function chosenMembers(
  experiment: Experiment,
  { seeds: text, shard: share }: { seeds?: string | undefined; shard?: string | undefined },
): Chosen {
  const part = share === undefined ? null : readShard(share);
  const seeds = text === undefined ? ownSeeds(experiment) : readSeeds(text);
  const most = EXPERIMENT_TABLE.seeds.max * (part?.of ?? 1);
  if (seeds.length > most) {
    const where = part === null ? 'in one run' : `in ${part.of} shards`;
    throw usage(`--seeds ${text} names ${seeds.length} seeds.`, `Train at most ${most} of them ${where}.`);
  }
  const whole = membersOf(experiment.arms, seeds);
  if (part === null) {
    checkCost(experiment, seeds.length);
    return { members: whole, shard: null };
  }
  const shard = { ...part, seeds };
  if (part.of > whole.length) {
    throw usage(`${part.of} shards are more than the ${whole.length} members.`, `Ask for ${whole.length} or fewer.`);
  }
  const members = shardMembers(experiment, shard);
  if (members.length > LIMITS.members) {
    const what = `Shard ${share} has ${members.length} members; at most ${LIMITS.members} are trained together.`;
    throw usage(what, `Ask for ${Math.ceil(whole.length / LIMITS.members)} shards or more.`);
  }
  checkCost(experiment, Math.ceil(members.length / experiment.arms.length));
  return { members, shard };
}

/** Seeds of an experiment, from 0. */
export function ownSeeds({ seeds }: Experiment): number[] {
  return Array.from({ length: seeds }, (_, seed) => seed);
}

/** Checks that an experiment may have that many seeds. */
function checkCost(experiment: Experiment, seeds: number): void {
  if (seeds > experiment.seeds) parseExperiment({ ...experiment, seeds });
}

function readShard(text: string): { index: number; of: number } {
  const [, index = '', of = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const part = { index: Number(index), of: Number(of) };
  if (index === '' || part.index < 1 || part.index > part.of || part.of > MOST_SHARDS) {
    const what = `--shard takes a number and how many there are, from 1/1 to ${MOST_SHARDS}/${MOST_SHARDS}, not “${text}”.`;
    throw usage(what, 'The third of sixteen is --shard 3/16.');
  }
  return part;
}

/**
 * Members of a shard, in the order of the whole run. The costliest member goes first, each to the shard with the least work
 * so far: no shard gets more than a fair share and one member. Every shard works out the same table.
 */
export function shardMembers(experiment: Experiment, { index, of, seeds }: Shard): Member[] {
  const members = membersOf(experiment.arms, seeds);
  const costs = experiment.arms.map((arm) => armPasses(experiment, arm));
  const costOf = (member: number): number => costs[(members[member] as Member).armIndex] as number;
  const order = [...members.keys()].sort((a, b) => costOf(b) - costOf(a) || a - b);
  const work = new Float64Array(of);
  const mine: number[] = [];
  for (const member of order) {
    const least = work.indexOf(Math.min(...work));
    work[least] = (work[least] as number) + costOf(member);
    if (least === index - 1) mine.push(member);
  }
  return mine.sort((a, b) => a - b).map((member) => members[member] as Member);
}

/** Members of a checkpoint, checked against its experiment. */
export function savedMembers(experiment: Experiment, { snapshot, shard }: Checkpoint): readonly Member[] {
  const saved = snapshot.members;
  const members =
    shard === undefined
      ? membersOf(experiment.arms, [...new Set(saved.map(({ seed }) => seed))])
      : saved.filter(({ armIndex, arm }) => experiment.arms[armIndex]?.id === arm);
  const same =
    members.length === saved.length &&
    members.every(({ arm, armIndex, seed }, i) => {
      const before = saved[i];
      return before?.arm === arm && before.armIndex === armIndex && before.seed === seed;
    });
  if (same) return members;
  throw usage('The checkpoint’s members are not those of its experiment.', 'Choose a checkpoint that this lab wrote.');
}

/** Name of a member for people: world-model/0. */
export const memberName = ({ arm, seed }: Member): string => `${arm}/${seed}`;

/** Sentence about the members that a shard trains. */
export function shardInWords({ index, of }: Shard, members: readonly Member[]): string {
  return `Shard ${index} of ${of} trains ${members.map(memberName).join(', ')}.`;
}

/** Seeds in texts such as `0-3`, `2`, `0,2`, `0-1,100-103`: each once, in ascending order. */
function readSeeds(text: string): number[] {
  const seeds = new Set<number>();
  for (const part of text.split(',')) {
    const [, first = '', last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    if (first === '') {
      throw usage(`--seeds takes whole numbers and ranges of them, not “${text}”.`, 'Write it like 0-3, or like 0,2.');
    }
    const [from, to] = [Number(first), Number(last)];
    if (from > to) throw usage(`--seeds ${part} runs backwards.`, `Write the smaller first: --seeds ${to}-${from}.`);
    for (let seed = from; seed <= to; seed++) seeds.add(seed);
  }
  return [...seeds].sort((a, b) => a - b);
}
