/** Every world can be chosen and watched: on a phone one after another, on a desktop with four arms side by side. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Scene } from '../../src/environments/environment';
import { exhibit } from '../../src/environments/exhibit';
import { defaultSettings, environments, findEnvironment } from '../../src/environments/registry';
import { chromiumHere } from '../support/chromiumHere';
import { openLab, waitForPhase } from '../support/labPage';
import { openGear, overflow } from '../support/page';

const DRAWN: Readonly<Record<Scene['kind'], string>> = {
  board: 'svg.board',
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

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null);

describe('worlds in the page', () => {
  test('are all chosen, watched and read on a phone, without scrolling sideways', async () => {
    const { context, page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=2&seeds=1', {
      backend: 'cpu',
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.getByTestId('run').click();
    for (const id of Object.keys(environments)) {
      await openGear(page);
      await page.getByTestId('phone-choose-world').click();
      const choice = page.getByTestId(`world-${id}`);
      await choice.waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const isPresent = (await choice.getAttribute('aria-current')) === 'true';
      await choice.click();
      if (!isPresent) await page.getByTestId('restart').click();
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
    await context.close();
  });

  test('experiments are chosen by keyboard', async () => {
    const { context, page, complaints } = await openLab(browser(), '#preset=gridworld-tiny&updates=3');
    const opener = page.getByTestId('choose-experiment');
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('preset-gridworld').waitFor();
    expect(await focused(page)).toBe('preset-gridworld-tiny');
    const present = page.locator('.choice', { has: page.getByTestId('preset-gridworld-tiny') });
    expect(await present.textContent()).toContain('on screen, changed');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('preset-gridworld');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('preset-gridworld-small');
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toBe('preset-gridworld');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('choose-experiment');
    // Enter closes what is still open.
    await present.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByTestId('preset-shop').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('preset-shop').waitFor({ state: 'detached' });
    expect(await page.locator('.title').textContent()).toBe('Does reading the catalogue pay?');
    await page.locator('.worlds .shop').first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('four arms stand in one row, and with reduced motion show the newest episode as it ended', async () => {
    const four = '&arms=action-mask,world-model,no-mask,other&arms.other.from=world-model&arms.other.name=Other';
    const { context, page, complaints } = await openLab(browser(), `#preset=gridworld-tiny&updates=5${four}`, {
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
    await context.close();
  });
});
