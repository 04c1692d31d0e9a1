/**
 * The token inspector by keyboard: it opens from an episode, lens and token can be chosen, its numbers agree with each
 * other, two arms stand side by side, the way to a kernel leads back, and nothing scrolls sideways.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { added, watchAdded } from '../support/added';
import { chromiumHere } from '../support/chromiumHere';
import { expectBeliefs, expectProbes } from '../support/insidePage';
import { ofWidth, openLab, waitForPhase } from '../support/labPage';
import { overflow } from '../support/page';

const browser = chromiumHere();

/** Settings with several large inner steps and narrow bounds, so ratios move and some are clipped. */
const moving = ['action-mask', 'world-model']
  .flatMap((arm) =>
    ['innerEpochs=4', 'clipLow=0.02', 'clipHigh=0.02', 'learningRate=0.01'].map((set) => `${arm}.${set}`),
  )
  .map((set) => `&arms.${set}`)
  .join('');
const LINK = `#preset=gridworld-tiny&arms=action-mask,world-model&updates=8&seeds=1${moving}`;

/** Number in a formatted text. */
const numberIn = (text: string): number => Number(text.replace('−', '-'));

async function numberRow(page: Page, name: string): Promise<string> {
  const row = page.locator('.token-table tr', { has: page.getByRole('rowheader', { name, exact: true }) });
  return (await row.locator('td').first().textContent()) ?? '';
}

async function chooseByKeyboard(page: Page, label: string, typed: string, value: string): Promise<void> {
  await page.locator('dialog').getByLabel(label, { exact: true }).focus();
  await page.keyboard.type(typed);
  expect(await page.locator('dialog').getByLabel(label, { exact: true }).inputValue()).toBe(value);
}

const chosen = (page: Page) => page.locator('.token-chosen');

async function expectNoScrolling(page: Page): Promise<void> {
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await page.locator('dialog').evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
}

/** The group as a tree: walked by keys, the same in the table, and from a branch back to one of its rollouts. */
async function expectTree(page: Page): Promise<void> {
  await chooseByKeyboard(page, 'Shown', 'the g', 'tree');
  const first = page.getByRole('treeitem').first();
  await first.focus();
  expect(await first.textContent()).toContain('4 rollouts');
  await page.keyboard.press('ArrowRight');
  const box = page.locator('.tree-box:focus');
  const [rollouts] = ((await box.locator('.tree-rate').textContent()) ?? '').split(' ');
  await expect.poll(() => page.getByTestId('tree-branch').getByRole('button').count()).toBe(Number(rollouts));
  await page.locator('details:has([data-testid=tree-table]) summary').first().focus();
  await page.keyboard.press('Enter');
  const row = page.getByTestId('tree-table').first().getByRole('row').nth(2);
  expect(await row.getByRole('cell').nth(2).textContent()).toBe(rollouts);
  await expectNoScrolling(page);
  const last = page.getByTestId('tree-branch').getByRole('button').last();
  const trajectory = (await last.textContent())?.replace('Trajectory ', '') ?? '';
  await last.focus();
  await page.keyboard.press('Enter');
  await page.locator('.token-chosen:focus').waitFor();
  expect(await page.getByLabel('Trajectory', { exact: true }).inputValue()).toBe(String(Number(trajectory) - 1));
}

