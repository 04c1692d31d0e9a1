/** A world of texts in the page: written, played by typing sentences, and trained on from a language model; its boards are books. */
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { curve, openLab, waitForPhase } from '../support/labPage';
import { askText } from '../support/ownWorlds';
import { overflow, violations } from '../support/page';

const browser = chromiumHere();

test('one types what the agent writes, and policies that begin from a model are trained to write it', async () => {
  const { context, page, complaints } = await openLab(browser(), '#preset=gridworld-tiny', { backend: 'cpu' });
  await page.evaluate(() => location.assign('#world'));
  await page.getByTestId('world-text').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(askText());
  await page.getByTestId('play-written').fill('The dog ran. It sat.');
  await page.getByTestId('play-written').press('Enter');
  await page.getByText('turn 1 of at most 3').waitFor();
  expect(await page.locator('.workshop .book-said').textContent()).toContain('The dog ran.');
  expect(await page.locator('.workshop .book-said').textContent()).not.toContain('It sat.');
  await page.getByTestId('play-advice').click();
  await page.getByText('turn 2 of at most 3').waitFor();
  expect(await page.locator('.workshop .book-said').nth(1).textContent()).toMatch(/was happy\.paid$/);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await violations(page, '.workshop')).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(complaints).toEqual([]);
  await context.close();

  const link =
    '#preset=world-words&updates=1&evaluation.every=0&batch.groups=1&batch.groupSize=4&environment.length=32&arms=action-mask';
  const trained = await openLab(browser(), link, { backend: 'cpu' });
  // An example, before anything is played: lines under the text itself, and what they say.
  await trained.page.locator('.world-stage .book .line-policy').first().waitFor();
  expect(await trained.page.getByTestId('underlines').textContent()).toContain('solid line: learns from the reward');
  expect(await violations(trained.page, '.worlds')).toEqual([]);
  await trained.page.getByTestId('run-first').click();
  await waitForPhase(trained.page, 'finished');
  await trained.page.locator('.world-stage .book').first().waitFor();
  expect(Object.keys(await curve(trained.page, 'observationCrossEntropy')).length).toBeGreaterThan(0);
  expect(trained.complaints).toEqual([]);
});

test('the lab’s worlds are chosen in English, and the storyteller’s calculator is drawn as the lab’s', async () => {
  const { page, complaints } = await openLab(browser(), '#preset=english-calculator', { backend: 'cpu' });
  await page.locator('.world-stage [aria-label^="Shown what to write"]').waitFor();
  await page.locator('[data-testid=run-first]:enabled').waitFor();
  await page.evaluate(() => location.assign('#settings'));
  const choice = page.getByTestId('world-choice');
  expect(await choice.inputValue()).toBe('@english/calculator');
  await choice.selectOption('@english/gridworld');
  await expect.poll(() => page.url()).toContain('title=Gridworld,%20in%20English');
  await page.locator('[data-testid="setting-environment.chat"]').waitFor();
  expect(await page.locator('[data-testid="setting-policy.model"]').inputValue()).toBe('stories260k');
  expect(complaints).toEqual([]);
});
