/** A text read by models that PyTorch exported: tokens and log-probs are those of PyTorch in float64. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LabError } from '../../src/foundation/errors';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { decoderOf } from '../../src/onnx/foreign/decoderOf';
import { readOutline } from '../../src/onnx/foreign/outline';
import { importOnnx } from '../../src/onnx/importOnnx';
import { decode, encode } from '../../src/onnx/messages';
import { MODEL } from '../../src/onnx/proto';
import { readText, type TextReadout } from '../../src/train/reading/readText';
import { expectReading, FOREIGN_MODELS, fixture, numbers, TEXT, TOLERANCE } from '../support/foreignModels';
import { randomPolicy, referenceForward, relativeError } from '../support/policies';

const model = fixture('decoder.onnx');
const file = (name: string, bytes: Uint8Array | string): File => new File([bytes as BlobPart], name);
const tokenizer = file('tokenizer.json', fixture('tokenizer.json'));

type Initialisers = readonly { readonly rawData: Uint8Array }[];

/** File of the decoder with a changed graph. */
function changed(change: (graph: Record<string, unknown>) => object): File {
  const whole = decode(MODEL, model, 1e6);
  return file('other.onnx', encode(MODEL, { ...whole, graph: { ...whole.graph, ...change(whole.graph as never) } }));
}

/** The decoder with its largest weight in a file named `location`, and that file. */
function apart(location: string): [model: File, weights: File] {
  let weights: Uint8Array = new Uint8Array();
  const entry = (key: string, value: string) =>
    new Uint8Array([10, key.length, ...Buffer.from(key), 18, value.length, ...Buffer.from(value)]);
  const withoutWeights = changed((graph) => {
    const initializer = graph.initializer as Initialisers;
    weights = initializer.reduce((most, { rawData }) => (rawData.length > most.length ? rawData : most), weights);
    const moved = {
      rawData: undefined,
      dataLocation: 1,
      externalData: [entry('location', location), entry('offset', '0'), entry('length', String(weights.length))],
    };
    return { initializer: initializer.map((each) => (each.rawData === weights ? { ...each, ...moved } : each)) };
  });
  return [withoutWeights, file(location, weights)];
}

const read = (files: File[], text = TEXT): Promise<TextReadout> => readText({ files, text }, 'cpu');

test.each(FOREIGN_MODELS)('$what, with its tokenizer.json, from another program', async (foreign) => {
  expectReading(await read([file(foreign.file, fixture(foreign.file)), tokenizer]), foreign);
});

test.each(FOREIGN_MODELS.filter(({ isQuantised }) => isQuantised))('$what is no policy', ({ file: name }) => {
  expect(() => importOnnx(fixture(name))).toThrow(
    expect.objectContaining({ code: 'unsupported', message: expect.stringMatching(/The model is quantised \(\w+\)/) }),
  );
});

test('weights in a file of their own', async () => {
  const whole = await read([file('decoder.onnx', model), tokenizer]);
  const [parts, weights] = apart('decoder.onnx_data');
  expect(weights.size).toBe(4 * 301 * 32);
  expect((await read([parts, weights, tokenizer])).logProb).toEqual(whole.logProb);
});

test('a policy of this lab, by the words in its metadata', async () => {
  const policy = { ...randomPolicy(3), vocabulary: Array.from({ length: 16 }, (_, i) => `w${i}`) };
  const bytes = exportOnnx(policy, { cached: true });
  const reading = await read([file('policy.onnx', bytes)], 'prompt: w1 w2\naction: w3\nw4\nobservation: w5');
  expect(reading.ids).toEqual([1, 2, 3, 4, 5]);
  expect(reading.roles).toEqual([0, 0, 1, 1, 2]);
  const { logits } = await referenceForward(policy, [[1, 2, 3, 4, 5]]);
  const logProbs = [2, 3, 4, 5].map((token, t) => {
    const row = logits[0]?.subarray(t * 16, t * 16 + 16) ?? new Float64Array();
    return (row[token] as number) - Math.log(row.reduce((sum, z) => sum + Math.exp(z), 0));
  });
  expect(relativeError(numbers(reading.logProb), logProbs)).toBeLessThan(TOLERANCE);
});