describe.each([1440, 390])('the inspector at a width of %i', (width) => {
  test('shows each token’s numbers and formula, by keyboard', async () => {
    const options = { ...ofWidth(width), reducedMotion: 'reduce', backend: 'cpu' } as const;
    const { page, complaints } = await openLab(browser(), LINK, options);
    await page.getByTestId(width > 600 ? 'run-first' : 'run').click();
    await waitForPhase(page, 'finished');
    const opener = page.getByTestId('inspect-world-model');
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.locator('.token-chosen:focus').waitFor();
    expect(await page.getByRole('dialog').getByRole('heading').first().textContent()).toBe('Tokens of update 7');

    await chooseByKeyboard(page, 'Lens', 'Rat', 'ratio');
    await chosen(page).focus();
    const ratios: number[] = [];
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'End']) {
      await page.keyboard.press(key);
      const [before, after, shown] = [
        await numberRow(page, 'Log-prob, old'),
        await numberRow(page, 'Log-prob, new'),
        await numberRow(page, 'Ratio, exp(new − old)'),
      ].map(numberIn) as [number, number, number];
      expect(Math.abs(Math.exp(after - before) - shown)).toBeLessThan(3e-4);
      expect(
        Math.abs(
          numberIn((await chosen(page).locator('.token-value').textContent())?.replace(/[[\]]/, '') ?? '') - shown,
        ),
      ).toBeLessThan(0.0051);
      ratios.push(shown);
    }
    expect(Math.max(...ratios.map((ratio) => Math.abs(ratio - 1)))).toBeGreaterThan(0.01);
    expect(await page.locator('.token[data-role=action] .token-value').allTextContents()).toContainEqual(
      expect.stringMatching(/^\[|\]$/),
    );

    await expectAttention(page);

    // Back at the last observation: learned by prediction here, veiled where it is masked.
    const lambda = numberIn(await numberRow(page, 'Cross-entropy weight'));
    const loss = -lambda * numberIn(await numberRow(page, 'Log-prob, new'));
    expect(numberIn(await numberRow(page, 'Part of the world-model loss')) / loss).toBeCloseTo(1, 1);
    const formula = (await page.getByTestId('token-formula').locator('.hidden-text').textContent()) ?? '';
    expect(formula).toContain(String(Number(lambda.toPrecision(3))));
    expect(await page.getByTestId('token-learning').textContent()).toBe('Learns by prediction.');
    await chooseByKeyboard(page, 'Beside it', 'Action', 'action-mask');
    // The arm beside it is drawn in a task of its own.
    await expect.poll(() => page.locator('.turns-arm').count()).toBe(2);
    await page.locator('.token[data-arm=action-mask][data-role=observation]').last().hover();
    await expect
      .poll(() => page.getByTestId('token-learning').textContent())
      .toMatch(/^Hatched: this arm gives its role no weight/);
    await chooseByKeyboard(page, 'Lens', 'Eff', 'weight');
    await expectNoScrolling(page);
    await expectVeils(page);
    await expectTree(page);

    await page.keyboard.press('Escape');
    // The browser closes it at once; the page hears of it a moment later.
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(await opener.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.locator('.token-chosen:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    const index = await chosen(page).getAttribute('data-index');
    await page.getByRole('link', { name: 'log_prob/masked' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('kernels-to-token').click();
    await page.locator(`.token-chosen:focus[data-index="${index}"]`).waitFor();
    await page.keyboard.press('Escape');
    await expectProbes(page);
    await expectBeliefs(page);
    expect(complaints).toEqual([]);
  });
});

/** Experiment with long trajectories: an untrained policy takes 48 turns of seven tokens, in two arms. */
const LOST =
  '#preset=gridworld-tiny&arms=action-mask,world-model&seeds=1&updates=1&environment.size=8&environment.horizon=48' +
  '&environment.observation=coordinates&environment.noiseTokens=4&batch.groups=1&batch.groupSize=2';
const TOKENS = 341;

test('a long trajectory is drawn part by part, and a key leads to what is not there yet', async () => {
  const { page } = await openLab(browser(), LOST, { backend: 'cpu' });
  await page.getByTestId('run-first').click();
  await page.locator('[data-testid=status][data-phase=finished]').waitFor();
  await watchAdded(page, '.token');
  await page.getByTestId('inspect-world-model').press('Enter');
  await page.locator('.token-chosen:focus').waitFor();
  // The token that the key leads to may not be drawn yet.
  await page.keyboard.press('End');
  await page.locator(`.token-chosen:focus[data-index="${TOKENS - 1}"]`).waitFor();
  expect(await page.locator('.token').count()).toBe(TOKENS);
  expect((await added(page)).all).toBe(TOKENS);
  // A part, and the last turn to its end.
  expect((await added(page)).most).toBeLessThanOrEqual(96 + 7);
  await chooseByKeyboard(page, 'Beside it', 'Action', 'action-mask');
  await expect.poll(() => page.locator('.token').count()).toBe(2 * TOKENS);
  await expectLittleDrawn(page);
});

/** Checks that a walk along two long trajectories redraws little: counted in elements, because machines differ in speed. */
async function expectLittleDrawn(page: Page): Promise<void> {
  const tokens = page.locator('.token');
  expect(await tokens.locator('*').count()).toBe(2 * 2 * TOKENS);
  await chosen(page).focus();
  // The token left and the one come to, in either arm.
  expect(await changedBy(page, '.token', () => page.keyboard.press('ArrowLeft'))).toBe(4);
  await page.keyboard.press('Home');
  const inSight = await tokens.evaluateAll((all) => {
    const view = (document.querySelector('.inspector-tokens') as Element).getBoundingClientRect();
    return all.filter((token) => {
      const { top, bottom } = token.getBoundingClientRect();
      return bottom > view.top && top < view.bottom;
    }).length;
  });
  const laidOut = (): Promise<number> =>
    tokens.evaluateAll(
      (all) => all.filter((token) => token.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })).length,
    );
  await expect.poll(laidOut).toBeLessThan(1.4 * inSight);
  expect(inSight).toBeLessThan(TOKENS);
  // Episodes behind the dialog stand still: turns would be played meanwhile.
  expect(await changedBy(page, '.strip-token', () => page.waitForTimeout(600))).toBe(0);
  await page.keyboard.press('Escape');
  const played = () =>
    page.waitForFunction(() => (globalThis as unknown as { changed: Set<Element> }).changed.size > 0);
  expect(await changedBy(page, '.strip-token', played)).toBeGreaterThan(0);
}

