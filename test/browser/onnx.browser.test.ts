/**
 * onnxruntime-web in Chromium: on the lab's own GPUDevice, where the masked log-prob reads its logits as they lie, and on
 * WebAssembly. Both against float64.
 */
import { expect, test } from 'vitest';
import { withPage } from '../../bench/browserBundle';
import type { PageRun } from '../support/onnxPage';
import { onnxProblem } from '../support/onnxProblem';
import { referenceForward, relativeError } from '../support/policies';

const TOLERANCE = 1e-4;

declare const bench: { run(provider: 'webgpu' | 'wasm'): Promise<PageRun> };

test('logits stay on the shared device, or come to the host, and either way are those of float64', async () => {
  const [gpu, host] = await withPage('test/support/onnxPage.ts', async (page) => [
    await page.evaluate(() => bench.run('webgpu')),
    await page.evaluate(() => bench.run('wasm')),
  ]);
  expect(gpu?.description).toMatch(/onnxruntime-web [\d.]+ \(WebGPU, on the lab’s own device, .+: logits stay there\)/);
  expect(gpu?.held).toBe('GPUBuffer');
  expect(host?.description).toMatch(/\(WebAssembly, one thread: the lab computes on the CPU here\)/);
  expect(host?.held).toBe('Float32Array');

  const { policy, sequences } = onnxProblem();
  const { logits } = await referenceForward(policy, sequences);
  const V = policy.configuration.vocabulary;
  const logProbs = sequences.map((tokens, s) =>
    tokens.map((token, t) => {
      if (t === 0) return 0;
      const row = logits[s]?.subarray((t - 1) * V, t * V) ?? new Float64Array();
      return (row[token] as number) - Math.log(row.reduce((sum, z) => sum + Math.exp(z), 0));
    }),
  );
  for (const found of [gpu, host]) {
    expect(relativeError(found?.logProb.flat() ?? [], logProbs.flat())).toBeLessThan(TOLERANCE);
    // The same provider gives the same bits.
    expect(found?.again).toEqual(found?.logProb);
    for (const [s, expected] of logits.entries()) {
      expect(relativeError(found?.logits[s] ?? [], expected)).toBeLessThan(TOLERANCE);
      expect(relativeError(found?.own[s] ?? [], found?.logits[s] ?? [])).toBeLessThan(TOLERANCE);
    }
  }
});
