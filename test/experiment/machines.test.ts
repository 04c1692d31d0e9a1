// Machines of a run: the order of entries, and how they are carried beside the experiment.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLink, decodeRunLink, encodeLink } from '../../src/experiment/link/link';
import {
  BACKEND_KINDS,
  type BackendKind,
  isEventful,
  type MachineEntry,
  MOST_MACHINES,
  readMachines,
  recordMachine,
  splitMachines,
  tellingEntries,
  writeMachines,
} from '../../src/experiment/machines';
import { firstPreset } from '../../src/experiment/presets/presets';

const { experiment } = firstPreset;
const switched: MachineEntry[] = [
  { update: 0, backend: 'webgpu' },
  { update: 37, backend: 'cpu' },
  { update: 40, backend: 'cpu', parts: 4 },
];

const anyEntry = fc.record({
  update: fc.integer({ min: 0, max: 1000 }),
  backend: fc.constantFrom(...BACKEND_KINDS),
  parts: fc.option(fc.integer({ min: 2, max: 64 }), { nil: undefined }),
});
const asEntry = ({ parts, ...entry }: { update: number; backend: BackendKind; parts: number | undefined }) => ({
  ...entry,
  ...(parts === undefined ? {} : { parts }),
});

describe('the record', () => {
  test('begins at update 0, says nothing twice, and forgets what is computed again', () => {
    const begun = recordMachine([], { update: 0, backend: 'webgpu' });
    expect(recordMachine(begun, { update: 10, backend: 'webgpu' })).toEqual(begun);
    const cut = recordMachine(begun, { update: 20, backend: 'webgpu', parts: 2 });
    expect(cut).toHaveLength(2);
    expect(recordMachine(cut, { update: 10, backend: 'cpu' })).toEqual([...begun, { update: 10, backend: 'cpu' }]);
    expect(recordMachine(cut, { update: 0, backend: 'cpu' })).toEqual([{ update: 0, backend: 'cpu' }]);
    expect(isEventful(begun)).toBe(false);
    expect(isEventful(cut)).toBe(true);
  });

  test('keeps each code that computed it; a link tells of backends and plans alone', () => {
    const by = (commit: string, numerics: number) => ({ code: { version: '0.2.0', commit, numerics } });
    const record = [
      { update: 0, backend: 'cpu' as const },
      { update: 5, backend: 'cpu' as const, ...by('aaaaaaaaaaaa', 1) },
      { update: 9, backend: 'cpu' as const, ...by('bbbbbbbbbbbb+changed', 1) },
      { update: 12, backend: 'cpu' as const, ...by('bbbbbbbbbbbb+changed', 2) },
    ].reduce(recordMachine, [] as MachineEntry[]);
    expect(record.map(({ update }) => update)).toEqual([0, 5, 9, 12]);
    expect(splitMachines({ machines: record }).machines).toEqual(record);
    expect(tellingEntries(record).map(({ update }) => update)).toEqual([0, 5, 12]);
    expect(isEventful(record)).toBe(false);
    expect(writeMachines(record)).toBe('0:cpu');
    expect(() => splitMachines({ machines: [{ ...record[1], code: { version: '<b>', numerics: 1 } }] })).toThrow();
  });

  test('of any events can be written, read and kept', () => {
    const property = fc.property(fc.array(anyEntry, { maxLength: 120 }), (events) => {
      const record = events.map(asEntry).reduce(recordMachine, [] as MachineEntry[]);
      expect(record.length).toBeLessThanOrEqual(MOST_MACHINES);
      if (record.length > 0) expect(readMachines(writeMachines(record))).toEqual(record);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe('a link', () => {
  test('carries what a run ran on where that changed, and the experiment is the same with and without', () => {
    const link = encodeLink(experiment, switched);
    expect(link).toBe('preset=gridworld&ran=0:webgpu;37:cpu;40:cpu:4');
    expect(decodeRunLink(link)).toEqual({
      experiment,
      machines: switched,
      result: null,
      sweep: null,
      hidden: [],
      challenge: [],
    });
    expect(decodeLink(link)).toEqual(decodeLink('preset=gridworld'));
    expect(decodeRunLink('preset=gridworld').machines).toEqual([]);
  });

  test('is as short as before where nothing changed', () => {
    expect(encodeLink(experiment, [{ update: 0, backend: 'cpu' }])).toBe('preset=gridworld');
    expect(encodeLink(experiment, [{ update: 0, backend: 'cpu', parts: 2 }])).toBe('preset=gridworld&ran=0:cpu:2');
  });

  test.each([
    '',
    'cpu',
    '0:abacus',
    '1:cpu',
    '0:cpu;0:webgpu',
    '0:cpu;9:webgpu;5:cpu',
    '0:cpu:0',
    '0:cpu:99999',
    '0:cpu;-1:cpu',
    '0:cpu;1e3:webgpu',
    '0:cpu;999999999:webgpu',
    Array.from({ length: MOST_MACHINES + 1 }, (_, i) => `${i}:${i % 2 ? 'cpu' : 'webgpu'}`).join(';'),
  ])('that says %o is refused by name', (ran) => {
    expect(() => decodeLink(`preset=gridworld&ran=${ran}`)).toThrow(/“ran”/);
  });
});

test('a file is split into the experiment and what its run ran on; nonsense is refused', () => {
  expect(splitMachines({ ...experiment, machines: switched })).toEqual({ rest: experiment, machines: switched });
  expect(splitMachines(experiment)).toEqual({ rest: experiment, machines: [] });
  expect(splitMachines(null)).toEqual({ rest: null, machines: [] });
  expect(() => splitMachines({ ...experiment, machines: [{ update: 4, backend: 'cpu' }] })).toThrow(/machines/);
});
