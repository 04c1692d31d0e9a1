/** Fine-tuning on the page: a text is chosen and learned, what comes out is kept, saved, and what policies begin from. */
import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';
import { overflow, violations } from '../support/page';

const browser = chromiumHere();

const KITES =
  'Tom had a red kite. The kite was big.\n<|endoftext|>\nLily saw a kite in the sky.\n<|endoftext|>\nA kite.\n';
const textFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

/** Names of the files in what a button saves. */
async function saved(page: Page, button: string): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(button).click()]);
  const files = unzipSync(new Uint8Array(readFileSync(await download.path())));
  return Object.keys(files).map((name) => name.slice(name.lastIndexOf('/') + 1));
}

test('a text is learned, and what comes out is begun from, after a reload too', async () => {
  const { page, complaints } = await openLab(browser(), '#policies/tune', { backend: 'cpu' });
  const texts = page.getByTestId('tune-texts');
  await texts.setInputFiles(textFile('wrong.jsonl', '{"text": "Tom."}\nTom.\n'));
  await page.getByTestId('tune-problem').getByText('Line 2 is no JSON.').waitFor();
  expect(await page.getByTestId('tune-begin').isDisabled()).toBe(true);
  await texts.setInputFiles(textFile('kites.txt', KITES));
  await page.getByText('2 pieces of text to learn from').waitFor({ state: 'detached' });
  for (const [name, value] of [
    ['updates', '5'],
    ['rank', '4'],
    ['heldOut', '0.4'],
  ]) {
    await page.getByTestId(`tune-${name}`).fill(value ?? '');
    await page.getByTestId(`tune-${name}`).press('Enter');
  }
  await page.getByText('2 pieces of text to learn from, 1 held out.').waitFor();
  await page.getByTestId('tune-planned').getByText('Takes about').waitFor();
  await page.getByTestId('tune-begin').click();
  const tuned = page.getByTestId('tuned');
  await tuned.getByText('Kept in this browser as “stories260K tuned on kites.txt”.').waitFor();
  expect(await tuned.textContent()).toMatch(/Taught in 5 updates\. Loss of texts that were held out: [\d.]+ before/);
  expect(await page.getByTestId('tune-curve').locator('path').count()).toBeGreaterThan(0);
  expect(await saved(page, 'tuned-model')).toContain('model.safetensors');
  expect(await saved(page, 'tuned-adapter')).toContain('adapter_model.safetensors');
  expect(await violations(page, '#main, main')).toEqual([]);
  const resized = page.evaluate(
    () =>
      new Promise((tell) => {
        addEventListener('resize', () => tell(document.documentElement.scrollWidth), { once: true });
      }),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  // At once: a curve that is still to be drawn narrower makes the page no wider.
  expect(await resized).toBe(390);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1440, height: 860 });

  // After a reload it is where kept files are.
  await page.reload();
  await page.evaluate(() => location.assign('#policies'));
  await page.getByTestId('open-kept').click();
  await expect.poll(() => page.url()).toMatch(/policy\.model=[0-9a-f]{64}/);
  await page.evaluate(() =>
    location.assign(
      `${location.hash}&policy.adapterRank=4&updates=1&evaluation.every=0&batch.groups=1&batch.groupSize=4&environment.length=32&arms=action-mask`,
    ),
  );
  await page.locator('[data-testid=run-first]:enabled').click();
  await waitForPhase(page, 'finished');
  await page.evaluate(() => location.assign('#policies'));
  expect(await saved(page, 'export-folder')).toContain('adapter_model.safetensors');
  expect(await saved(page, 'export-merged')).toEqual(
    expect.arrayContaining(['model.safetensors', 'config.json', 'tokenizer.json']),
  );
  expect(complaints).toEqual([]);
});

test('stopped, it keeps what was learned, or nothing', async () => {
  const { page } = await openLab(browser(), '#policies/tune', { backend: 'cpu' });
  await page.getByTestId('tune-texts').setInputFiles(textFile('kites.txt', KITES));
  await page.getByTestId('tune-updates').fill('100000');
  await page.getByTestId('tune-updates').press('Enter');
  await page.locator('[data-testid=tune-begin]:enabled').click();
  await page.getByTestId('tune-curve').waitFor();
  await page.getByTestId('tune-discard').click();
  await page.getByTestId('tune-curve').waitFor({ state: 'detached' });
  await page.getByTestId('tune-begin').click();
  await page.getByTestId('tune-curve').waitFor();
  await page.getByTestId('tune-stop').click();
  await page.getByTestId('tuned').getByText('Kept in this browser').waitFor();
  expect(await page.getByTestId('tuned').textContent()).toMatch(/Taught in \d+ updates?\./);
});
