/** Bytes that are no policy's file: each is refused by a LabError with the reason, at a cost bounded by the file's size. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { importOnnx } from '../../src/onnx/importOnnx';
import { POLICY_LIMITS } from '../../src/onnx/limits';
import { encode } from '../../src/onnx/messages';
import { MODEL } from '../../src/onnx/proto';
import {
  bytes,
  type Changed,
  inConfiguration,
  inGraph,
  inMetadata,
  inNode,
  inTensor,
  policy,
  refusal,
} from './changedModel';

const varint = (value: bigint): number[] =>
  value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
const lengthOf = (length: number): number[] => varint(BigInt(length));

describe('bytes that are no message', () => {
  const graph = (...content: number[]): Uint8Array => Uint8Array.of(0x08, 9, 0x3a, ...content);
  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(), /empty/],
    ['a length of 2 GB', graph(...varint(2n ** 31n)), /announces 2147483648 more bytes, and 0 are there/],
    ['a negative length', graph(...varint(2n ** 64n - 1n)), /announces a negative length/],
    ['a length beyond all', graph(...varint(2n ** 62n)), /a number that nothing can have/],
    ['a number without an end', graph(...Array(20).fill(0xff)), /a number without an end/],
    ['a group', Uint8Array.of(0x23, 0x24), /type 3/],
    ['a field without a number', Uint8Array.of(0, 0), /not an ONNX file/],
    ['a field of another type', Uint8Array.of(0x0d, 0, 0, 0, 0), /irVersion of a ModelProto.*another type/],
    ['two graphs', Uint8Array.of(0x3a, 0, 0x3a, 0), /graph twice/],
    ['text that is none', Uint8Array.of(0x12, 2, 0xc3, 0x28), /producerName of a ModelProto.*no text/],
    ['a page', new TextEncoder().encode('<!doctype html><title>404</title>'), /./],
    ['JSON', new TextEncoder().encode('{"a": 1}'), /./],
  ])('%s', (_, file, words) => {
    expect(refusal(file)).toMatchObject({ code: 'invalid-policy', message: expect.stringMatching(words) });
  });

  test('any part of a policy’s file', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: bytes.length - 1 }), (length) => {
        expect(refusal(bytes.subarray(0, length)).code).toBe('invalid-policy');
      }),
      { numRuns: 200 },
    );
  });

  test('anything', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (file) => {
        expect(refusal(file).advice).toMatch(/\.$/);
      }),
      { numRuns: 2000 },
    );
  });

  test('a policy with a few bytes changed is read or refused, and nothing else', () => {
    const change = fc.tuple(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }));
    // Weights are most of the file, so some changes are placed in its structure at the beginning.
    const early = fc.tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(fc.array(fc.oneof(change, early), { minLength: 1, maxLength: 4 }), (changes) => {
        const file = bytes.slice();
        for (const [at, by] of changes) (file[at] as number) ^= by;
        try {
          expect(importOnnx(file).parameters).toHaveLength(policy.parameters.length);
        } catch (cause) {
          if (!(cause instanceof LabError)) throw cause;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a file that would cost much', () => {
  const count = 2 ** 22;
  /** Model whose graph is a large number of empty messages of one field, two bytes each. */
  const swarm = (field: number): Uint8Array => {
    const content = new Uint8Array(2 * count);
    for (let i = 0; i < count; i++) content[2 * i] = field * 8 + 2;
    return concat(Uint8Array.of(0x08, 9, 0x3a, ...lengthOf(content.length)), content);
  };
  const concat = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

  test.each([
    ['operators', 1],
    ['initialisers', 5],
    ['inputs', 11],
    ['fields that nobody knows', 9],
  ])('by millions of %s', (_, field) => {
    expect(refusal(swarm(field))).toMatchObject({ code: 'limits', message: expect.stringMatching(/more parts/) });
  });

  test.each([
    ['packed numbers', (): Uint8Array => concat(Uint8Array.of(0x0a, ...lengthOf(count)), new Uint8Array(count))],
    ['lists without a number', (): Uint8Array => new Uint8Array(2 * count).map((_, i) => (i % 2 === 0 ? 0x0a : 0))],
  ])('by millions of %s', (_, content) => {
    const tensor = content();
    const graph = concat(Uint8Array.of(0x2a, ...lengthOf(tensor.length)), tensor);
    const file = concat(Uint8Array.of(0x08, 9, 0x3a, ...lengthOf(graph.length)), graph);
    expect(refusal(file)).toMatchObject({ code: 'limits', message: expect.stringMatching(/more parts/) });
  });

  test('by texts that are longer than any vocabulary', () => {
    const file = encode(MODEL, inMetadata({ vocabulary: `["${'a'.repeat(2 ** 23)}"]` }));
    expect(refusal(file)).toMatchObject({ code: 'limits', message: expect.stringMatching(/value of a StringString/) });
  });

  test.each<[string, Changed]>([
    ['key', inConfiguration({ ['x'.repeat(1e5)]: 1 })],
    ['word', inMetadata({ vocabulary: JSON.stringify(['x'.repeat(1e5)]) })],
    ['result', inMetadata({ results: JSON.stringify({ ['x'.repeat(1e5)]: 'x'.repeat(1e5) }) })],
    ['shape', inTensor('tokens', { dims: [16, 16, ...Array(5e4).fill(1)] })],
    ['name', inNode('logits', { name: 'x'.repeat(1e5), input: ['x'.repeat(1e5)] })],
    ['operator', inNode('logits', { opType: 'x'.repeat(1e5) })],
  ])('for the person who reads of a long %s', (_, changed) => {
    expect(refusal(encode(MODEL, changed)).message.length).toBeLessThan(600);
  });

  test('by more operators than any policy has', () => {
    const many = Array.from({ length: POLICY_LIMITS.nodes + 1 }, (_, i) => ({ opType: 'Exp', output: [`${i}`] }));
    const file = encode(
      MODEL,
      inGraph((own) => ({ ...own, node: many })),
    );
    expect(refusal(file)).toMatchObject({ code: 'limits', message: expect.stringMatching(/2049 operators/) });
  });

  test('by its size alone', () => {
    // The bytes are never read, so the system provides no memory for them.
    expect(refusal(new Uint8Array(POLICY_LIMITS.bytes + 1)).code).toBe('limits');
  });
});
