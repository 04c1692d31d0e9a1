/** Policies are saved from the page as files and come back bit for bit; other files leave the lab as it was. */
import { readFile } from 'node:fs/promises';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { modelFolder } from '../../src/cli/model/disk';
import { readModel } from '../../src/llama/model';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { importOnnx } from '../../src/onnx/importOnnx';
import { playPolicy } from '../../src/train/policies/play';
import { folderOf } from '../llama/folders';
import { chromiumHere } from '../support/chromiumHere';
import { curve, openLab, waitForPhase } from '../support/labPage';
import { goTo, overflow } from '../support/page';

/** Settings without learning: a run ends with the policies it began with. */
const STILL =
  '&updates=1&seeds=2&arms=action-mask,world-model&arms.action-mask.learningRate=0&arms.world-model.learningRate=0';

const browser = chromiumHere();

async function save(page: Page, arm: string, seed: string): Promise<{ bytes: Buffer; name: string }> {
  await goTo(page, 'policies');
  await page.getByTestId('export-arm').selectOption(arm);
  await page.getByTestId('export-seed').selectOption({ label: seed });
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-policy').click()]);
  return { bytes: await readFile(await download.path()), name: download.suggestedFilename() };
}

async function choose(page: Page, buffer: Buffer): Promise<void> {
  await page
    .getByTestId('open-policy')
    .setInputFiles({ name: 'given.onnx', mimeType: 'application/octet-stream', buffer });
}

/** Replaces the bytes of the policy that the browser keeps. */
async function damageKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('unmask-policies');
      opening.onsuccess = () => resolve(opening.result);
    });
    const files = database.transaction('files', 'readwrite').objectStore('files');
    const cursor = files.openCursor();
    await new Promise<void>((resolve) => {
      cursor.onsuccess = () => {
        if (cursor.result === null) return resolve();
        cursor.result.update(new Blob(['other bytes']));
        cursor.result.continue();
      };
    });
    database.close();
  });
}

/** Drops a file on the page, as a user may anywhere. */
async function drop(page: Page, bytes: Buffer): Promise<void> {
  await page.evaluate((letters) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))], 'given.onnx'));
    dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, bytes.toString('base64'));
}

const close = (page: Page): Promise<void> => page.keyboard.press('Escape');

test('a policy is saved, begun from, and saved again to the bit; its link asks for it', async () => {
  const { context, page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=3', {
    backend: 'cpu',
  });
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  await goTo(page, 'policies');
  await page.getByTestId('licence').fill('all mine');
  expect(await page.getByTestId('export-policy').isDisabled()).toBe(true);
  await page.getByRole('alert').getByText('SPDX has no such expression').waitFor();
  await page.getByTestId('licence').fill('CC-BY-4.0 OR MIT');
  // The licence is kept for the next file.
  const trained = await save(page, 'world-model', '1');
  expect(importOnnx(trained.bytes).licence).toBe('CC-BY-4.0 OR MIT');
  // Writing a file needs no onnxruntime.
  expect(asked.filter((address) => /ort[.-]|onnxruntime|\.wasm$/.test(address))).toEqual([]);
  const policy = importOnnx(trained.bytes);
  expect(policy.member).toEqual({ arm: 'world-model', seed: 1 });
  expect(trained.name).toBe(`unmask-gridworld-world-model-seed-1-update-${policy.update}.onnx`);

  const second = await openLab(browser(), `#preset=gridworld-tiny${STILL}`, { backend: 'cpu' });
  await goTo(second.page, 'policies');
  await choose(second.page, trained.bytes);
  await second.page.getByTestId('use-arm').selectOption('action-mask');
  await second.page.getByTestId('use-start').click();
  await goTo(second.page, 'policies');
  await second.page.getByTestId('use-reference').click();
  await second.page.getByTestId('run-first').click();
  await waitForPhase(second.page, 'finished');
  // The KL of both arms is measured to the file, which is the policy of one of them.
  const kl = await curve(second.page, 'kl');
  expect(kl['action-mask 0']?.split(' ').map(Number)).toEqual([0, 0]);
  for (const value of kl['world-model 0']?.split(' ') ?? []) expect(Number(value)).toBeGreaterThan(1e-4);
  const again = importOnnx((await save(second.page, 'action-mask', '0')).bytes);
  expect(Buffer.from(again.parameters.buffer).equals(Buffer.from(policy.parameters.buffer))).toBe(true);
  const other = importOnnx((await save(second.page, 'world-model', '0')).bytes);
  expect(other.parameters).not.toEqual(policy.parameters);

  await second.page.getByTestId('share').click();
  const link = await second.page.getByTestId('share-url').inputValue();
  const third = await openLab(browser(), `${link.slice(link.indexOf('#'))}&hide=policies`, { backend: 'cpu' });
  const message = third.page.locator('[data-testid=message][data-kind=missing-policies]');
  await message.waitFor();
  await third.page.getByTestId('run-first').click();
  expect(await third.page.getByTestId('status').getAttribute('data-phase')).toBe('idle');
  await third.page.getByTestId('choose-policy').click();
  await choose(third.page, Buffer.from(exportOnnx(policy, { cached: true })));
  await third.page.getByTestId('not-the-wanted').waitFor();
  await choose(third.page, trained.bytes);
  await message.waitFor({ state: 'detached' });
  await third.page.getByTestId('is-the-wanted').getByRole('link').click();
  await third.page.getByTestId('run-first').click();
  await waitForPhase(third.page, 'finished');
  // With a link that hides policies a file can still be dropped; the form has fewer fields then.
  await drop(third.page, trained.bytes);
  await third.page.getByTestId('export-policy').waitFor();
  expect(await third.page.getByTestId('licence').count()).toBe(0);

  expect([...complaints, ...second.complaints, ...third.complaints]).toEqual([]);
});

