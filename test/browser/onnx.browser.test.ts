/**
 * onnxruntime-web in Chromium, on WebAssembly and on the lab's own GPUDevice, where the masked log-prob reads its logits
 * in place. Both are compared with float64: first alone, then in the page, where a foreign model reads a text.
 */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { withPage } from '../../bench/browserBundle';
import { importOnnx } from '../../src/onnx/importOnnx';
import { added, watchAdded } from '../support/added';
import { chromiumHere } from '../support/chromiumHere';
import {
  expected,
  expectReading,
  FOREIGN_MODELS,
  type ForeignModel,
  fixture,
  numbers,
  TEXT,
  TOLERANCE,
} from '../support/foreignModels';
import { isolatedSite } from '../support/isolated';
import { openLab } from '../support/labPage';
import { onnxProblem } from '../support/onnxProblem';
import { chooseBackend, goTo, overflow } from '../support/page';
import { referenceForward, relativeError } from '../support/policies';

const browser = chromiumHere();

declare const bench: typeof import('../support/onnxPage') & typeof import('../support/readingPage');

/** Log-prob of each token but the first, given those before it. */
function logProbsOf(tokens: readonly number[], logits: Float64Array, V: number): number[] {
  return tokens.slice(1).map((token, t) => {
    const row = logits.subarray(t * V, (t + 1) * V);
    return (row[token] as number) - Math.log(row.reduce((sum, z) => sum + Math.exp(z), 0));
  });
}

test('logits stay on the shared device, or come to the host, and either way are those of float64', async () => {
  const [gpu, host, without] = await withPage('test/support/onnxPage.ts', async (page) => [
    await page.evaluate(() => bench.run('webgpu')),
    await page.evaluate(() => bench.run('wasm')),
    await page.evaluate(() => {
      Reflect.deleteProperty(WebAssembly, 'Suspending');
      return bench.run('webgpu');
    }),
  ]);
  expect(without?.description).toMatch(/\(WebAssembly, one thread: this browser lacks JSPI, which WebGPU needs\)/);
  expect(without?.held).toBe('Float32Array');
  expect(gpu?.description).toMatch(/onnxruntime-web [\d.]+ \(WebGPU, on the lab’s own device, .+: logits stay there\)/);
  expect(gpu?.held).toBe('GPUBuffer');
  expect(host?.description).toMatch(/\(WebAssembly, one thread: the lab computes on the CPU here\)/);
  expect(host?.held).toBe('Float32Array');

  const { policy, sequences } = onnxProblem();
  const { logits } = await referenceForward(policy, sequences);
  const V = policy.configuration.vocabulary;
  const logProbs = sequences.map((tokens, s) => [0, ...logProbsOf(tokens, logits[s] ?? new Float64Array(), V)]);
  for (const found of [gpu, host, without]) {
    expect(relativeError(found?.logProb.flat() ?? [], logProbs.flat())).toBeLessThan(TOLERANCE);
    // The same provider gives the same bits.
    expect(found?.again).toEqual(found?.logProb);
    for (const [s, expected] of logits.entries()) {
      expect(relativeError(found?.logits[s] ?? [], expected)).toBeLessThan(TOLERANCE);
      expect(relativeError(found?.own[s] ?? [], found?.logits[s] ?? [])).toBeLessThan(TOLERANCE);
    }
  }
});

test('models that others made are read in the page, rounded ones too', async () => {
  const named = (name: string) => ({ name, base64: fixture(name).toString('base64') });
  await withPage('test/support/readingPage.ts', async (page) => {
    const read = async (foreign: ForeignModel, backend: 'cpu' | 'webgpu'): Promise<string> => {
      const files = [named(foreign.file), named('tokenizer.json')];
      const reading = await page.evaluate((given) => bench.read(...given), [files, TEXT, backend] as const);
      expectReading(reading, foreign);
      return reading.runtime;
    };
    for (const foreign of FOREIGN_MODELS) expect(await read(foreign, 'cpu')).toMatch(/WebAssembly, one thread/);
    // Its mask is float64, which onnxruntime's build for WebGPU does not support.
    const t5 = FOREIGN_MODELS.find(({ file }) => file === 't5.onnx') as ForeignModel;
    expect(await read(t5, 'webgpu')).toMatch(/WebAssembly, one thread: WebGPU would not do/);
  });
});

/** Id, log-prob and entropy of every token, from the table; the first has neither log-prob nor entropy. */
async function numbersOf(page: Page): Promise<{ ids: number[]; logProb: number[]; entropy: number[] }> {
  await page.getByTestId('text-reading').waitFor();
  await page.getByTestId('text-as-table').click();
  const rows = await page.locator('tr[data-token]').evaluateAll((all) =>
    all.map((row) => ({
      id: Number(row.querySelector('td')?.textContent),
      logProb: Number(row.getAttribute('data-log-prob')),
      entropy: Number(row.getAttribute('data-entropy')),
    })),
  );
  const [ids, logProb, entropy] = (['id', 'logProb', 'entropy'] as const).map((name) => rows.map((row) => row[name]));
  return { ids: ids ?? [], logProb: (logProb ?? []).slice(1), entropy: (entropy ?? []).slice(1) };
}

