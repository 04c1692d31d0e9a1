/** Checkpoints are safetensors files: they come back as they were saved, and anything else is refused with advice. */
import { describe, expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { METRICS } from '../../src/rl/measure/metrics';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { packSafetensors, unpackSafetensors } from '../../src/train/run/keep/safetensors';

const UPDATES = 3;

const checkpoint: Checkpoint = {
  snapshot: {
    update: UPDATES,
    members: [
      { arm: 'a', armIndex: 0, seed: 3 },
      { arm: 'b', armIndex: 1, seed: 3 },
    ],
    tasks: [
      [
        [0.5, 3, 17],
        [0, 4, 18],
      ],
      [],
    ],
    successRates: [0.1, 1 / 3],
    timeline: [{ update: 2, arm: '*', setting: 'learningRate', value: 0.01 }],
    tensors: {
      parameters: Float32Array.of(1, 2, 3, -0.1, 5, 6, 7, 8),
      firstMoment: new Float32Array(8).fill(0.25),
      secondMoment: new Float32Array(8).fill(1e-12),
      step: Float32Array.of(14, 7),
      reference: new Float32Array(8),
    },
  },
  experiment: { title: 'ünïcode' },
  backend: 'cpu',
  machines: [
    { update: 0, backend: 'cpu' },
    { update: 2, backend: 'cpu', parts: 4 },
  ],
  curves: Float32Array.from({ length: UPDATES * 2 * METRICS.length }, (_, i) => (i % 5 === 0 ? Number.NaN : i / 7)),
  tokens: 123456789,
  warmStart: [
    { step: 0, members: [Array(7).fill(1 / 3), Array(7).fill(null)] },
    { step: 5, members: [[1, 0.5, null, 1e-9, 2, 3, -1], Array(7).fill(null)] },
  ],
  layout: [
    { name: 'a', shape: [2], offset: 0 },
    { name: 'b', shape: [], offset: 3 },
  ],
};
const { snapshot } = checkpoint;

/** Checkpoint of the same run on the float64 backend. */
const exact: Checkpoint = {
  ...checkpoint,
  backend: 'reference',
  snapshot: {
    ...snapshot,
    tensors: {
      parameters: Float64Array.of(1 / 3, Math.PI, 3, -0.1, 5, 6, 7, 1e-300),
      firstMoment: new Float64Array(8).fill(0.1),
      secondMoment: new Float64Array(8).fill(1e-50),
      step: Float64Array.of(14, 7),
      reference: new Float64Array(8),
    },
  },
};

function headerOf(bytes: Uint8Array): { length: number; header: Record<string, Record<string, unknown>> } {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  return { length, header: JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) };
}

/** Checkpoint with one entry of the metadata replaced, and the right checksum. */
function withMetadata(key: string, value: string): Uint8Array {
  const { metadata, names, array } = unpackSafetensors(encodeCheckpoint(checkpoint));
  const { checksum: _, ...rest } = metadata as Record<string, string>;
  const arrays = names.map((name) => ({ name, shape: [], values: array(name) }));
  return packSafetensors({ ...rest, [key]: value }, arrays);
}

/** Bytes with another header and the old checksum, as after an edit by hand. */
function withHeader(change: (header: Record<string, Record<string, unknown>>) => unknown): Uint8Array {
  const bytes = encodeCheckpoint(checkpoint);
  const { length, header } = headerOf(bytes);
  const text = new TextEncoder().encode(JSON.stringify(change(header)));
  const changed = new Uint8Array(8 + text.length + bytes.length - 8 - length);
  new DataView(changed.buffer).setBigUint64(0, BigInt(text.length), true);
  changed.set(text, 8);
  changed.set(bytes.subarray(8 + length), 8 + text.length);
  return changed;
}

