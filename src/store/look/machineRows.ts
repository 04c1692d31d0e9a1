/** Machines of a run in words: those that are worth telling, because numbers of two devices differ in their last digits. */
import { isEventful, type MachineEntry, tellingEntries } from '../../experiment/machines';
import { codeInWords } from '../../experiment/provenance';

/** Entries to list: none for one usual machine. */
export function machineRows(machines: readonly MachineEntry[]): readonly MachineEntry[] {
  const entries = tellingEntries(machines);
  return entries.length > 1 || isEventful(entries) ? entries : [];
}

const NAMES = {
  webgpu: 'WebGPU',
  cpu: 'the CPU',
  'cpu-fused': 'the CPU with fused multiply-add',
  reference: 'the float64 reference',
} as const;

/** Change of machine in words, to follow “from update 37: ”: “on the CPU instead of WebGPU: numbers of another device”. */
export function machineWords({ backend, parts, code }: MachineEntry, before: MachineEntry | null): string {
  const cut =
    parts === undefined ? '' : `each batch cut into ${parts} parts, for lack of memory; the numbers are the same`;
  if (before === null) return `on ${NAMES[backend]}${cut === '' ? '' : `, ${cut}`}`;
  if (before.backend === backend && before.code?.numerics !== code?.numerics) {
    const by = (one: MachineEntry['code']): string =>
      one === undefined ? 'a version that noted none' : codeInWords(one);
    return `numerics of ${by(code)}, after those of ${by(before.code)}${cut === '' ? '' : `; ${cut}`}`;
  }
  if (before.backend === backend) return cut === '' ? 'batches cut as usual again' : cut;
  const instead = `on ${NAMES[backend]} instead of ${NAMES[before.backend]}: numbers of another device`;
  return cut === '' ? instead : `${instead}, ${cut.replace('; the numbers are the same', '')}`;
}
