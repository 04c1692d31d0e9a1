/** “Your batch” in a real browser: a file chosen, audited, looked at by keyboard, put under other losses; refused; given up. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { ofWidth, openLab } from '../support/labPage';
import { overflow } from '../support/page';

const browser = chromiumHere();

test.each([1440, 390])('audits a batch at a width of %i', async (width) => {
  const { page, complaints } = await openLab(browser(), '#batch', ofWidth(width));
  const broken = `${readFileSync('docs/batch/leak.jsonl', 'utf8')}{"broken\n`;
  const choose = (name: string, text: string) =>
    page.getByTestId('batch-file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('mine.jsonl', broken);
  await page.getByTestId('batch-rule-leak').waitFor();
  await page.getByTestId('batch-problems').locator('summary').click();
  expect(await page.getByTestId('batch-problems').textContent()).toContain('Line 5 is no JSON');

  await page.getByTestId('batch-rule-leak').locator('button').first().click();
  await page.getByTestId('batch-where').getByText('Trajectory 2 of 4').waitFor();
  const numbers = page.getByTestId('batch-numbers');
  expect(await numbers.textContent()).toMatch(
    /^Token 20, observation, “milk”: learns from the reward; loss weight 1; advantage −1; % of /,
  );
  await page.getByTestId('batch-strip').focus();
  await page.keyboard.press('End');
  expect(await numbers.textContent()).toContain('<|im_end|>');

  await page.getByTestId('batch-compare').click();
  await page.getByTestId('batch-losses').waitFor();
  expect(await page.getByTestId('batch-losses').textContent()).toMatch(/as used.*dapo.*no-mask/s);
  await page.getByTestId('batch-add').selectOption('ppo');
  await page.getByText('Not ppo: it needs the values of a critic.').waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);

  await choose('nothing.jsonl', 'hello\n');
  expect(await page.getByTestId('batch-failure').textContent()).toContain('No trajectory was found');
  await page.getByTestId('batch-clean').click();
  await page.getByText('Nothing was found.').waitFor();
  expect(complaints).toEqual([]);
});
