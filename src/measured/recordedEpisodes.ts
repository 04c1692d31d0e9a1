/**
 * Episodes of a recorded run with what its policies dreamed of them, at some of its updates (`npm run record`): one of each arm on
 * the same task. A first visit goes through them before anything is trained here.
 */
import type { DreamView, EpisodeView } from '../train/looks/shown';

/** Numbers of an episode that are one a token. */
const NUMBERS = ['logProb', 'policyWeight', 'crossEntropyWeight'] as const;
const WHOLE = ['task', 'tokens', 'roles'] as const;
/** Digits of a number: more cannot be seen. */
const DIGITS = 3;

type Numbers = (number | null)[];

/** An episode as JSON; null for numbers that were not measured. */
export interface RecordedEpisode
  extends Pick<EpisodeView, 'arm' | 'seed' | 'update' | 'group' | 'trajectory' | 'relabelled' | 'reward' | 'success'>,
    Readonly<Record<(typeof WHOLE)[number], number[]>>,
    Readonly<Record<(typeof NUMBERS)[number], Numbers>> {
  readonly advantage: number;
  /** The episode's tokens with each next answer as the policy dreamed it after this update. */
  readonly dreamed: number[];
}

/** `seed`: whose members played; `area`: under their success curves, by arm, which tells whose run it was. */
export interface RecordedEpisodes {
  readonly seed: number;
  readonly area: readonly (number | null)[];
  /** [moments, tasks, arms], in the order of updates: at each moment a few tasks, and of each an episode an arm. */
  readonly moments: readonly (readonly (readonly RecordedEpisode[])[])[];
}

/** An episode on screen, and its tokens with the answers dreamed. */
export interface ShownEpisode {
  readonly episode: EpisodeView;
  readonly dreamed: Uint16Array;
}

const round = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null);

export function recordEpisode(episode: EpisodeView, dream: Pick<DreamView, 'next'>): RecordedEpisode {
  const { arm, seed, update, group, trajectory, relabelled, reward, success, advantage } = episode;
  const whole = Object.fromEntries(WHOLE.map((key) => [key, Array.from(episode[key])]));
  const numbers = Object.fromEntries(NUMBERS.map((key) => [key, Array.from(episode[key], round)]));
  return {
    ...{ arm, seed, update, group, trajectory, relabelled, reward, success },
    advantage: round(advantage) ?? 0,
    ...(whole as Pick<RecordedEpisode, (typeof WHOLE)[number]>),
    ...(numbers as Pick<RecordedEpisode, (typeof NUMBERS)[number]>),
    dreamed: Array.from(dream.next),
  };
}

export function showRecorded(recorded: RecordedEpisode): ShownEpisode {
  const { dreamed, task, tokens, roles, logProb, policyWeight, crossEntropyWeight, ...rest } = recorded;
  const measured = (numbers: Numbers): Float32Array => Float32Array.from(numbers, (value) => value ?? Number.NaN);
  const episode = {
    ...rest,
    task: Int32Array.from(task),
    tokens: Uint16Array.from(tokens),
    roles: Uint8Array.from(roles),
    logProb: measured(logProb),
    policyWeight: measured(policyWeight),
    crossEntropyWeight: measured(crossEntropyWeight),
  };
  return { episode, dreamed: Uint16Array.from(dreamed) };
}

/** Recorded episodes of some arms, by their ids. */
export function episodesOf(recorded: RecordedEpisodes, arms: readonly string[]): RecordedEpisodes {
  const moments = recorded.moments.map((tasks) => tasks.map((task) => task.filter(({ arm }) => arms.includes(arm))));
  return { ...recorded, moments };
}

/** Tasks of the moment on screen at an update: the last one recorded until then; the first one before it. */
export function momentAt(
  { moments }: Pick<RecordedEpisodes, 'moments'>,
  update: number,
): readonly (readonly RecordedEpisode[])[] {
  return moments.findLast(([task]) => (task?.[0]?.update ?? 0) <= update) ?? moments[0] ?? [];
}

/** True where some arms succeeded and others did not. */
export const isApart = (task: readonly RecordedEpisode[]): boolean =>
  new Set(task.map(({ success }) => success)).size > 1;

/** Number of arms that learn from the reward, with any mask: their tries earned different amounts. */
export const learnersOf = (task: readonly RecordedEpisode[]): number =>
  task.filter(({ policyWeight }) => policyWeight.some((weight) => (weight ?? 0) > 0)).length;

/** Order of the tasks of a moment: first the one on which most arms learn; of those alike, one on which the arms came apart. */
const rankOf = (task: readonly RecordedEpisode[]): number => 2 * learnersOf(task) + (isApart(task) ? 1 : 0);

/**
 * Tasks of a moment, the most telling first. Where no arm learns at the whole moment, and at the run's end, the latest task of the
 * recording until then on which most arms learn takes its place: the effect of a mask is seen where something is learned.
 */
export function tasksAt(
  { moments }: Pick<RecordedEpisodes, 'moments'>,
  update: number,
  isEnd: boolean,
): readonly (readonly RecordedEpisode[])[] {
  const tasks = momentAt({ moments }, update).toSorted((a, b) => rankOf(b) - rankOf(a));
  const until = moments.filter(([task]) => (task?.[0]?.update ?? 0) <= update).flat();
  const best = Math.max(0, ...until.map(learnersOf));
  const [first] = tasks;
  if (first === undefined || learnersOf(first) === best || !(isEnd || learnersOf(first) === 0)) return tasks;
  const telling = until.findLast((task) => learnersOf(task) === best);
  return telling === undefined ? tasks : [telling, ...tasks];
}
