/** Performance of the page with many tokens: a long trajectory in the inspector, the longest text that is read, and a batch. */
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { goTo } from '../test/support/page';
import type { Site } from './perfMeasures';
import { openObserved, startRun, waitForPhase } from './perfPage';
import { type Part, Parts } from './perfParts';

/** Milliseconds after which everything has certainly been drawn. */
const SETTLED = 1500;

/** Experiment with long trajectories: an untrained policy uses all turns, of seven tokens each. */
const LOST =
  'preset=gridworld-tiny&arms=action-mask,world-model&seeds=1&updates=1&environment.size=8&environment.horizon=48' +
  '&environment.observation=coordinates&environment.noiseTokens=4';

export async function measureInspector(site: Site): Promise<readonly Part[]> {
  const { context, page } = await openObserved(site.browser, `${site.server.url}#${LOST}`);
  await page.waitForLoadState('networkidle');
  await startRun(page, 'cpu');
  await waitForPhase(page, 'finished');
  const parts = new Parts(site, page);
  await parts.trace('inspector of 341 tokens an arm opened', async () => {
    await page.getByTestId('inspect-world-model').press('Enter');
    await page.waitForTimeout(SETTLED);
  });
  await chooseByKey(parts, page, 'Beside it', 'Act', 'inspector beside another arm');
  await chooseByKey(parts, page, 'Lens', 'Att', 'inspector through another lens');
  await page.locator('.token-chosen').focus();
  await parts.trace('inspector walked through', async () => {
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'End', 'ArrowUp', 'Home']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }
  });
  await context.close();
  return parts.found;
}

/** Chooses by keys on a focused label: searching for it is a task of the test, so it comes before the trace. */
async function chooseByKey(parts: Parts, page: Page, label: string, keys: string, name: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).focus();
  await parts.trace(name, async () => {
    await page.keyboard.type(keys);
    await page.waitForTimeout(SETTLED);
  });
}

/** Reading a text, with the tests' recurrent model, which has no limit of length. */
export async function measureText(site: Site): Promise<readonly Part[]> {
  const { context, page } = await openObserved(site.browser, `${site.server.url}#preset=gridworld-tiny`);
  await page.waitForLoadState('networkidle');
  await goTo(page, 'policies');
  await page.getByTestId('read-with-another').click();
  const files = ['recurrent.onnx', 'tokenizer.json'].map((name) => `test/fixtures/pytorch/${name}`);
  await page.getByTestId('text-files').setInputFiles(files);
  await page.getByTestId('text-to-read').fill(LONGEST_TEXT);
  const parts = new Parts(site, page);
  await parts.trace('text of 4,096 tokens', async () => {
    await page.getByTestId('read-text').click();
    await page.locator('.text-token').nth(4095).waitFor({ timeout: 600_000 });
    await page.waitForTimeout(SETTLED);
  });
  await page.getByTestId('text-as-table').focus();
  await parts.trace('text of 4,096 tokens as a table', async () => {
    await page.keyboard.press('Enter');
    await page.waitForTimeout(3 * SETTLED);
  });
  await page.locator('tr[data-token="4095"]').waitFor({ state: 'attached' });
  await context.close();
  return parts.found;
}

/** Text of 4,096 tokens: 454 lines of 9 tokens and 5 of 2. */
const LONGEST_TEXT = Array.from({ length: 459 }, (_, line) => {
  const role = line % 2 === 0 ? 'action' : 'observation';
  return `${role}: ${line < 454 ? 'grep -c timeout error.log' : '17'}\n`;
}).join('');

const EPISODES = 1000;
const EPISODE_TOKENS = 1000;

/** A batch of a million tokens on “Your batch”: scrolled by the wheel, thrown from end to end, walked and searched. */
export async function measureBatch(site: Site): Promise<readonly Part[]> {
  const { context, page } = await openObserved(site.browser, `${site.server.url}#batch`);
  await page.waitForLoadState('networkidle');
  const parts = new Parts(site, page);
  const rows = page.getByTestId('batch-rows');
  await parts.trace('batch of 1,000,000 tokens read', async () => {
    await page
      .getByTestId('batch-file')
      .setInputFiles({ name: 'batch.jsonl.gz', mimeType: 'application/gzip', buffer: packedBatch() });
    await rows.locator('.chip').first().waitFor({ timeout: 600_000 });
    await page.waitForTimeout(SETTLED);
  });
  await rows.hover();
  await parts.trace('batch of 1,000,000 tokens scrolled', async () => {
    for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 240);
    await page.waitForTimeout(SETTLED);
  });
  await parts.trace('batch of 1,000,000 tokens thrown to its end', async () => {
    await rows.evaluate(async (all) => {
      for (let part = 1; part <= 100; part++) {
        all.scrollTop = (all.scrollHeight * part) / 100;
        await new Promise(requestAnimationFrame);
      }
    });
    await page.waitForTimeout(SETTLED);
  });
  await rows.focus();
  await parts.trace('batch of 1,000,000 tokens walked and searched', async () => {
    for (const key of ['ArrowRight', 'PageDown', 'End', 'j', 'ArrowDown', 'k', 'Home']) await page.keyboard.press(key);
    await page.getByTestId('batch-search').fill('obs99 obs');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(SETTLED);
  });
  await context.close();
  return parts.found;
}

/** Conversations of two short turns after each other until they are long enough, gzipped as a trainer writes them. */
function packedBatch(): Buffer {
  const turn = [...'\u010a <|im_start|> assistant \u010a'.split(' '), ...words('word', 8), '<|im_end|>'];
  const answer = [...'\u010a <|im_start|> tool \u010a'.split(' '), ...words('obs', 8), '<|im_end|>'];
  const lines = Array.from({ length: EPISODES }, (_, episode) => {
    const tokens = ['<|im_start|>', 'user', '\u010a', ...words('task', 8), '<|im_end|>'];
    const mask: number[] = [];
    while (tokens.length < EPISODE_TOKENS) {
      const next = (mask.length % 26 === 0 ? turn : answer).map((text) =>
        text.replace('#', `${(episode * 7 + tokens.length) % 100}`),
      );
      tokens.push(...next);
      mask.push(...next.map((_text, at) => Number(mask.length % 26 === 0 && at > 3)));
    }
    const advantages = mask.map((weight) => weight * (episode % 2 === 0 ? 1 : -1));
    const ids = tokens.map((_text, at) => at);
    return JSON.stringify({
      ...{ uid: `${episode >> 3}`, prompts: ids.slice(0, 12), responses: ids.slice(12, EPISODE_TOKENS) },
      ...{ response_mask: mask.slice(0, EPISODE_TOKENS - 12), advantages: advantages.slice(0, EPISODE_TOKENS - 12) },
      ...{ tokens: tokens.slice(0, EPISODE_TOKENS), score: (episode + 1) % 2 },
    });
  });
  return gzipSync(lines.join('\n'));
}

const words = (name: string, count: number): string[] => Array.from({ length: count }, () => `\u0120${name}#`);
