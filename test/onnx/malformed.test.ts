/** Models that are no policies: each is refused by a LabError with the reason. */
import { describe, expect, test } from 'vitest';
import type { LabErrorCode } from '../../src/foundation/errors';
import { importOnnx } from '../../src/onnx/importOnnx';
import { encode } from '../../src/onnx/messages';
import { ATTRIBUTE_TYPE, DATA_TYPE, MODEL, type OnnxNode } from '../../src/onnx/proto';
import {
  bytes,
  type Changed,
  inConfiguration,
  inGraph,
  inMetadata,
  inNode,
  inTensor,
  model,
  policy,
  refusal,
} from './changedModel';

test('what the cases below change is sound in itself', () => {
  expect(importOnnx(encode(MODEL, model)).parameters).toEqual(policy.parameters);
});

const node = (name: string): OnnxNode => {
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
  const asText = (attribute: OnnxNode['attribute'][number]) =>
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
