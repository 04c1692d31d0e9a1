/** Every world can be chosen and watched: on a phone one after another, on a desktop with four arms side by side. */
import type { Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { exhibit } from '../../src/environments/exhibit';
import { defaultSettings, environments, findEnvironment } from '../../src/environments/registry';
import type { Scene } from '../../src/environments/scene';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';
import { goTo, overflow } from '../support/page';

const DRAWN: Readonly<Record<Scene['kind'], string>> = {
  board: 'svg.board',
  story: '.book',
  tape: '.tape',
  shop: '.shop',
  terminal: '.terminal',
  drawing: '.drawing',
};

const browser = chromiumHere();

/** Drawing of the first arm's world after a turn, without its texts. */
async function drawing(page: Page, turn: number): Promise<string> {
  await page.getByLabel('Turn shown').fill(String(turn));
  return page.locator('.world-stage > [role=img]').first().innerHTML();
}

/** Elements of the worlds whose text does not fit beside itself. */
const clipped = (page: Page): Promise<string[]> =>
  page
    .locator('.world *')
    .evaluateAll((all) =>
      all
        .filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
        .map(({ className, textContent }) => `${className}: ${textContent}`),
    );

describe('worlds in the page', () => {
  test('are all chosen, watched and read on a phone, without scrolling sideways', async () => {
    const { page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=2&seeds=1', {
      backend: 'cpu',
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByTestId('run').click();
    for (const id of Object.keys(environments)) {
      await goTo(page, 'settings');
      const choice = page.getByTestId('world-choice');
      await choice.waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const isPresent = (await choice.inputValue()) === id;
      await choice.selectOption(id);
      if (!isPresent) await page.getByTestId('restart').click();
      await goTo(page, 'lab');
      await page.locator('.world-stage > [role=img]').first().waitFor();
      await waitForPhase(page, 'finished');

      const environment = findEnvironment(id)?.create(defaultSettings(id));
      // A mixture's task is of one of its worlds.
      const drawn = (environment ? exhibit(environment).kinds : []).map((kind) => DRAWN[kind]).join();
      expect(await page.locator('.world-stage').first().locator(drawn).count(), id).toBe(1);
      const isDrawnAnew = async () => (await drawing(page, 0)) !== (await drawing(page, 1));
      await expect.poll(isDrawnAnew, { message: id }).toBe(true);
      expect(await page.locator('.worlds').getByTestId('decoding').textContent(), id).toMatch(
        /^The agent can only say legal words/,
      );
      expect(await overflow(page), id).toBeLessThanOrEqual(0);
      expect(await clipped(page), id).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test('a language model tells stories that change while it trains, on a phone too', async () => {
    const link =
      '#preset=listener&updates=6&arms=action-mask,world-model&batch.groups=1&batch.groupSize=4&evaluation.every=0';
    const { page, complaints } = await openLab(browser(), link, {
      backend: 'cpu',
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    });
    const books = page.locator('.worlds .book');
    expect(await books.first().textContent()).toContain('Tell me about the');
    await page.getByTestId('run').click();
    // The first may have gone by.
    await page.getByText(/^Episodes: update \d/).waitFor();
    const stories = async () => (await books.allTextContents()).join('\n');
    const before = await stories();
    expect(before).toMatch(/"Tell me about the \w+!" said Tom\./);
    await waitForPhase(page, 'finished');
    await page.getByText('Episodes: update 5').waitFor();
    await expect.poll(stories).not.toBe(before);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });

  test('on a phone every arm’s board and name is whole; pages are shown one arm at a time, chosen by name', async () => {
    const phone = { backend: 'cpu', viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;
    const { page } = await openLab(browser(), '#preset=gridworld-tiny', phone);
    await page.locator('.world .board').nth(2).waitFor();
    const seen = await page.locator('.world-name').evaluateAll((all) =>
      all.map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return {
          name: one.textContent,
          isWhole: left >= 0 && right <= innerWidth && one.scrollWidth <= one.clientWidth,
        };
      }),
    );
    expect(seen).toEqual(['Action mask', 'World model', 'No mask'].map((name) => ({ name, isWhole: true })));
    await page.goto(`${inject('siteUrl')}#preset=shop`);
    const tabs = page.locator('.worlds-shown').getByRole('button');
    await tabs.first().waitFor();
    const last = (await tabs.allTextContents()).at(-1)?.trim() ?? '';
    await tabs.last().click();
    expect(await page.locator('.world-name').allTextContents()).toEqual([last]);
    expect(await tabs.evaluateAll((all) => all.filter((one) => one.ariaPressed === 'true').length)).toBe(1);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test('experiments are chosen by keyboard, and Back leads to the one before', async () => {
    const { page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=3');
    await page.getByTestId('choose-experiment').press('Enter');
    await page.getByTestId('kind-experiment').and(page.locator('[aria-pressed=true]')).waitFor();
    const present = page.locator('.library-card[aria-current=true]');
    expect(await present.getByRole('link').getAttribute('data-testid')).toBe('card-experiment-gridworld-tiny');
    expect(await present.textContent()).toContain('on screen, changed');
    await page.getByTestId('library-search').fill('shop');
    await page.getByTestId('card-experiment-shop').press('Enter');
    await page.locator('.worlds .shop').first().waitFor();
    expect(await page.locator('.title').first().textContent()).toBe('Does reading the catalogue pay?');
    await page.goBack();
    await present.filter({ hasText: 'on screen, changed' }).waitFor();
    await page.goBack();
    await page.locator('.worlds svg.board').first().waitFor();
    expect(await page.locator('.title-world').first().textContent()).toContain('Gridworld');
    expect(complaints).toEqual([]);
  });

  test('four arms stand in one row, and with reduced motion show the newest episode as it ended', async () => {
    const four = '&arms=action-mask,world-model,no-mask,other&arms.other.from=world-model&arms.other.name=Other';
    const { page, complaints } = await openLab(browser(), `#preset=gridworld-tiny&updates=5${four}`, {
      backend: 'cpu',
      reducedMotion: 'reduce',
    });
    await page.getByTestId('run-first').click();
    await waitForPhase(page, 'finished');
    await page.getByText('Episodes: update 4').waitFor();
    const arms = page.locator('.worlds-arms');
    expect(await arms.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const tops = await page.locator('.world').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(tops).toHaveLength(4);
    expect(new Set(tops).size).toBe(1);
    for (const outcome of await page.locator('.world-outcome').allTextContents()) {
      expect(outcome).toMatch(/^(success|failed)/);
    }
    expect(complaints).toEqual([]);
  });
});
