/**
 * Machines of a run: an entry for its beginning, and one each time the backend, the plan or the code changed. Entries are
 * saved beside the experiment, in results, checkpoints and links, never inside it: no backend decides a setting.
 */
import * as v from 'valibot';
import { excerpt, LabError } from '../foundation/errors';
import { isJson } from '../foundation/json';
import { CodeSchema } from './provenance';
import { EXPERIMENT_TABLE } from './settings/tables';

export const BACKEND_KINDS = ['webgpu', 'cpu', 'cpu-fused', 'reference'] as const;
export type BackendKind = (typeof BACKEND_KINDS)[number];

/** Largest number of entries kept: the first one and the newest. */
export const MOST_MACHINES = 50;
const MOST_PARTS = 4096;

export const MachineSchema = v.strictObject({
  /** First update computed on it, counted from 0. */
  update: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(EXPERIMENT_TABLE.updates.max)),
  backend: v.picklist(BACKEND_KINDS),
  /** Microbatches each batch is cut into, only if memory was too small for the usual plan. It changes no number. */
  parts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_PARTS))),
  /** Code that computed it; absent in files from before it was kept, and in links. */
  code: v.exactOptional(CodeSchema),
});

export type MachineEntry = v.InferOutput<typeof MachineSchema>;

/** Machines in order of update, beginning at 0, no update twice. */
export const MachinesSchema = v.pipe(
  v.array(v.unknown()),
  v.maxLength(MOST_MACHINES),
  v.array(MachineSchema),
  v.check(
    (entries) => entries.every(({ update }, i) => (i === 0 ? update === 0 : update > (entries[i - 1]?.update ?? 0))),
    'Entries begin at update 0 and follow one another.',
  ),
);

/**
 * The entries with a new one added. Entries of its update and later are dropped, because those updates are computed
 * again. An entry equal to the one before it is not added.
 */
export function recordMachine(entries: readonly MachineEntry[], entry: MachineEntry): MachineEntry[] {
  const earlier = entries.filter(({ update }) => update < entry.update);
  const before = earlier.at(-1);
  if (before !== undefined && sameMachine(before, entry)) return earlier;
  const [first, ...rest] = earlier;
  // The first entry is at update 0, even if the run's beginning was never recorded.
  if (first === undefined) return [{ ...entry, update: 0 }];
  return [first, ...rest.slice(rest.length - Math.min(rest.length, MOST_MACHINES - 2)), entry];
}

const samePlan = (a: MachineEntry, b: MachineEntry): boolean => a.backend === b.backend && a.parts === b.parts;

const sameMachine = (a: MachineEntry, b: MachineEntry): boolean => samePlan(a, b) && sameCode(a, b);

const sameCode = ({ code: a }: MachineEntry, { code: b }: MachineEntry): boolean =>
  a?.version === b?.version && a?.commit === b?.commit && a?.numerics === b?.numerics;

/** Entries without those that are like the one before them. */
const changesOf = (entries: readonly MachineEntry[], like: typeof samePlan): MachineEntry[] =>
  entries.filter((entry, i) => i === 0 || !like(entries[i - 1] as MachineEntry, entry));

/** Entries where another backend, a smaller plan or another numerics number began: what numbers may show. */
export const tellingEntries = (entries: readonly MachineEntry[]): MachineEntry[] =>
  changesOf(entries, (a, b) => samePlan(a, b) && a.code?.numerics === b.code?.numerics);

/** True if a run had more than one backend or plan, or its only one was smaller than usual. */
export function isEventful(entries: readonly MachineEntry[]): boolean {
  return changesOf(entries, samePlan).length > 1 || entries[0]?.parts !== undefined;
}

/** Entries as text, without their code: `0:webgpu;37:cpu;40:cpu:4`. */
export function writeMachines(entries: readonly MachineEntry[]): string {
  return changesOf(entries, samePlan)
    .map(({ update, backend, parts }) => `${update}:${backend}${parts === undefined ? '' : `:${parts}`}`)
    .join(';');
}

/** Throws LabError 'invalid-link' for anything that writeMachines did not write. */
export function readMachines(text: string): MachineEntry[] {
  // One more than there can be is enough to refuse them.
  const entries = text.split(';', MOST_MACHINES + 1).map((entry) => {
    const [, update, backend, parts] = /^(\d{1,9}):([a-z-]+)(?::(\d{1,9}))?$/.exec(entry) ?? [];
    return { update: Number(update), backend, ...(parts === undefined ? {} : { parts: Number(parts) }) };
  });
  const result = v.safeParse(MachinesSchema, entries);
  if (result.success) return result.output;
  throw new LabError(
    'invalid-link',
    `In this link, “ran” cannot be read: “${excerpt(text)}”.`,
    'Write update:backend or update:backend:parts from update 0 on, and semicolons part them; or leave it out.',
  );
}

/** An experiment's file in two: the experiment, and the machine entries. Throws LabError if the entries are invalid. */
export function splitMachines(value: unknown): { rest: unknown; machines: readonly MachineEntry[] } {
  if (!isJson(value) || !('machines' in value)) return { rest: value, machines: [] };
  const { machines, ...rest } = value;
  const result = v.safeParse(MachinesSchema, machines);
  if (result.success) return { rest, machines: result.output };
  throw new LabError(
    'invalid-experiment',
    'The file’s “machines” cannot be read.',
    'Remove them from the file: they say what a run ran on, and change nothing of the experiment.',
  );
}
