/** Checkpoints are safetensors files: what was saved comes back, and anything else is refused with advice. */
import { describe, expect, test } from 'vitest';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint } from '../../src/train/checkpoint';

const checkpoint: Checkpoint = {
  snapshot: {
    update: 7,
    members: [
      { arm: 'a', armIndex: 0, seed: 3 },
      { arm: 'b', armIndex: 1, seed: 3 },
    ],
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
  curves: Float32Array.of(0.5, Number.NaN, 1),
  tokens: 123456789,
};

describe('a checkpoint', () => {
  test('comes back as it was saved, also from a Buffer that shares its memory', () => {
    const bytes = encodeCheckpoint(checkpoint);
    expect(decodeCheckpoint(bytes)).toEqual(checkpoint);
    const shared = Buffer.concat([Buffer.from([1, 2, 3]), bytes]).subarray(3);
    expect(decodeCheckpoint(shared)).toEqual(checkpoint);
  });

  test('is laid out as safetensors: header length, JSON, aligned data', () => {
    const bytes = encodeCheckpoint(checkpoint);
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    expect(length % 8).toBe(0);
    expect(header.parameters).toEqual({ dtype: 'F32', shape: [2, 4], data_offsets: [0, 32] });
    expect(bytes.length).toBe(8 + length + 4 * (8 * 4 + 2 + 3));
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['noise', Uint8Array.from({ length: 64 }, (_, i) => i * 7)],
    ['a file cut short', encodeCheckpoint(checkpoint).subarray(0, -9)],
    ['foreign safetensors', new TextEncoder().encode('\x02\0\0\0\0\0\0\0{}')],
  ])('refuses %s with advice', (_, bytes) => {
    expect(() => decodeCheckpoint(bytes)).toThrow(/Choose a checkpoint/);
  });
});