test('a file that is changed anywhere is outlined, or refused with a reason, and never takes anything down', () => {
  const outlined = (bytes: Uint8Array): boolean => {
    try {
      decoderOf(readOutline(bytes));
      return true;
    } catch (cause) {
      expect(cause).toBeInstanceOf(LabError);
      return false;
    }
  };
  expect(outlined(model)).toBe(true);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => !outlined(bytes)));
  const change = fc.record({ at: fc.nat(model.length - 9), bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }) });
  const changed = fc.array(change, { minLength: 1, maxLength: 4 });
  const property = fc.property(changed, fc.nat(model.length), (changes, length) => {
    const bytes = Uint8Array.from(model);
    for (const { at, bytes: others } of changes) bytes.set(others, at);
    outlined(bytes);
    outlined(bytes.subarray(0, length));
  });
  fc.assert(property, { numRuns: 60 });
});

test('files that are too large are not even read', async () => {
  const huge = Object.defineProperty(file('huge.onnx', 'x'), 'size', { value: 2 ** 33 });
  huge.arrayBuffer = () => Promise.reject(new Error('read'));
  await expect(read([huge])).rejects.toMatchObject({
    code: 'limits',
    message: expect.stringMatching(/8589934592 bytes/),
  });
});

describe('what cannot be read is said, with advice', () => {
  const decoder = file('decoder.onnx', model);
  const valueNamed = (name: string, elemType: number, dims: (number | string)[]) => ({
    name,
    type: {
      tensorType: {
        elemType,
        shape: { dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })) },
      },
    },
  });
  test.each([
    ['no model', [tokenizer], TEXT, 'missing-policy', /no model among the files/],
    ['two models', [decoder, file('b.onnx', model)], TEXT, 'missing-policy', /more than one/],
    ['no tokenizer', [decoder], TEXT, 'missing-policy', /tokenizer\.json/],
    ['half a file', [file('a.onnx', model.subarray(0, 1000)), tokenizer], TEXT, 'invalid-policy', /cut short/],
    ['no ONNX', [file('a.onnx', '{"a": 1}'), tokenizer], TEXT, 'invalid-policy', /not an ONNX file|damaged/],
    ['weights apart', [apart('decoder.onnx_data')[0], tokenizer], TEXT, 'missing-policy', /decoder\.onnx_data/],
    [
      'pictures',
      [changed(({ input }) => ({ input: [...(input as object[]), valueNamed('pixel_values', 1, [1, 3])] })), tokenizer],
      TEXT,
      'unsupported',
      /pixel_values \(float32\)/,
    ],
    [
      'half precision',
      [changed(() => ({ output: [valueNamed('logits', 10, ['b', 't', 301])] })), tokenizer],
      TEXT,
      'unsupported',
      /logits as float16/,
    ],
    [
      'no ids',
      [changed(() => ({ input: [valueNamed('x', 1, ['b', 't'])] })), tokenizer],
      TEXT,
      'unsupported',
      /None of its inputs takes token ids: it has x/,
    ],
    ['another’s tokenizer', [decoder, file('tokenizer.json', '{"model": 1}')], TEXT, 'invalid-policy', /tokenizer/],
    [
      'a tokenizer with more tokens',
      [file('p.onnx', exportOnnx(randomPolicy(1), { cached: false })), tokenizer],
      TEXT,
      'invalid-policy',
      /do not belong together/,
    ],
    ['a text without roles', [decoder, tokenizer], 'hello', 'invalid-policy', /without a role: “hello”/],
    ['one token', [decoder, tokenizer], 'prompt: ', 'limits', /at least 2/],
    ['too long a text', [decoder, tokenizer], `prompt: ${'éü'.repeat(3000)}`, 'limits', /at most 4096/],
    [
      'longer than its positions',
      [decoder, tokenizer],
      `prompt: ${'éü'.repeat(99)}`,
      'invalid-policy',
      /could not run/,
    ],
  ] as const)('%s', async (_, files, text, code, words) => {
    const message = expect.stringMatching(words);
    await expect(read([...files], text)).rejects.toMatchObject({ name: 'LabError', code, message });
  });
});