test('a trained policy is watched before anything is trained, and does in Chromium what it does in Node', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=gridworld-small');
  await page.getByTestId('watch-trained').click();
  const played = page.getByTestId('played');
  await played.waitFor();
  // The agent stands first; hashes and licences are folded away.
  await page.getByRole('heading', { name: 'A trained agent at work' }).waitFor();
  expect(await page.getByText('SHA-256').isVisible()).toBe(false);
  expect(await page.getByTestId('played-turn').isVisible()).toBe(true);
  const there = await playPolicy(new Blob([await readFile('public/policies/gridworld-trained.onnx')]), 'cpu');
  expect(Number(await played.getAttribute('data-success'))).toBe(there.played.success);
  const nats = Number(await played.getAttribute('data-nats'));
  expect(Math.abs(nats - (there.played.observationCrossEntropy ?? 0))).toBeLessThan(1e-4);
  expect(await page.getByTestId('played-on').textContent()).toMatch(/onnxruntime-web [\d.]+ \(WebAssembly/);
  const stage = page.locator('.policies-stage > [role=img]');
  const end = await stage.innerHTML();
  await page.getByTestId('played-turn').fill('0');
  expect(await stage.innerHTML()).not.toBe(end);
  expect(complaints).toEqual([]);
});

test('an arm is a policy that comes with the lab, or a file of one’s own, which is found again after a reload', async () => {
  const small = '&updates=2&seeds=1&batch.groups=2&batch.groupSize=4&arms=action-mask';
  const { context, page, complaints } = await openLab(browser(), `#preset=gridworld-small${small}`, { backend: 'cpu' });
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await page.getByTestId('add-arm').click();
  await page.getByTestId('add-fixed-trained').click();
  const row = page.locator('[data-testid^=fixed-]');
  const shipped = await readFile('public/policies/gridworld-trained.onnx');
  const own = Buffer.from(exportOnnx(importOnnx(shipped), { cached: true }));
  await goTo(page, 'policies');
  await choose(page, own);
  await page.getByTestId('use-fixed').click();
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  await page.waitForFunction(
    () => document.querySelectorAll('[data-testid^=arm-] [data-label^=success][data-value]').length === 3,
  );
  const [lab, mine] = await row.allTextContents();
  expect(lab).toMatch(/gridworld-trained\.onnx.*runs on onnxruntime-web [\d.]+ \(WebAssembly, one thread: its numbers/);
  expect(mine).toMatch(/given\.onnx/);
  const outcomes = page.locator('[data-testid^=arm-] [data-label^=prediction]');
  const nats = await outcomes.evaluateAll((cells) => cells.map((cell) => Number(cell.getAttribute('data-value'))));
  // Both files have the same policy, one with a cache; it knows its world, and the untrained arm does not.
  expect(Math.abs((nats[1] as number) - (nats[2] as number))).toBeLessThan(1e-4);
  expect(nats[1]).toBeLessThan((nats[0] as number) / 2);
  await page.locator('[data-testid^=inspect-arm]').first().click();
  await page.getByTestId('token-learning').waitFor();
  expect(await page.getByRole('dialog').textContent()).toMatch(/A fixed policy learns nothing/);
  await close(page);

  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-url').inputValue();
  asked.length = 0;
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForFunction(() => /given\.onnx/.test(document.querySelector('.arm-table')?.textContent ?? ''));
  await page.waitForFunction(() => /gridworld-trained/.test(document.querySelector('.arm-table')?.textContent ?? ''));
  expect(await page.locator('[data-kind=missing-policies]').count()).toBe(0);
  expect(asked.filter((address) => /\.onnx$/.test(address))).toHaveLength(1);
  await damageKept(page);
  await page.goto('about:blank');
  await page.goto(link);
  const message = page.locator('[data-kind=missing-policies]');
  await message.getByText('this browser had kept a copy of it, which was damaged and is deleted now').waitFor();
  await goTo(page, 'policies');
  await page.getByTestId('kept-policies').waitFor({ state: 'detached' });
  await choose(page, own);
  await message.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete given.onnx from this browser' }).click();
  await page.getByTestId('kept-policies').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('what is no policy, or another world’s, is said and changes nothing, on a phone too', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=2', {
    backend: 'cpu',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await page.getByTestId('run').click();
  await waitForPhase(page, 'finished');
  const sound = (await save(page, 'world-model', '0')).bytes;
  const problem = page.getByTestId('policy-problem');
  const shipped = await readFile('public/policies/calculator-warm-start.onnx');
  for (const [bytes, words] of [
    [sound.subarray(0, sound.length / 2), /cut short/],
    [Buffer.from('{"no": "policy"}'), /not an ONNX file/],
    [Buffer.alloc(2 ** 20, 0xff), /Nothing in the lab has changed/],
  ] as const) {
    await choose(page, bytes);
    await page.waitForFunction((source) => {
      const said = document.querySelector('[data-testid=policy-problem]')?.textContent ?? '';
      return new RegExp(source).test(said);
    }, words.source);
    expect(await problem.textContent()).toMatch(/Nothing in the lab has changed/);
  }
  await choose(page, shipped);
  expect(await page.getByTestId('opened-policy').textContent()).toMatch(
    /cannot begin from it.*trained in another world/,
  );
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await page.getByTestId('status').getAttribute('data-update')).toBe('2');
  await page.getByTestId('open-its-experiment').click();
  expect(await page.locator('.title').textContent()).toBe('What is left when the tool is gone?');
  expect(await page.locator('[data-kind=missing-policies]').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a policy that began from a language model leaves as a zipped folder, which is that model where nothing was learned', async () => {
  const still =
    '&updates=1&seeds=1&arms=action-mask&arms.action-mask.learningRate=0&batch.groups=1&batch.groupSize=2&evaluation.every=0';
  const { page, complaints } = await openLab(browser(), `#preset=listener${still}`, { backend: 'cpu' });
  await page.getByTestId('run-first').click();
  await waitForPhase(page, 'finished');
  await goTo(page, 'policies');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-folder').click()]);
  const name = 'unmask-listener-action-mask-seed-0-update-1';
  expect(download.suggestedFilename()).toBe(`${name}.zip`);
  const files = unzipSync(await readFile(await download.path()));
  const inside = Object.entries(files).map(([path, bytes]) => [path.replace(`${name}/`, ''), bytes]);
  const folder = Object.fromEntries(inside);
  expect(Object.keys(folder).sort()).toEqual([
    ...['README.md', 'config.json', 'model.safetensors', 'tokenizer.json', 'tokenizer_config.json'],
  ]);
  const [found, base] = await Promise.all([
    readModel(folderOf(folder)),
    readModel(modelFolder('public/models/stories260k')),
  ]);
  expect(found).toEqual(base);
  expect(complaints).toEqual([]);
  // One that trained adapters leaves as those alone.
  const adapting = await openLab(browser(), `#preset=listener${still}&policy.adapterRank=4`, { backend: 'cpu' });
  await adapting.page.getByTestId('run-first').click();
  await waitForPhase(adapting.page, 'finished');
  await goTo(adapting.page, 'policies');
  const button = adapting.page.getByTestId('export-folder');
  const [adapter] = await Promise.all([adapting.page.waitForEvent('download'), button.click()]);
  expect(Object.keys(unzipSync(await readFile(await adapter.path()))).sort()).toEqual(
    ['README.md', 'adapter_config.json', 'adapter_model.safetensors'].map((file) => `${name}/${file}`),
  );
  expect(await adapting.page.getByTestId('export-policy').count()).toBe(0);
  // Policies from noise have no such folder.
  const other = await openLab(browser(), `#preset=gridworld-tiny${STILL}`, { backend: 'cpu' });
  await other.page.getByTestId('run-first').click();
  await waitForPhase(other.page, 'finished');
  await goTo(other.page, 'policies');
  await other.page.getByTestId('export-policy').waitFor();
  expect(await other.page.getByTestId('export-folder').count()).toBe(0);
});