test('a text is read on the page’s GPU by a policy of the lab, and on a phone by a model of PyTorch’s', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=gridworld-tiny', { backend: 'webgpu' });
  await goTo(page, 'policies');
  await page.getByTestId('read-with-another').click();
  await page.getByTestId('text-example').click();
  await page.getByTestId('text-chosen').getByText('gridworld-trained.onnx').waitFor();
  await page.getByTestId('read-text').click();
  const own = await numbersOf(page);
  expect(await page.getByTestId('text-ran-on').textContent()).toMatch(/WebGPU, on the lab’s own device/);
  const policy = importOnnx(await readFile('public/policies/gridworld-trained.onnx'));
  const { logits } = await referenceForward(policy, [own.ids]);
  const logProbs = logProbsOf(own.ids, logits[0] ?? new Float64Array(), policy.configuration.vocabulary);
  expect(logProbs.length).toBeGreaterThan(8);
  expect(relativeError(own.logProb, logProbs)).toBeLessThan(TOLERANCE);

  const phone = { backend: 'cpu', viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
  const second = await openLab(browser(), '#preset=gridworld-tiny', phone);
  await goTo(second.page, 'policies');
  await second.page.getByTestId('read-with-another').click();
  const files = ['decoder.onnx', 'tokenizer.json'].map((name) => `test/fixtures/pytorch/${name}`);
  await second.page.getByTestId('text-files').setInputFiles(files.slice(0, 1));
  await second.page.getByTestId('read-text').click();
  await second.page.getByTestId('text-problem').getByText('tokenizer.json that came with the model').waitFor();
  await second.page.getByTestId('text-files').setInputFiles(files);
  await second.page.getByTestId('text-to-read').fill(TEXT);
  await second.page.getByTestId('read-text').click();
  const foreign = await numbersOf(second.page);
  // The server sends no headers for isolation, like a static host.
  expect(await second.page.evaluate(() => crossOriginIsolated)).toBe(false);
  expect(await second.page.getByTestId('text-ran-on').textContent()).toMatch(/\(WebAssembly, one thread/);
  expect(foreign.ids).toEqual(expected.ids);
  expect(relativeError(foreign.logProb, numbers(expected.logProb))).toBeLessThan(TOLERANCE);
  expect(relativeError(foreign.entropy, numbers(expected.entropy))).toBeLessThan(TOLERANCE);
  const nats = async (loss: string) =>
    Number(await second.page.locator(`tr[data-loss="${loss}"]`).getAttribute('data-nats'));
  const all = -numbers(expected.logProb).reduce((sum, value) => sum + value, 0);
  expect(Math.abs((await nats('the loss, no mask')) / all - 1)).toBeLessThan(TOLERANCE);
  expect(await nats('the loss, action mask')).toBe(await nats('action'));
  expect(await nats('action')).toBeLessThan(all);
  expect(await overflow(second.page)).toBeLessThanOrEqual(0);
  expect([...complaints, ...second.complaints]).toEqual([]);
});

test('a page that is isolated from other origins reads a text in several threads, and says that a model is quantised', async () => {
  const site = await isolatedSite();
  try {
    const page = await browser().newPage();
    await page.goto(`${site.url}#preset=gridworld-tiny`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await chooseBackend(page, 'cpu');
    await goTo(page, 'policies');
    await page.getByTestId('read-with-another').click();
    const files = ['weights.onnx', 'tokenizer.json'].map((name) => `test/fixtures/pytorch/${name}`);
    await page.getByTestId('text-files').setInputFiles(files);
    await page.getByTestId('text-to-read').fill(TEXT);
    await page.getByTestId('read-text').click();
    const { logProb } = await numbersOf(page);
    expect(await page.getByTestId('text-ran-on').textContent()).toMatch(
      /It is quantised: its numbers are not those of the model it was made from.*\(WebAssembly, [2-4] threads/,
    );
    expect(relativeError(logProb, numbers(expected.weights.logProb))).toBeLessThan(TOLERANCE);

    // All 720 tokens in 80 lines come, at most 128 and the rest of a line in one task.
    await page
      .getByTestId('text-files')
      .setInputFiles(['recurrent.onnx', 'tokenizer.json'].map((name) => `test/fixtures/pytorch/${name}`));
    await page.getByTestId('text-to-read').fill('action: grep -c timeout error.log\n'.repeat(80));
    await watchAdded(page, '.text-token, tr[data-token]');
    await page.getByTestId('read-text').click();
    await page.locator('.text-token').nth(719).waitFor({ state: 'attached' });
    await page.getByTestId('text-as-table').click();
    await page.locator('tr[data-token="719"]').waitFor({ state: 'attached' });
    expect((await added(page)).all).toBe(2 * 720);
    expect((await added(page)).most).toBeLessThanOrEqual(128 + 9);
  } finally {
    site.close();
  }
});