describe('a checkpoint', () => {
  test.each([
    ['float32', checkpoint],
    ['float64', exact],
  ])('in %s comes back as it was saved, also from a Buffer that shares its memory', (_, saved) => {
    const bytes = encodeCheckpoint(saved);
    expect(decodeCheckpoint(bytes)).toEqual({ ...saved, verified: true });
    const shared = Buffer.concat([Buffer.from([1, 2, 3]), bytes]).subarray(3);
    expect(decodeCheckpoint(shared)).toEqual({ ...saved, verified: true });
  });

  test('is laid out as safetensors: header length, JSON, aligned data', () => {
    const bytes = encodeCheckpoint(checkpoint);
    const { length, header } = headerOf(bytes);
    expect(length % 8).toBe(0);
    expect(header.parameters).toEqual({ dtype: 'F32', shape: [2, 4], data_offsets: [0, 32] });
    expect(header.curves).toMatchObject({ dtype: 'F32', shape: [UPDATES, 2, METRICS.length] });
    expect(bytes.length).toBe(8 + length + 4 * (8 * 4 + 2 + checkpoint.curves.length));
    expect(headerOf(encodeCheckpoint(exact)).header.parameters).toEqual({
      dtype: 'F64',
      shape: [2, 4],
      data_offsets: [0, 64],
    });
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['noise', Uint8Array.from({ length: 64 }, (_, i) => i * 7)],
    ['a file cut short', encodeCheckpoint(checkpoint).subarray(0, -9)],
    ['foreign safetensors', new TextEncoder().encode('\x02\0\0\0\0\0\0\0{}')],
    ['a header that is no object', new TextEncoder().encode('\x04\0\0\0\0\0\0\0null')],
    ['curves of fewer updates', encodeCheckpoint({ ...checkpoint, curves: checkpoint.curves.subarray(1) })],
    ['curves of more updates', encodeCheckpoint({ ...checkpoint, snapshot: { ...snapshot, update: UPDATES - 1 } })],
    ['another precision than its backend has', encodeCheckpoint({ ...exact, backend: 'cpu' })],
    ['an update that is no number', withMetadata('update', '"3"')],
    ['an update that is not whole', withMetadata('update', '3.5')],
    ['a negative update', withMetadata('update', '-3')],
    ['tokens that are missing', withMetadata('tokens', '')],
    ['an unknown backend', withMetadata('backend', 'abacus')],
    ['machines out of order', withMetadata('machines', '[{"update":3,"backend":"cpu"}]')],
    ['no members', withMetadata('members', '[]')],
    ['members that are none', withMetadata('members', '[{"arm":"a"},{"arm":"b"}]')],
    ['a member with a negative seed', withMetadata('members', JSON.stringify([{ ...snapshot.members[0], seed: -1 }]))],
    ['a layout without places', withMetadata('layout', '[{"name":"a","shape":[2]}]')],
    ['a timeline that is none', withMetadata('timeline', '[{"update":2}]')],
    ['an experiment that is none', withMetadata('experiment', 'null')],
  ])('refuses %s with advice', (_, bytes) => {
    expect(() => decodeCheckpoint(bytes)).toThrow(/Choose a checkpoint/);
  });
});

describe('a checkpoint that is not as it was written', () => {
  const bytes = encodeCheckpoint(checkpoint);
  const refused = (changed: Uint8Array): boolean => {
    try {
      decodeCheckpoint(changed);
      return false;
    } catch (cause) {
      return cause instanceof LabError && cause.code === 'invalid-experiment';
    }
  };

  test('is refused, whichever bit of it is another', () => {
    const changed = bytes.slice();
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const at = bit >> 3;
      changed[at] = (bytes[at] as number) ^ (1 << (bit & 7));
      if (!refused(changed)) expect.fail(`Bit ${bit & 7} of byte ${at} is another, and nobody noticed.`);
      changed[at] = bytes[at] as number;
    }
    expect(refused(changed)).toBe(false);
  });

  test('is refused, wherever it ends, and with more behind it', () => {
    for (let length = 0; length < bytes.length; length++) {
      if (!refused(bytes.subarray(0, length))) expect.fail(`It ends after ${length} bytes, and nobody noticed.`);
    }
    expect(refused(Buffer.concat([bytes, Buffer.alloc(4)]))).toBe(true);
  });

  test.each([
    [
      'other tokens',
      ({ __metadata__: metadata, ...rest }) => ({ __metadata__: { ...metadata, tokens: '1' }, ...rest }),
    ],
    [
      'no checksum',
      ({ __metadata__: { checksum: _, ...metadata } = {}, ...rest }) => ({ __metadata__: metadata, ...rest }),
    ],
    [
      'the checksum elsewhere',
      ({ __metadata__: { checksum, ...metadata } = {}, ...rest }) => ({
        __metadata__: { ...metadata, checksum },
        ...rest,
      }),
    ],
  ] satisfies [string, Parameters<typeof withHeader>[0]][])('is refused with a header that has %s', (_, change) => {
    expect(refused(withHeader(change))).toBe(true);
  });

  test('is read without a checksum if it is from before there were any, and says so', () => {
    const before = withHeader(({ __metadata__: { checksum: _, ...metadata } = {}, ...rest }) => ({
      __metadata__: { ...metadata, format: 'unmask-1' },
      ...rest,
    }));
    expect(decodeCheckpoint(before)).toEqual({ ...checkpoint, verified: false });
  });
});

describe('curves of another version', () => {
  const columnsOf = (curves: Float32Array, column: number) =>
    Array.from({ length: UPDATES * 2 }, (_, row) => curves[row * METRICS.length + column]);

  test('come back by the names of their metrics: a new one is unmeasured, one that is gone is left out', () => {
    const [first, second, ...rest] = METRICS;
    const names = ['no-longer-measured', first, ...rest];
    const { curves } = decodeCheckpoint(withMetadata('metrics', JSON.stringify(names)));
    expect(columnsOf(curves, 0)).toEqual(columnsOf(checkpoint.curves, 1));
    expect(columnsOf(curves, METRICS.indexOf(second))).toEqual(Array(UPDATES * 2).fill(Number.NaN));
    expect(columnsOf(curves, 2)).toEqual(columnsOf(checkpoint.curves, 2));
  });

  test('that are not as long as their names say are refused', () => {
    const fewer = JSON.stringify(METRICS.slice(1));
    expect(() => decodeCheckpoint(withMetadata('metrics', fewer))).toThrow(/curves are not those/);
  });
});
