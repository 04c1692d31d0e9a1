/** Exported policies come back bit for bit. */
import { describe, expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { importOnnx } from '../../src/onnx/importOnnx';
import { POLICY_LIMITS } from '../../src/onnx/limits';
import { decode, encode, many, one } from '../../src/onnx/messages';
import { MODEL } from '../../src/onnx/proto';
import { readModel } from '../../src/onnx/readModel';
import { walkText } from '../support/ownWorlds';
import { randomPolicy, SMALL_LLAMA } from '../support/policies';

const KINDS = (['learned', 'rotary'] as const).flatMap((positions) =>
  (['relu', 'gelu'] as const).flatMap((activation) =>
    [false, true].map((cached) => ({ positions, activation, cached })),
  ),
);

/** True for equal bytes. Vitest's own comparison takes seconds here, and takes −0 for 0. */
const sameBytes = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));

const LLAMAS = [SMALL_LLAMA, { ...SMALL_LLAMA, keyValueHeads: 4, tied: false, biases: 'qkv' as const }].flatMap(
  (llama) =>
    [false, true].map((cached) => ({ positions: 'rotary' as const, activation: 'relu' as const, cached, llama })),
);

describe.each([...KINDS, ...LLAMAS])(
  '$positions positions, $activation, cached: $cached, $llama',
  ({ cached, ...kind }) => {
    const policy = randomPolicy(1, { ...kind, layers: 3, width: 16, heads: 4 });
    // Numbers that conversion to text or float64 could lose.
    policy.parameters.set([-0, 1e-45, -3.4028234663852886e38, 1.1754942e-38]);
    const bytes = exportOnnx(policy, { cached });

    test('parameters and description come back', () => {
      const { parameters, ...description } = importOnnx(bytes);
      expect(sameBytes(parameters, policy.parameters)).toBe(true);
      const { parameters: _, ...expected } = policy;
      expect(description).toEqual({ ...expected, cached });
    });

    test('the same policy always gives the same file, and an imported one gives it again', () => {
      expect(sameBytes(exportOnnx(policy, { cached }), bytes)).toBe(true);
      expect(sameBytes(exportOnnx(importOnnx(bytes), { cached }), bytes)).toBe(true);
    });

    test('the graph is tidy: everything is named, told and used', () => {
      const { graph, metadataProps, docString } = readModel(bytes);
      const names = graph.node.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).not.toContain(undefined);
      expect([...graph.input, ...graph.output].filter((value) => !value.docString)).toEqual([]);
      const needed = new Set([...graph.node.flatMap(({ input }) => input), ...graph.output.map(({ name }) => name)]);
      const made = [...graph.initializer, ...graph.input].map(({ name }) => name);
      expect([...made, ...graph.node.flatMap(({ output }) => output)].filter((name) => !needed.has(name))).toEqual([]);
      expect(docString).toBe('A policy of gridworld: world-model, seed 3, after 17 updates.');
      const metadata = Object.fromEntries(metadataProps.map(({ key, value }) => [key, value]));
      expect(metadata).toMatchObject({ licence: 'CC0-1.0', experiment: 'preset=gridworld&seed=4', update: '17' });
      expect(JSON.parse(metadata.vocabulary ?? '')).toEqual(policy.vocabulary);
    });
  },
);

test('a file is read wherever it lies in memory', () => {
  const policy = randomPolicy(2);
  const bytes = exportOnnx(policy, { cached: false });
  for (const offset of [1, 2, 3]) {
    const buffer = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(5)]);
    const { parameters } = importOnnx(buffer.subarray(offset, offset + bytes.length));
    expect(sameBytes(parameters, policy.parameters)).toBe(true);
  }
});

test('a policy of a world of one’s own comes back, its world with it; a success that none can be is refused', () => {
  const world = walkText({ before: `// ${'long '.repeat(1000)}\n` });
  const policy = { ...randomPolicy(4), environment: { id: 'own', settings: { world } } };
  expect(importOnnx(exportOnnx(policy, { cached: false })).environment.settings.world).toBe(world);
  const boast = exportOnnx({ ...policy, results: { successRate: 1e308 } }, { cached: false });
  expect(() => importOnnx(boast)).toThrow(expect.objectContaining({ code: 'invalid-policy' }));
});

test('the blocks of a file are judged: none that no policy could have', () => {
  const policy = randomPolicy(1, { positions: 'rotary', layers: 1, width: 16, heads: 4, llama: SMALL_LLAMA });
  const bytes = exportOnnx(policy, { cached: false });
  const text = JSON.stringify({ ...policy.configuration, llama: SMALL_LLAMA });
  const withBlocks = (llama: object): Uint8Array => {
    const model = decode(MODEL, bytes, POLICY_LIMITS.items);
    const value = JSON.stringify({ ...JSON.parse(text), llama });
    const metadataProps = model.metadataProps.map((entry) =>
      entry.key === 'configuration' ? { ...entry, value } : entry,
    );
    return encode(MODEL, { ...model, metadataProps });
  };
  expect(importOnnx(withBlocks(SMALL_LLAMA)).configuration.llama).toEqual(SMALL_LLAMA);
  for (const change of [
    { keyValueHeads: 3 },
    { headWidth: 256 },
    { hidden: 22 },
    { hidden: 1e12 },
    { epsilon: 0 },
    { theta: -1 },
    { tied: 1 },
    { biases: 'all' },
    { experts: 8 },
    // The graph is another one.
    { theta: 500 },
    { epsilon: 1e-3 },
    { tied: false },
  ]) {
    expect(() => importOnnx(withBlocks({ ...SMALL_LLAMA, ...change })), JSON.stringify(change)).toThrow(LabError);
  }
});

test('a policy that trained adapters has no such file', () => {
  const adapters = { rank: 4, factor: 1, maps: ['self_attn.q_proj'] };
  const policy = randomPolicy(1, { positions: 'rotary', layers: 1, width: 16, heads: 4, llama: SMALL_LLAMA, adapters });
  expect(() => exportOnnx(policy, { cached: false })).toThrow(/Merge it: lab export/);
});

test('a policy that diverged is not exported', () => {
  const policy = randomPolicy(3);
  policy.parameters[100] = Number.NaN;
  expect(() => exportOnnx(policy, { cached: false })).toThrow(expect.objectContaining({ code: 'non-finite' }));
});

test('a message has doubles too, to the last bit', () => {
  const table = { name: 'Event', fields: { wallTime: one(1, 'double'), more: many(2, 'double') } } as const;
  const message = { wallTime: 0.1, more: [-0, 5e-324] };
  expect(decode(table, encode(table, message), 9)).toEqual(message);
});
