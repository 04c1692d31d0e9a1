/** Files that are no policies: each is refused by a LabError with the reason, at a cost bounded by the file's size. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabError, type LabErrorCode } from '../../src/foundation/errors';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { importOnnx } from '../../src/onnx/importOnnx';
import { POLICY_LIMITS } from '../../src/onnx/limits';
import { type Draft, decode, encode } from '../../src/onnx/messages';
import { ATTRIBUTE_TYPE, DATA_TYPE, type Graph, MODEL, type Model, type Node, type Tensor } from '../../src/onnx/proto';
import { randomPolicy } from '../support/policies';

const policy = randomPolicy(1, { layers: 1, width: 16 });
const bytes = exportOnnx(policy, { cached: false });
const model = decode(MODEL, bytes, POLICY_LIMITS.items) as Model & { graph: Graph };

type Changed = Draft<typeof MODEL>;
const inGraph = (change: (graph: Graph) => Changed['graph']): Changed => ({ ...model, graph: change(model.graph) });
const inNode = (name: string, change: Partial<Node>): Changed =>
  inGraph((graph) => ({
    ...graph,
    node: graph.node.map((node) => (node.name === name ? { ...node, ...change } : node)),
  }));
const inTensor = (name: string, change: Partial<Tensor>): Changed =>
  inGraph((graph) => ({
    ...graph,
    initializer: graph.initializer.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor)),
  }));
const inMetadata = (change: Readonly<Record<string, string>>): Changed => ({
  ...model,
  metadataProps: model.metadataProps.map(({ key = '', value }) => ({ key, value: change[key] ?? value })),
});
const inConfiguration = (change: object): Changed =>
  inMetadata({ configuration: JSON.stringify({ ...policy.configuration, ...change }) });

const varint = (value: bigint): number[] =>
  value < 0x80n ? [Number(value)] : [Number(value & 0x7fn) | 0x80, ...varint(value >> 7n)];
const lengthOf = (length: number): number[] => varint(BigInt(length));

function refusal(file: Uint8Array): LabError {
  try {
    importOnnx(file);
  } catch (cause) {
    if (cause instanceof LabError) return cause;
    throw cause;
  }
  throw new Error('The file was accepted.');
}

test('what the cases below change is sound in itself', () => {
  expect(importOnnx(encode(MODEL, model)).parameters).toEqual(policy.parameters);
});

const node = (name: string): Node => {
  const found = model.graph.node.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no operator ${name}.`);
  return found;
};

describe('a model that breaks the rules of ONNX', () => {
  test.each<[string, Changed, LabErrorCode, RegExp]>([
    ['no version', { ...model, irVersion: undefined }, 'invalid-policy', /not an ONNX file/],
    ['no graph', { ...model, graph: undefined }, 'invalid-policy', /holds no model/],
    ['no operator sets', { ...model, opsetImport: [] }, 'invalid-policy', /does not say which operators/],
    [
      'a missing initialiser',
      inGraph((graph) => ({
        ...graph,
        initializer: graph.initializer.filter(({ name }) => name !== 'layer0.up.weight'),
      })),
      'invalid-policy',
      /MatMul needs “layer0.up.weight”.*weights are missing/,
    ],
    [
      'a circle',
      inNode('layer0.up.product', { input: ['layer0.down', 'layer0.up.weight'] }),
      'invalid-policy',
      /MatMul needs “layer0.down” before.* in a circle/,
    ],
    [
      'an order that cannot be computed',
      inGraph((graph) => ({ ...graph, node: graph.node.toReversed() })),
      'invalid-policy',
      /before it can be computed: the operators are in another order/,
    ],
    [
      'a name given twice',
      inNode('layer0.up', { output: ['layer0.up.product'] }),
      'invalid-policy',
      /“layer0.up.product” twice/,
    ],
    ['an operator without a type', inNode('logits', { opType: '' }), 'invalid-policy', /“logits” has no type/],
    ['an operator without a result', inNode('logits', { output: [] }), 'invalid-policy', /has no result/],
    [
      'an output nothing computes',
      inNode('logits', { output: ['other'] }),
      'invalid-policy',
      /Nothing computes.*“logits”/,
    ],
    [
      'an attribute twice',
      inNode('finalNorm', { attribute: [...node('finalNorm').attribute, ...node('finalNorm').attribute] }),
      'invalid-policy',
      /attribute twice/,
    ],
    [
      'a shape that does not fit the bytes',
      inTensor('tokens', { dims: [16, 17] }),
      'invalid-policy',
      /“tokens” of shape \[16, 17\] has 1024 bytes, not 1088/,
    ],
    ['a negative shape', inTensor('tokens', { dims: [-16, -16] }), 'invalid-policy', /“tokens”/],
    ['a shape beyond counting', inTensor('tokens', { dims: Array(64).fill(2 ** 52) }), 'invalid-policy', /“tokens”/],
  ])('%s', (_, changed, code, words) => {
    expect(refusal(encode(MODEL, changed))).toMatchObject({ code, message: expect.stringMatching(words) });
  });
});

describe('a sound model that is no policy of ours', () => {
  const text = new TextEncoder();
  const asText = (attribute: Node['attribute'][number]) =>
    attribute.name === 'axis' ? { ...attribute, i: undefined, s: text.encode(String(attribute.i)) } : attribute;
  const inOneAxis = {
    tensorType: {
      elemType: DATA_TYPE.int64,
      shape: { dim: [{ dimValue: undefined, dimParam: 'batch, time' }] },
    },
  };
  test.each<[string, Changed, LabErrorCode, RegExp]>([
    [
      'by another program',
      { ...model, producerName: 'pytorch', metadataProps: [] },
      'unsupported',
      /written by pytorch, not by this lab/,
    ],
    ['of another format', inMetadata({ format: 'unmask-policy-9' }), 'unsupported', /“unmask-policy-9”/],
    [
      'with an old operator set',
      { ...model, opsetImport: [{ version: 12 }] },
      'unsupported',
      /operators ai.onnx 12; .* ai.onnx 20/,
    ],
    [
      'with operators of somebody',
      { ...model, opsetImport: [...model.opsetImport, { domain: 'com.acme', version: 1 }] },
      'unsupported',
      /com.acme 1/,
    ],
    ['with functions', { ...model, functions: [text.encode('x')] }, 'unsupported', /operators of its own/],
    [
      'with another activation',
      inNode('layer0.activation', { opType: 'Sigmoid' }),
      'unsupported',
      /Sigmoid\(layer0.up; \), where a policy has .*Relu/,
    ],
    [
      'with another attribute',
      inNode('finalNorm', { attribute: [] }),
      'unsupported',
      /finalNorm.beta; \), where a policy has .*epsilon/,
    ],
    [
      'with an attribute’s value as another kind, which runtimes would take for 0',
      inNode('finalNorm', { attribute: node('finalNorm').attribute.map(asText) }),
      'unsupported',
      /The graph is another one: its operator \d+ is finalNorm/,
    ],
    [
      'with two axes’ names in one',
      inGraph((graph) => ({ ...graph, input: [{ ...graph.input[0], type: inOneAxis }] })),
      'unsupported',
      /The graph is another one: its input 0 is input_ids/,
    ],
    [
      'with a further operator',
      inGraph((graph) => ({ ...graph, node: [...graph.node, { opType: 'Exp', input: ['logits'], output: ['more'] }] })),
      'unsupported',
      /has \d+ operators/,
    ],
    [
      'with another input',
      inGraph((graph) => ({ ...graph, input: [{ ...graph.input[0], type: undefined }] })),
      'unsupported',
      /input 0 is input_ids/,
    ],
    [
      'with another constant',
      inTensor('attention.scale', { rawData: Uint8Array.of(0, 0, 0, 64) }),
      'unsupported',
      /constant attention.scale/,
    ],
    [
      'with a further tensor',
      inGraph((graph) => ({
        ...graph,
        initializer: [...graph.initializer, { ...graph.initializer[0], name: 'more' }],
      })),
      'unsupported',
      /tensors/,
    ],
    [
      'with weights turned round',
      inTensor('layer0.up.weight', { dims: [64, 16] }),
      'unsupported',
      /layer0.up.weight is \[64, 16\] .* not float32 \[16, 64\]/,
    ],
    [
      'with weights in another file',
      inTensor('tokens', { dataLocation: 1, rawData: undefined }),
      'unsupported',
      /another file/,
    ],
    ['with weights as lists', inTensor('tokens', { rawData: undefined }), 'unsupported', /plain bytes/],
    [
      'quantised, by its weights',
      inTensor('tokens', { dataType: DATA_TYPE.int8, dims: [1024] }),
      'unsupported',
      /quantised \(tokens\)/,
    ],
    [
      'quantised, by its operators',
      inNode('logits', { opType: 'MatMulInteger' }),
      'unsupported',
      /quantised \(MatMulInteger\)/,
    ],
    [
      'with a graph within the graph',
      inNode('logits', { attribute: [{ ...node('finalNorm').attribute[0]!, type: ATTRIBUTE_TYPE.graph, g: bytes }] }),
      'unsupported',
      /graph of its own/,
    ],
  ])('%s', (_, changed, code, words) => {
    expect(refusal(encode(MODEL, changed))).toMatchObject({ code, message: expect.stringMatching(words) });
  });

  test.each<[string, Changed, LabErrorCode, RegExp]>([
    ['that is no JSON', inMetadata({ configuration: '{' }), 'invalid-policy', /configuration cannot be read/],
    ['that lacks a part', inConfiguration({ activation: undefined }), 'invalid-policy', /a part of it is missing/],
    ['of another width', inConfiguration({ width: 32 }), 'unsupported', /parameter tokens is \[16, 16\]/],
    ['of more layers', inConfiguration({ layers: 2 }), 'unsupported', /lacks the parameter layer1/],
    [
      'of more layers than there can be',
      inConfiguration({ layers: 1e6 }),
      'invalid-policy',
      /Layers must lie between 1 and 8/,
    ],
    ['of heads that do not fit', inConfiguration({ heads: 3 }), 'limits', /3 heads/],
    ['of other positions', inConfiguration({ positions: 'rotary' }), 'unsupported', /The graph is another one/],
    [
      'beyond all limits',
      inConfiguration({ width: 512, heads: 8, vocabulary: 65_536 }),
      'limits',
      /parameters, more than/,
    ],
    [
      'with words twice',
      inMetadata({ vocabulary: JSON.stringify(Array(16).fill('a')) }),
      'invalid-policy',
      /16 words that differ/,
    ],
    [
      'with an entry twice',
      { ...model, metadataProps: [...model.metadataProps, { key: 'format', value: 'x' }] },
      'invalid-policy',
      /“format” twice/,
    ],
  ])('with a description %s', (_, changed, code, words) => {
    expect(refusal(encode(MODEL, changed))).toMatchObject({ code, message: expect.stringMatching(words) });
  });

  test('with weights that are not finite', () => {
    const rawData = new Uint8Array(Float32Array.from({ length: 256 }, () => Number.NaN).buffer);
    expect(refusal(encode(MODEL, inTensor('tokens', { rawData }))).code).toBe('non-finite');
  });
});

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
