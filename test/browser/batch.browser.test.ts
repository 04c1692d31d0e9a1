/** “Your batch” in a real browser: a file chosen, audited, looked at by keyboard, put under other losses; refused; given up. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cleanBatch } from '../batch/episodes';
import { linesOf, tokenizerFile, WRITERS } from '../batch/forms';
import { chromiumHere } from '../support/chromiumHere';
import { ofWidth, openLab } from '../support/labPage';
import { sampled } from '../support/nightly';
import { overflow } from '../support/page';

const browser = chromiumHere();

test.each(sampled([1440, 390], 2))('audits a batch at a width of %i', async (width) => {
  const { page, complaints } = await openLab(browser(), '#batch', ofWidth(width));
  const broken = `${readFileSync('docs/batch/leak.jsonl', 'utf8')}{"broken\n`;
  const choose = (name: string, text: string) =>
    page.getByTestId('batch-file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await choose('mine.jsonl', broken);
  await page.getByTestId('batch-rule-leak').waitFor();
  await page.getByTestId('batch-problems').locator('summary').click();
  expect(await page.getByTestId('batch-problems').textContent()).toContain('Line 5 is no JSON');

  await page.getByTestId('batch-rule-leak').locator('a').first().click();
  await page.getByTestId('batch-where').getByText('Trajectory 2 of 4').waitFor();
  const numbers = page.getByTestId('batch-numbers');
  expect(await numbers.textContent()).toMatch(
    /^Token 20, observation, “milk”: learns from the reward; loss weight 1; advantage −1; % of /,
  );
  await page.getByTestId('batch-rows').focus();
  await page.keyboard.press('End');
  await numbers.getByText('<|im_end|>').waitFor();

  await page.getByTestId('batch-compare').click();
  await page.getByTestId('batch-losses').waitFor();
  expect(await page.getByTestId('batch-losses').textContent()).toMatch(/as used.*dapo.*no-mask/s);
  await page.getByTestId('batch-add').selectOption('ppo');
  await page.getByText('Not ppo: it needs the values of a critic.').waitFor();
  await page.getByTestId('batch-formula-open').click();
  const formula = page.getByTestId('batch-formula');
  await formula.fill('loss = -advantage * rato');
  await page.getByTestId('batch-compare').click();
  await page.getByText(/your formula, line 1, column 21: .*rato/).waitFor();
  await formula.fill('loss = -advantage * exp(logp - old_logp)');
  await page.getByTestId('batch-compare').click();
  await page.getByTestId('batch-losses').getByText('your formula').waitFor();
  expect(await page.getByTestId('batch-failure').count()).toBe(0);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);

  await choose('nothing.jsonl', 'hello\n');
  // Its advice comes once.
  expect(await page.getByTestId('batch-failure').textContent()).toMatch(
    /^No trajectory was found: .*\. Choose(?!.*Choose)/,
  );
  await page.getByTestId('batch-clean').click();
  await page.getByText('Nothing was found.').waitFor();
  expect(complaints).toEqual([]);
});

test('the model’s tokenizer and template, chosen after the batch, give ids their texts and are compared', async () => {
  const { page, complaints } = await openLab(browser(), '#batch');
  const choose = (...files: [name: string, text: string][]) =>
    page
      .getByTestId('batch-file')
      .setInputFiles(files.map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })));
  await choose(['tokenizer.json', '{}']);
  await page.getByText('Choose the batch too').waitFor();
  await page.getByText('Close the batch').click();
  await choose(['ids.jsonl', linesOf(cleanBatch(), WRITERS['verl, tensors']?.write ?? String)]);
  await page.getByText('Nothing was found.').waitFor();
  const template =
    "{% for message in messages %}{{ '<|im_start|>' + message.role + ': ' + message.content }}{% endfor %}";
  await choose(['tokenizer.json', tokenizerFile()], ['chat_template.jinja', template]);
  await page
    .getByTestId('batch-rule-template')
    .getByText('the chat template writes “<|im_start|>user: ”')
    .first()
    .waitFor();
  await page.getByTestId('batch-rows').getByText('<|im_start|>').first().waitFor();
  expect(complaints).toEqual([]);
});

test('a batch of 100,000 tokens has few elements wherever one is in it, and a link leads to any of its tokens', async () => {
  const { page, complaints } = await openLab(browser(), '#batch/90/999');
  await page.getByText('The address names token 999 of trajectory 90').waitFor();
  const word = (episode: number) => (_: unknown, at: number) => `e${episode}t${at}`;
  const lines = Array.from({ length: 100 }, (_, at) => ({
    ...{
      prompts: [1],
      responses: Array.from({ length: 999 }, () => 2),
      response_mask: Array.from({ length: 999 }, () => 1),
    },
    tokens: Array.from({ length: 1000 }, word(at + 1)),
  }));
  const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  await page.getByTestId('batch-file').setInputFiles({ name: 'long.jsonl', mimeType: 'text/plain', buffer });
  const rows = page.getByTestId('batch-rows');
  const chosen = rows.locator('.strip-chosen');
  const count = () => rows.evaluate((all) => all.querySelectorAll('*').length);
  await chosen.getByText('e90t999').waitFor();
  expect(await count()).toBeLessThan(1500);
  await rows.evaluate((all) => all.scrollTo(0, all.scrollHeight));
  await rows.getByText('e100t999', { exact: true }).waitFor();
  expect(await count()).toBeLessThan(1500);
  await page.getByTestId('batch-search').fill('E3T500');
  await page.keyboard.press('Enter');
  await chosen.getByText('e3t500').waitFor();
  await page.getByTestId('batch-search').fill('nowhere');
  await page.keyboard.press('Enter');
  await page.getByText('It is nowhere.').waitFor();
  await rows.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowRight');
  await chosen.getByText('e4t1', { exact: true }).waitFor();
  // In a narrower window the rows are others, and the token is the same.
  const before = await rows.evaluate((all) => all.scrollHeight);
  await page.setViewportSize({ width: 500, height: 860 });
  await expect.poll(() => rows.evaluate((all) => all.scrollHeight)).toBeGreaterThan(before);
  await chosen.getByText('e4t1', { exact: true }).waitFor();
  expect(await chosen.count()).toBe(1);
  await page.getByText('Link to this token').click();
  expect(page.url()).toMatch(/#batch\/4\/1$/);
  await page.getByTestId('batch-view').selectOption('groups');
  await rows.getByText('Trajectory 3,').click();
  await chosen.getByText('e3t0', { exact: true }).waitFor();
  expect(await page.getByTestId('batch-view').inputValue()).toBe('tokens');
  expect(complaints).toEqual([]);
});
