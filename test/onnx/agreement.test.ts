/** Exported policies on onnxruntime-web against the lab's own forward pass in float64. */
import { describe, expect, test } from 'vitest';
import { exportOnnx, type OnnxPolicy } from '../../src/onnx/exportOnnx';
import { POLICY_LIMITS } from '../../src/onnx/limits';
import { decode, encode } from '../../src/onnx/messages';
import { ATTRIBUTE_TYPE, MODEL } from '../../src/onnx/proto';
import { openSession } from '../../src/onnx/runtime';
import { PolicySession } from '../../src/onnx/session';
import type { PolicyConfiguration } from '../../src/policy/configuration';
import { randomPolicy, randomSequences, referenceForward, relativeError, SMALL_LLAMA } from '../support/policies';

const TOLERANCE = 1e-4;
const ROTARY = { positions: 'rotary', activation: 'relu' } as const;
const KINDS: readonly (Partial<PolicyConfiguration> & Pick<PolicyConfiguration, 'layers'>)[] = [
  { positions: 'learned', activation: 'relu', layers: 2 },
  { positions: 'learned', activation: 'gelu', layers: 1 },
  { ...ROTARY, layers: 1, heads: 4 },
  { ...ROTARY, activation: 'gelu', layers: 3 },
  { ...ROTARY, layers: 2, heads: 4, llama: SMALL_LLAMA },
  // As many heads of keys as of queries, wider together than the stream; an own head, another theta, and biases.
  {
    ...ROTARY,
    layers: 2,
    heads: 6,
    llama: { ...SMALL_LLAMA, keyValueHeads: 6, tied: false, theta: 500, epsilon: 0.01, biases: 'attention' },
  },
  { ...ROTARY, layers: 1, heads: 4, llama: { ...SMALL_LLAMA, keyValueHeads: 1, headWidth: 12, biases: 'qkv' } },
];

async function sessionOf(policy: OnnxPolicy, cached: boolean): Promise<PolicySession> {
  return PolicySession.open(exportOnnx(policy, { cached }), { ...policy, cached });
}

describe.each(KINDS)('$positions positions, $activation, $layers layers, $llama', (kind) => {
  const policy = randomPolicy(kind.layers, kind);
  const { context, vocabulary } = policy.configuration;
  const sequences = randomSequences(policy, [context, 1, 9], 5);
  const reference = referenceForward(policy, sequences);

  /** Largest error of the logits after any token, with the sequences fed in pieces. */
  async function worstError(session: PolicySession, pieces: readonly number[][]): Promise<number> {
    session.begin(sequences.length);
    let worst = 0;
    const { logits } = await reference;
    const done = sequences.map(() => 0);
    for (const sizes of pieces) {
      const additions = sequences.map((tokens, s) => tokens.slice(done[s], (done[s] as number) + (sizes[s] as number)));
      const fed = await session.feed(additions);
      additions.forEach((tokens, s) => {
        tokens.forEach((_, i) => {
          const at = ((done[s] as number) + i) * vocabulary;
          worst = Math.max(worst, relativeError(fed.of(s, i), logits[s]?.subarray(at, at + vocabulary) ?? []));
        });
        (done[s] as number) += tokens.length;
      });
    }
    expect(done).toEqual(sequences.map((tokens) => tokens.length));
    return worst;
  }

  test.each([false, true])('all tokens at once, and in ragged pieces, cached: %s', async (cached) => {
    const session = await sessionOf(policy, cached);
    const whole = [[context, 1, 9]];
    const pieces = [
      [3, 0, 1],
      [1, 1, 0],
      [7, 0, 5],
      [0, 0, 1],
      [context - 11, 0, 2],
    ];
    expect(await worstError(session, whole)).toBeLessThan(TOLERANCE);
    expect(await worstError(session, pieces)).toBeLessThan(TOLERANCE);
    // `begin` forgets what came before.
    expect(await worstError(session, whole)).toBeLessThan(TOLERANCE);
    await session.release();
  });

  test('as any other program would run it: names, types, shapes and the critic’s value', async () => {
    const { session, int64 } = await openSession(exportOnnx(policy, { cached: false }));
    expect(session.inputNames).toEqual(['input_ids']);
    expect(session.outputNames).toEqual(['logits', 'value']);
    const [tokens] = sequences as [number[]];
    const { logits, value } = await session.run({ input_ids: int64([...tokens, ...tokens], [2, context]) });
    const expected = await reference;
    expect(logits?.dims).toEqual([2, context, vocabulary]);
    expect(value?.dims).toEqual([2, context]);
    for (const half of [0, 1]) {
      const own = <T extends ArrayLike<number>>(all: T): number[] =>
        Array.from(all).slice((half * all.length) / 2, ((half + 1) * all.length) / 2);
      expect(relativeError(own(logits?.data as Float32Array), expected.logits[0] ?? [])).toBeLessThan(TOLERANCE);
      expect(relativeError(own(value?.data as Float32Array), expected.values[0] ?? [])).toBeLessThan(TOLERANCE);
    }
    await session.release();
  });
});

test('a sequence longer than the policy’s context is refused, not read beyond its positions', async () => {
  const policy = randomPolicy(1);
  const session = await sessionOf(policy, false);
  session.begin(1);
  await session.feed(randomSequences(policy, [policy.configuration.context], 1));
  await expect(session.feed([[1]])).rejects.toMatchObject({ name: 'LabError', code: 'limits' });
  await session.release();
});

describe('onnxruntime judges a model by the rules of ONNX’s own checker, and what it says is passed on', () => {
  const bytes = exportOnnx(randomPolicy(1), { cached: false });
  const model = decode(MODEL, bytes, POLICY_LIMITS.items);
  const withLogits = (change: object): Uint8Array =>
    encode(MODEL, {
      ...model,
      graph: {
        ...model.graph,
        node: model.graph?.node.map((node) => (node.name === 'logits' ? { ...node, ...change } : node)),
      },
    });
  test.each([
    [
      'an unknown attribute',
      withLogits({ attribute: [{ name: 'colour', type: ATTRIBUTE_TYPE.int, i: 3 }] }),
      /Unrecognized attribute: colour/,
    ],
    ['too few inputs', withLogits({ input: ['finalNorm'] }), /MatMul/],
    ['another type', withLogits({ input: ['finalNorm', 'input_ids'] }), /[Tt]ype/],
    ['another shape', withLogits({ input: ['finalNorm', 'tokens'] }), /dimension|shape/i],
    ['an unknown operator', withLogits({ opType: 'MatMal' }), /MatMal/],
    ['half the file', bytes.subarray(0, bytes.length / 2), /./],
  ])('%s', async (_, file, words) => {
    const message = expect.stringMatching(words);
    await expect(openSession(file)).rejects.toMatchObject({ name: 'LabError', code: 'invalid-policy', message });
  });
});
