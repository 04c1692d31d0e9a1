/**
 * Events of a run in the order of updates: settings changed by the user, and changes of machine. Machines are listed
 * because numbers of two devices differ in their last digits.
 */
import type { Change } from '../experiment/experiment';
import { isEventful, type MachineEntry } from '../experiment/machines';

export type TimelineRow =
  | { readonly type: 'change'; readonly update: number; readonly change: Change }
  | {
      readonly type: 'machine';
      readonly update: number;
      readonly entry: MachineEntry;
      readonly before: MachineEntry | null;
    };

/** Rows of the timeline. One usual machine is not listed. At the same update machines come before changes. */
export function timelineRows(timeline: readonly Change[], machines: readonly MachineEntry[]): TimelineRow[] {
  const told = isEventful(machines) ? machines : [];
  const rows: TimelineRow[] = [
    ...told.map(
      (entry, i): TimelineRow => ({
        type: 'machine',
        update: entry.update,
        entry,
        before: told[i - 1] ?? null,
      }),
    ),
    ...timeline.map((change): TimelineRow => ({ type: 'change', update: change.update, change })),
  ];
  return rows.sort((a, b) => a.update - b.update);
}

const NAMES = { webgpu: 'WebGPU', cpu: 'the CPU', reference: 'the float64 reference' } as const;

/** Change of machine in words, to follow “from update 37: ”: “on the CPU instead of WebGPU: numbers of another device”. */
export function machineWords({ backend, parts }: MachineEntry, before: MachineEntry | null): string {
  const cut =
    parts === undefined ? '' : `each batch cut into ${parts} parts, for lack of memory; the numbers are the same`;
  if (before === null) return `on ${NAMES[backend]}${cut === '' ? '' : `, ${cut}`}`;
  if (before.backend === backend) return cut === '' ? 'batches cut as usual again' : cut;
  const instead = `on ${NAMES[backend]} instead of ${NAMES[before.backend]}: numbers of another device`;
  return cut === '' ? instead : `${instead}, ${cut.replace('; the numbers are the same', '')}`;
}