/** Number of elements of a selector that change, or contain a change, during `what`. */
async function changedBy(page: Page, selector: string, what: () => Promise<unknown>): Promise<number> {
  await page.evaluate((of) => {
    const elements = new Set<Element>();
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = (target instanceof Element ? target : target.parentElement)?.closest(of);
        if (element != null) elements.add(element);
      }
    }).observe(document, { subtree: true, attributes: true, childList: true, characterData: true });
    Object.assign(globalThis, { changed: elements });
  }, selector);
  await what();
  // Time for what React draws later.
  await page.waitForTimeout(200);
  return page.evaluate(() => (globalThis as unknown as { changed: Set<Element> }).changed.size);
}

/** Checks the last token's attention: each head's shares add up to 1, and the strip shows the chosen layer and head. */
async function expectAttention(page: Page): Promise<void> {
  await chooseByKeyboard(page, 'Lens', 'Att', 'attention');
  const rows = page.getByTestId('attention-table').locator('tbody tr');
  const names = await rows.locator('th').allTextContents();
  const shares = await rows.evaluateAll((all) =>
    all.map((row) => Array.from(row.querySelectorAll('td'), (cell) => Number(cell.dataset.share))),
  );
  for (const row of shares) expect(row.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
  const columns = await page.getByTestId('attention-table').locator('.attention-index').allTextContents();
  const expectRow = async (name: string) => {
    const row = shares[names.indexOf(name)] as number[];
    for (const [column, place] of columns.entries()) {
      const shown = page.locator(`.token[data-index="${Number(place) - 1}"] .token-value`);
      await expect.poll(() => shown.textContent()).toBe(`${(100 * (row[column] as number)).toFixed(0)}%`);
    }
  };
  await expectRow('layer 1, mean');
  await chooseByKeyboard(page, 'Head', '1', '0');
  await expectRow('layer 1, head 1');
}

/** Checks every trajectory: action tokens are solid if the rewards of their group differ, else veiled. */
async function expectVeils(page: Page): Promise<void> {
  await page.getByLabel('Beside it').selectOption('');
  const tasks = await page.locator('dialog').getByLabel('Task', { exact: true }).locator('option').count();
  for (let task = 0; task < tasks; task++) {
    await page.locator('dialog').getByLabel('Task', { exact: true }).selectOption(String(task));
    await page.waitForFunction(
      () => document.querySelector('.inspector-remark')?.textContent?.startsWith('Still') !== true,
    );
    const options = await page.getByLabel('Trajectory', { exact: true }).locator('option').allTextContents();
    const rewards = new Set(options.map((text) => text.split('reward ')[1]));
    expect([...rewards].every((reward) => reward !== undefined)).toBe(true);
    const [actions, solid, veiled] = await Promise.all([
      page.locator('.token[data-role=action]').count(),
      page.locator('.token[data-role=action] .chip-policy').count(),
      page.locator('.token[data-role=action] .chip-veiled').count(),
    ]);
    expect(actions).toBeGreaterThan(0);
    expect([solid, veiled]).toEqual(rewards.size > 1 ? [actions, 0] : [0, actions]);
  }
}
