/**
 * Levels: how many values something has. A constant has one for all members and updates, a batch value one for each
 * member's update, and so on down to one a token. A lower level broadcasts upwards: each token reads its turn's value.
 */
export const LEVELS = ['constant', 'batch', 'group', 'trajectory', 'turn', 'token'] as const;

export type Level = (typeof LEVELS)[number];

/** Levels that a reduction can lead to. */
export const TARGETS = ['turn', 'trajectory', 'group', 'batch'] as const;

export type ReductionLevel = (typeof TARGETS)[number];

const RANK = Object.fromEntries(LEVELS.map((level, rank) => [level, rank])) as Readonly<Record<Level, number>>;

/** True if level a has more values than level b. */
export const isAbove = (a: Level, b: Level): boolean => RANK[a] > RANK[b];

/** The higher of the levels: that of an operation on values of them. */
export const highest = (levels: readonly Level[]): Level =>
  levels.reduce((high, level) => (isAbove(level, high) ? level : high), 'constant');
