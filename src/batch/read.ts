/**
 * Bytes of a file as trajectories, one after the other. Lines that cannot be read are told by their number; the rest is
 * kept.
 */
import { excerpt, LabError, reasonOf } from '../foundation/errors';
import { isJson, type Json } from '../foundation/json';
import type { Context } from './forms/common';
import { formOf } from './forms/forms';
import { parseLine } from './json';
import { DamagedFile, type Foreign, ForeignFile, LONGEST_LINE, linesOf } from './lines';
import { COMPUTED_TEXTS, COMPUTED_TOKENS, type OwnTexts } from './ownTexts';
import type { BatchTrajectory, FormId, RolesFrom } from './trajectory';

/** A line, or a part of one, that could not be read. */
export interface LineProblem {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** Problems that are kept one by one; of the others only their number. */
const MOST_PROBLEMS = 100;
/** Most different field names that are counted for each form. */
const MOST_FIELDS = 60;

/** Columns that a trajectory can have, by name. */
const FACTS: Readonly<Record<string, (trajectory: BatchTrajectory) => boolean>> = {
  'token ids': ({ ids }) => ids !== null,
  'texts of tokens': ({ texts }) => texts !== null,
  'loss weights': ({ columns }) => columns.weight !== undefined,
  advantages: ({ columns }) => columns.advantage !== undefined,
  rewards: ({ reward }) => reward !== null,
  groups: ({ group }) => group !== null,
  'current log-probs': ({ columns }) => columns.logp !== undefined,
  'old log-probs': ({ columns }) => columns.old !== undefined,
  'rollout log-probs': ({ columns }) => columns.rollout !== undefined,
  'reference log-probs': ({ columns }) => columns.reference !== undefined,
  'whether it was cut off': ({ truncated }) => truncated !== null,
};
export const FACT_NAMES: readonly string[] = Object.keys(FACTS);
/** Fields that are told only where a file has them. */
export const COMPUTED: readonly string[] = [COMPUTED_TEXTS, COMPUTED_TOKENS];

export interface FormFound {
  trajectories: number;
  /** Number of trajectories with each of FACT_NAMES. */
  readonly facts: Map<string, number>;
  /** Number of trajectories with each field. */
  readonly fields: Map<string, number>;
  readonly rolesFrom: Map<RolesFrom, number>;
}

/** Findings of the reader. */
export class BatchReading {
  readonly problems: LineProblem[] = [];
  problemCount = 0;
  readonly #repeated = new Map<string, number>();
  trajectories = 0;
  readonly forms = new Map<FormId, FormFound>();

  problem(file: string, line: number, what: string): void {
    this.problemCount++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ file, line, what });
  }

  /** A problem of many lines is told at the first, with their number. */
  again(file: string, line: number, what: string): void {
    const lines = (this.#repeated.get(what) ?? 0) + 1;
    this.#repeated.set(what, lines);
    if (lines === 1) this.problem(file, line, what);
    const at = this.problems.findIndex((one) => one.what.startsWith(what));
    const first = this.problems[at];
    if (lines > 1 && first !== undefined) this.problems[at] = { ...first, what: `${what} (${lines} lines)` };
  }

  take(trajectory: BatchTrajectory, fields: readonly string[]): void {
    this.trajectories++;
    const { form, rolesFrom } = trajectory;
    const found = this.forms.get(form) ?? {
      ...{ trajectories: 0, facts: new Map(), fields: new Map(), rolesFrom: new Map() },
    };
    this.forms.set(form, found);
    found.trajectories++;
    if (rolesFrom !== null) count(found.rolesFrom, rolesFrom);
    for (const [name, has] of Object.entries(FACTS)) if (has(trajectory)) count(found.facts, name);
    for (const name of fields) if (found.fields.has(name) || found.fields.size < MOST_FIELDS) count(found.fields, name);
  }
}

function count<T>(of: Map<T, number>, what: T): void {
  of.set(what, (of.get(what) ?? 0) + 1);
}

const FOREIGN: Readonly<Record<Foreign, readonly [what: string, advice: string]>> = {
  zip: ['is a ZIP archive', 'Take the lines of JSON out of it; gzip alone is read as it comes.'],
  zstd: ['is packed with Zstandard', 'Unpack it: zstd -d FILE; gzip is read as it comes.'],
  binary: ['holds no text', 'Name a file of JSON, one object a line, gzip or not.'],
};

/** Throws LabError 'invalid-batch' for a file that holds no lines of text. */
export async function* readBatch(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  reading: BatchReading,
  own: OwnTexts | null = null,
): AsyncGenerator<BatchTrajectory> {
  let line = 0;
  try {
    for await (const { number, text } of linesOf(bytes)) {
      line = number;
      if (text === null) {
        reading.problem(file, number, `is longer than ${LONGEST_LINE / 1024 ** 2} million characters`);
      } else if (text.trim() !== '') {
        yield* trajectoriesOf(text, { file, line: number, own }, reading);
      }
    }
  } catch (cause) {
    if (cause instanceof ForeignFile) {
      const [what, advice] = FOREIGN[cause.kind];
      throw new LabError('invalid-batch', `${file} ${what}.`, advice, { cause });
    }
    // A packed file that was cut off: the part before is kept.
    if (!(cause instanceof DamagedFile)) throw cause;
    reading.problem(file, line + 1, `cannot be unpacked: ${cause.message}`);
  }
}

type Source = Pick<Context, 'file' | 'line' | 'own'>;

function* trajectoriesOf(text: string, source: Source, reading: BatchReading): Generator<BatchTrajectory> {
  const { file, line } = source;
  let value: unknown;
  try {
    value = parseLine(text);
  } catch (cause) {
    const isWhole = line === 1 && /^\s*[[{]\s*$/.test(text);
    reading.problem(
      file,
      line,
      isWhole
        ? 'is the start of JSON over many lines; write one object a line (jq -c . FILE)'
        : `is no JSON: ${reasonOf(cause)}`,
    );
    return;
  }
  for (const record of Array.isArray(value) ? value : [value]) {
    const trajectory = trajectoryOf(record, source, reading);
    if (trajectory !== null) yield trajectory;
  }
}

function trajectoryOf(record: unknown, source: Source, reading: BatchReading): BatchTrajectory | null {
  const { file, line } = source;
  if (!isJson(record)) {
    reading.problem(file, line, 'is no object');
    return null;
  }
  const form = formOf(record);
  if (form === null) {
    reading.problem(file, line, `is of no known form; its fields are ${fieldsOf(record)}`);
    return null;
  }
  const fields = new Set<string>();
  const trajectory = form.read(record, {
    ...{ ...source, number: reading.trajectories + 1, form: form.id },
    problem: (what) => reading.problem(file, line, what),
    again: (what) => reading.again(file, line, what),
    found: (name) => fields.add(name),
  });
  if (trajectory === null) {
    reading.problem(file, line, `has fields of ${form.id}, but not of the right kind: ${fieldsOf(record)}`);
    return null;
  }
  reading.take(trajectory, [...fields]);
  return trajectory;
}

const fieldsOf = (record: Json): string => {
  const names = Object.keys(record);
  const shown = names.slice(0, 8).map((name) => excerpt(name, 30));
  return names.length === 0 ? 'none' : `${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
};
