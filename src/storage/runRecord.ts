/**
 * Record of a run in this browser: its description and its curves, and how both are read. They are checked like any
 * foreign input, since every page of the same origin can write them.
 */
import * as v from 'valibot';
import { type MachineEntry, MachinesSchema } from '../experiment/machines';
import { excerpt } from '../foundation/errors';
import { LAST_DATE } from './archive';

/** Id of a run, drawn when it begins. */
export const RUN_ID = /^[0-9a-f]{1,64}$/;

/** Name of the lock of a run that trains in some tab, before its id. */
export const RUN_LOCK = 'unmask run ';

export interface KeptRun {
  readonly id: number;
  /** Id by which its states are kept (snapshots.ts); runs kept by earlier versions have none. */
  readonly run?: string;
  /** Milliseconds since 1970, when it was last written. */
  readonly date: number;
  /** Experiment of the record; to be checked before use. */
  readonly experiment: unknown;
  /** Name; at first its difference from the run before it. */
  readonly name: string;
  readonly note: string;
  readonly starred: boolean;
  /** Words to find it by. */
  readonly tags: readonly string[];
  /** Time of its deletion, as `date`: for a while it can be taken back. null while it is kept. */
  readonly deleted: number | null;
  /** Success over the last updates, mean over seeds, by arm; empty for runs kept by earlier versions. */
  readonly success: readonly (number | null)[];
  readonly updates: number;
  /** Adapter or processor. */
  readonly device: string;
  readonly machines: readonly MachineEntry[];
  readonly bytes: number;
  /** Training time of all its updates; null for runs kept by earlier versions. */
  readonly seconds: number | null;
}

/** Curves of a run. `values`: [updates, arms × seeds, metrics]; NaN where nothing was measured. */
export interface KeptCurves {
  readonly metrics: readonly string[];
  readonly values: Float32Array;
  /** Training time of each update, [updates]; runs kept by earlier versions have none. */
  readonly seconds?: Float32Array;
  /** Looks (store/run/looks.ts) of the record; to be checked before use. */
  readonly looks?: unknown;
}

/** Tags of a run at most. */
export const MOST_TAGS = 16;
const LONGEST_TEXT = 10_000;
const line = v.pipe(
  v.string(),
  v.maxLength(LONGEST_TEXT),
  v.transform((text) => excerpt(text, 500)),
);
const size = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.pipe(size, v.safeInteger());
const date = v.pipe(size, v.maxValue(LAST_DATE));
/**
 * Bytes of the largest record, more than any run has, and few enough that a sum of them loses nothing by rounding: one
 * record of 1e300 bytes hid all others in the sum, so everything was deleted for room.
 */
const MOST_BYTES = 2 ** 40;
/** Longest training time of a run, seconds. */
export const MOST_SECONDS = 1e10;

const RunSchema = v.object({
  id: count,
  run: v.exactOptional(v.pipe(v.string(), v.regex(RUN_ID))),
  date,
  experiment: v.unknown(),
  name: line,
  note: line,
  starred: v.boolean(),
  tags: v.optional(v.pipe(v.array(line), v.maxLength(MOST_TAGS)), []),
  deleted: v.optional(v.nullable(date), null),
  success: v.optional(v.array(v.nullable(v.pipe(v.number(), v.finite()))), []),
  updates: count,
  device: line,
  machines: MachinesSchema,
  bytes: v.pipe(count, v.maxValue(MOST_BYTES)),
  seconds: v.optional(v.nullable(v.pipe(size, v.maxValue(MOST_SECONDS))), null),
});

const CurvesSchema = v.object({
  metrics: v.array(v.string()),
  values: v.instance(Float32Array),
  seconds: v.exactOptional(v.instance(Float32Array)),
  looks: v.optional(v.unknown()),
});

/** Kept run from a record; null if it is damaged. */
export function readKeptRun(record: unknown): KeptRun | null {
  const { success, output } = v.safeParse(RunSchema, record);
  return success ? output : null;
}

/** Kept curves from a record; null if they are damaged. */
export function readKeptCurves(record: unknown): KeptCurves | null {
  const { success, output } = v.safeParse(CurvesSchema, record);
  return success ? output : null;
}

/** Training time of all updates, seconds; null if none of it is known. */
export function trainingTime({ seconds }: KeptCurves): number | null {
  const known = Array.from(seconds ?? []).filter((time) => time >= 0 && Number.isFinite(time));
  if (known.length === 0) return null;
  const sum = known.reduce((before, time) => before + time, 0);
  return Math.min(sum, MOST_SECONDS);
}
