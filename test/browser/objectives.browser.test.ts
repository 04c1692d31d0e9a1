/** Choice of an arm's objective by keyboard alone: its formula, its settings and the link. */
import { describe, expect, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { ofWidth, openLab } from '../support/labPage';
import { overflow } from '../support/page';

const browser = chromiumHere();

const link = '#settings&preset=gridworld-tiny&arms.no-mask.objective=paw-high&arms.action-mask.objective=bilevel-gae';

describe.each([1440, 390])('at a width of %i', (width) => {
  test('an objective is found, chosen and changed from the keyboard', async () => {
    const { page } = await openLab(browser(), link, { ...ofWidth(width), reducedMotion: 'reduce' });
    const field = page.getByTestId('objective-of-world-model');
    const loss = page.getByTestId('loss-world-model');
    await field.focus();
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.type('authors');
    await page.getByTestId('objective-echo').waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('ECHO, the authors’ code');
    expect(await loss.textContent()).toContain('plus 0.05 divided by trajectories');

    // Escape leaves everything as it was.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('dapo');
    await page.keyboard.press('Escape');
    expect(await field.inputValue()).toBe('ECHO, the authors’ code');

    await page.getByTestId('scope-world-model').check();
    for (const section of await page.locator('details.panel-section > summary').all()) await section.click();
    expect(await page.getByTestId('setting-worldModelThreshold').count()).toBe(0);
    await page.getByTestId('setting-worldModelForm').selectOption('probability-threshold');
    await page.getByTestId('setting-worldModelThreshold').waitFor();
    expect(await loss.textContent()).toContain('max of 0, 0.2 minus exp of log pi');
    expect(await page.getByTestId('changed-world-model').textContent()).toMatch(
      /World-model loss probability threshold/,
    );
    await page.getByTestId('setting-reward.format').fill('0.5');
    await page.keyboard.press('Enter');
    await page.getByTestId('reward-signed').press('Enter');
    await page.getByTestId('setting-reward.format').fill('0.25');
    await page.keyboard.press('Enter');
    expect(await loss.textContent()).toContain('R = outcome + 0.25 · format, outcome 1 or −1');
    await page.getByTestId('all-settings').check();
    expect(await page.getByTestId('setting-sapoPositive').count()).toBe(1);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const words = page.locator('main:not([hidden]) math mtext');
    const sizes = await words.evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(14);

    await page.getByTestId('share').click();
    expect(await page.getByTestId('share-url').inputValue()).toMatch(
      /arms\.world-model\.objective=echo&.*&arms\.world-model\.worldModelForm=probability-threshold/,
    );
  });
});
