/**
 * Logits that another program left on the host or in a buffer of the same device, with vocabularies of language models.
 * They are read in place or copied piece by piece; both are compared with float64.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { USAGE } from '../../src/gpu/constants';
import type { FedLogits, LogitsSource } from '../../src/onnx/logits';
import { OnnxScorer } from '../../src/onnx/scorer';
import type { Backend } from '../../src/tensor/backend';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { availableBackends } from '../support/backends';
import { sharedDevice } from '../support/gpu';
import { relativeError } from '../support/policies';

const TOKENS = 5;

/** Logits, [TOKENS, V], tokens, and their numbers by softmax in float64; no logits predict the first token. */
function problem(V: number) {
  const random = new RandomStream(3, 1, 0, 0, V);
  const logits = Float32Array.from({ length: TOKENS * V }, () => 4 * random.normal());
  const tokens = Array.from({ length: TOKENS }, () => random.below(V));
  const expected = tokens.slice(1).map((token, t) => {
    const z = Float64Array.from(logits.subarray(t * V, (t + 1) * V));
    const logSum = Math.log(z.reduce((sum, x) => sum + Math.exp(x), 0));
    const entropy = logSum - z.reduce((sum, x) => sum + Math.exp(x - logSum) * x, 0);
    return { logProb: (z[token] as number) - logSum, entropy };
  });
  return { logits, tokens, expected };
}

async function left(logits: Float32Array<ArrayBuffer>, source: LogitsSource): Promise<Float32Array | GPUBuffer> {
  if (source === 'host') return logits;
  const device = await sharedDevice();
  const usage = USAGE.storage | USAGE.copySource | USAGE.copyTarget;
  const buffer = device.createBuffer({ size: Math.ceil(logits.byteLength / 16) * 16, usage });
  device.queue.writeBuffer(buffer, 0, logits);
  return buffer;
}

describe.each(availableBackends)('$name', ({ name, create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => backend.dispose());

  const sources: LogitsSource[] = name === 'webgpu' ? ['host', 'device'] : ['host'];
  const cases = sources.flatMap((source) => [
    { source, V: 151_936, rows: source === 'device' ? TOKENS : 2 },
    { source, V: 151_937, rows: 3 },
    { source, V: 18, rows: 8 },
  ]);
  test.each(cases)('$V words on the $source, $rows rows at a time', async ({ source, V, rows }) => {
    const { logits, tokens, expected } = problem(V);
    const legalSets = backend.tensor('legalSets', 'u32', 1, Math.ceil(V / 32));
    backend.write(legalSets, new Uint32Array(legalSets.stride).fill(0xffffffff));
    const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
    backend.write(hyper, Float32Array.of(1), HYPER.temperature);
    let values = await left(logits, source);
    const feed = async (): Promise<FedLogits> => ({
      values,
      vocabulary: V,
      rows: TOKENS,
      row: (_, i) => i,
      of: () => new Float32Array(0),
    });
    const scorer = new OnnxScorer(
      backend,
      { vocabulary: V, source, begin: () => {}, feed },
      { rows, legalSets, hyper },
    );
    await backend.prepare();
    const roles = tokens.map((_, t) => (t % 2 === 1 ? ROLE.action : ROLE.observation));
    const score = async () => (await scorer.score([{ tokens, roles, legalSets: tokens.map(() => 0) }]))[0];
    const first = await score();
    for (const what of ['logProb', 'entropy'] as const) {
      const found = Array.from(first?.[what] ?? []).slice(1);
      expect(
        relativeError(
          found,
          expected.map((each) => each[what]),
        ),
      ).toBeLessThan(1e-5);
    }
    // The next logits are in another buffer: the last ones left must be read.
    values = await left(
      logits.map((x) => -x),
      source,
    );
    expect((await score())?.logProb).not.toEqual(first?.logProb);
    values = await left(logits, source);
    expect(await score()).toEqual(first);
  });
});
