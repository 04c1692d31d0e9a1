/** A user's loss, written in the page: a mistake in place, its mending, Apply while it trains, the mark, the link. */
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { curve, openLab, waitForPhase, waitForUpdate } from '../support/labPage';
import { goTo, overflow, violations } from '../support/page';

const browser = chromiumHere();

const TEXT =
  '# Less weight on what is likely already\nparam power = 0.5 in [0, 2]\nloss = -(1 - exp(logp)) ** power * logp\nshow likely = exp(logp)';
const ARM = 'world-model';

const said = (page: Page) => page.getByTestId('own-loss-said');

/** Types over the whole text. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByTestId('formula-text').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

const written = (page: Page): Promise<string> =>
  page
    .getByTestId('formula-text')
    .locator('.cm-line')
    .allTextContents()
    .then((lines) => lines.join('\n'));

/** The cross-entropy of observations so far, once the run rests. */
async function measured(page: Page): Promise<Record<string, string>> {
  await page.getByTestId('pause').click();
  await waitForPhase(page, 'paused');
  return curve(page, 'observationCrossEntropy');
}

test('a formula is written, mended, applied to a running arm, marked, and found again behind its link', async () => {
  const { context, page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=9000', {
    backend: 'cpu',
  });
  await page.getByTestId('run-first').click();
  // It waits while the text is written: what it trains meanwhile would be trained once more behind the link.
  await page.getByTestId('pause').click();
  await waitForPhase(page, 'paused');
  await goTo(page, 'loss');
  await page.getByTestId('write-loss-world-model').click();
  await goTo(page, 'lab');
  await page.getByTestId('formula-text').waitFor();
  expect(await written(page)).toContain('loss = -min(ratio * A');
  await page.locator('.own-loss-plot svg').first().waitFor();

  await write(page, TEXT.replace('exp(logp)', 'exp(logprob)'));
  await page.locator('.cm-lintRange-error').waitFor();
  expect(await page.locator('.cm-lintRange-error').textContent()).toBe('logprob');
  expect(await said(page).textContent()).toMatch(/^Line 3, column 18: “logprob” is not known\. Did you mean logp\?/);
  const apply = page.getByTestId('own-loss-apply');
  expect(await apply.isDisabled()).toBe(true);

  // Nor can a loss that teaches nothing be applied, by button or keys.
  await write(page, 'loss = A * detach(logp)');
  await page.getByText('It has no gradient').waitFor();
  expect(await apply.isDisabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  expect(await apply.textContent()).not.toBe('Applied');

  await write(page, TEXT);
  await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
  expect(await page.getByTestId('own-loss-reach').textContent()).toBe('It reaches: action 100%, observation 0%.');
  await page.getByTestId('own-loss-place').selectOption('predict');
  await page.getByTestId('own-loss-name').fill('focal');
  await page.getByTestId('run').click();
  await waitForUpdate(page, 2);
  // Tab leaves the text; Control and Enter apply it.
  await page.getByTestId('formula-text').focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.shadowRoot ?? null)).toBeNull();
  await page.getByTestId('formula-text').focus();
  await page.keyboard.press('Control+Enter');
  const timeline = page.getByTestId('timeline');
  await timeline.getByRole('button', { name: /formula focal to Less weight on what is likely already/ }).waitFor();
  await timeline.getByRole('button', { name: /place of focal .*that of the prediction loss/ }).waitFor();
  expect(await page.getByTestId(`cell-${ARM}-observation`).textContent()).toMatch(/^focal /);
  const applied = Number(await page.getByTestId('status').getAttribute('data-update'));
  await waitForUpdate(page, applied + 2);
  await page.getByTestId('own-loss-close').click();
  await goTo(page, 'settings');
  expect(await page.getByTestId(`replaced-${ARM}`).textContent()).toContain('focal');
  // What the text shows is a curve under its name.
  await goTo(page, 'training');
  expect(await page.getByTestId('chart-shown1').textContent()).toContain('likely');
  const curves = await measured(page);
  const last = Number(await page.getByTestId('status').getAttribute('data-update'));
  expect(last).toBeGreaterThan(applied);
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-url').inputValue();
  await context.close();

  const second = await openLab(browser(), link.slice(link.indexOf('#')), { backend: 'cpu' });
  const passedOn = second.page.getByTestId('timeline');
  await passedOn.getByRole('button', { name: /formula focal to Less weight on what is likely already/ }).waitFor();
  await second.page.getByTestId('run-first').click();
  // The table has the last 500 updates; both rest at about the same one.
  await waitForUpdate(second.page, last);
  const again = await measured(second.page);
  const shared = Object.keys(curves).filter((at) => at in again);
  expect(shared).toContain(`${ARM} ${last - 1}`);
  for (const at of shared) expect(again[at], at).toBe(curves[at]);
  expect([...complaints, ...second.complaints]).toEqual([]);
});

test('before a run the text is in the link; the desk is accessible in both themes, and undone', async () => {
  const { page } = await openLab(browser(), '#settings&preset=gridworld-tiny', { colorScheme: 'light' });
  await page.getByTestId(`write-loss-${ARM}`).click();
  await page.getByTestId('formula-text').waitFor();
  await write(page, TEXT);
  await page.getByTestId('own-loss-place').selectOption('added');
  await page.getByTestId('own-loss-apply').click();
  await page.locator('.own-loss-plot svg').first().waitFor();
  expect(await violations(page, '.own-loss-desk')).toEqual([]);
  await write(page, `${TEXT}\nshow x = (logp`);
  // Where the text ends there is no letter to underline: the mark has no width.
  await page.locator('.cm-lintPoint').waitFor({ state: 'attached' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page, '.own-loss-desk')).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.getByTestId('own-loss-close').click();
  await page.locator(`[data-testid=write-loss-${ARM}]:focus`).waitFor();
  await page.setViewportSize({ width: 1440, height: 860 });
  await page.getByTestId('share').click();
  const link = await page.getByTestId('share-url').inputValue();
  await page.keyboard.press('Escape');

  const second = await browser().newContext();
  const other = await second.newPage();
  await other.goto(`${inject('siteUrl')}${link.slice(link.indexOf('#'))}`);
  await goTo(other, 'settings');
  await other.getByTestId(`own-loss-${ARM}-mine`).getByRole('button', { name: 'Edit' }).click();
  await other.getByTestId('formula-text').waitFor();
  expect(await written(other)).toBe(TEXT);
  await second.close();

  // Apply is taken back, and the arm has no loss of its own.
  await page.getByTestId(`write-loss-${ARM}`).click();
  await page.getByTestId('own-loss-undo').click();
  await page.getByTestId(`own-loss-${ARM}-mine`).waitFor({ state: 'detached' });
});
