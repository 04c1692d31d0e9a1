/** A language model of the reader's own on the page: its folder is opened by hand, trained from, kept, and asked for by its link. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { sharedFolder } from '../support/folder';
import { curve, openLab, waitForPhase } from '../support/labPage';

const browser = chromiumHere();
const at = sharedFolder();

const LINK =
  '#preset=world-words&updates=1&evaluation.every=0&batch.groups=1&batch.groupSize=4&environment.length=32&arms=action-mask';
/** Of weights, configuration and tokenizer, one after the other. */
const HASH = ['model.safetensors', 'config.json', 'tokenizer.json', 'tokenizer_config.json']
  .filter((name) => existsSync(`public/models/stories260k/${name}`))
  .reduce((hash, name) => hash.update(readFileSync(`public/models/stories260k/${name}`)), createHash('sha256'))
  .digest('hex');

test('a folder is opened, trained from, there after a reload, and asked for where it is not', async () => {
  cpSync('public/models/stories260k', at('mine'), { recursive: true });
  cpSync('public/models/stories260k', at('broken'), { recursive: true });
  rmSync(join(at('broken'), 'tokenizer.json'));

  const { context, page, complaints } = await openLab(browser(), LINK, { backend: 'cpu' });
  await page.evaluate(() => location.assign('#settings'));
  const folder = page.locator('.experiment-part [data-testid=open-folder]');
  await folder.setInputFiles(at('broken'));
  await page.getByText('broken has no tokenizer.json').waitFor();
  await folder.setInputFiles(at('mine'));
  await page.locator('[data-testid="setting-policy.model"]').getByText('mine').waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('[data-testid="setting-policy.model"]').inputValue()).toBe(HASH);
  await expect.poll(() => page.url()).toContain(`policy.model=${HASH}`);
  expect(page.url()).not.toContain('environment.model');

  await page.reload();
  await page.evaluate(() => location.assign('#lab'));
  const words = /^Begins from mine\. Takes about [\d,]+ MiB of memory\.$/;
  await page.getByTestId('memory-told').getByText(words).first().waitFor();
  await page.locator('[data-testid=run-first]:enabled').click();

  await waitForPhase(page, 'finished');
  await page.locator('.world-stage .book').first().waitFor();
  const curves = await curve(page, 'observationCrossEntropy');
  const link = page.url();
  expect(complaints).toEqual([]);
  await context.close();

  const other = await openLab(browser(), link.slice(link.indexOf('#')), { backend: 'cpu' });
  const message = other.page.locator('[data-testid=message][data-kind=missing-model]');
  await message.waitFor();
  await message.getByTestId('open-folder').setInputFiles(at('mine'));
  await message.waitFor({ state: 'detached' });
  await other.page.locator('[data-testid=run-first]:enabled').click();
  await waitForPhase(other.page, 'finished');
  expect(await curve(other.page, 'observationCrossEntropy')).toEqual(curves);
});
