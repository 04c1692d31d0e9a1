// A lesson from its question to its answer, alone in a frame's page too; and a first visit that goes through what was recorded.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { chooseBackend } from '../support/page';

const browser = chromiumHere();

async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser().newPage(options);
  onTestFinished(() => page.close());
  await page.goto(inject('siteUrl') + address);
  return page;
}

const answer = (page: Page) => page.getByTestId('lesson-answer');

test('a lesson’s question is answered by the reader’s own run, and it leads on', async () => {
  const page = await open('#lessons/mask');
  const lesson = page.getByTestId('lesson');
  await lesson.getByTestId('arm-world-model').waitFor();
  expect(await answer(page).textContent()).toMatch(/No run yet/);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('choice-action-mask').check();
  await page.getByTestId('run').click();
  await page.locator('[data-testid=lesson-answer][data-finding]').waitFor();
  expect(await answer(page).getAttribute('data-finding')).toBe('world-model');
  expect(await answer(page).textContent()).toMatch(/World model: from \d.*not as you said, but: in World model alone/);
  await page.getByTestId('choice-world-model').check();
  expect(await answer(page).textContent()).toMatch(/So it is as you said/);
  // The address says which lesson and which experiment.
  await expect.poll(() => page.url()).toMatch(/#lessons\/mask&preset=gridworld-tiny.*title=Lesson/);
  await lesson.getByRole('link', { name: /^In the lab: / }).click();
  await page.getByTestId('back-to-lesson').click();
  await page.getByTestId('next-lesson').click();
  await lesson.getByTestId('arm-no-mask').waitFor();
  expect(await answer(page).textContent()).toMatch(/No run yet/);
});

test('faults of masks are pointed at, and the audit says whether it is so', async () => {
  const page = await open('#lessons/bug');
  const check = async (word: string, fault: string) => {
    await page.getByTestId('batch-rows').getByText(word, { exact: true }).last().click();
    await page.getByTestId('batch-numbers').getByText(`“${word}”`).waitFor();
    await page.getByTestId(`choice-${fault}`).check();
    await page.getByTestId('lesson-check').click();
  };
  await check('·-l', 'leak');
  await page.getByText('and should. Look for another. Found: 0 of 3.').waitFor();
  await check('milk', 'leak');
  await page.getByText('Found: 1 of 3.').waitFor();
  await page.getByTestId('batch-rows').focus();
  for (const key of ['j', 'End']) await page.keyboard.press(key);
  await page.getByTestId('batch-numbers').getByText('Token 33').waitFor();
  await page.getByTestId('choice-untrained-stop').check();
  await page.getByTestId('lesson-check').click();
  await page.getByText('Found: 2 of 3.').waitFor();
  await check('·a.txt', 'shift');
  await page.getByText('Look for another').waitFor();
  await page.keyboard.press('Tab');
  await page.getByTestId('batch-rows').focus();
  for (const key of ['Home', 'End']) await page.keyboard.press(key);
  await page.getByTestId('batch-numbers').getByText('Token 32').waitFor();
  await page.getByTestId('lesson-check').click();
  await page.getByText('Found: 3 of 3.').waitFor();
  await page.getByText('None of them is seen in a loss curve').waitFor();
});

test('a lesson stands alone in a frame, and what a link hides stays hidden around it', async () => {
  const frame = await open('?embed=lesson-groups');
  await frame.getByTestId('lesson').getByTestId('setting-batch.groupSize').waitFor();
  const href = (testId: string) => frame.getByTestId(testId).getAttribute('href');
  expect(await href('open-in-lab')).toBe(`${inject('siteUrl')}#lessons/groups`);
  expect(await href('next-lesson')).toMatch(/^http[^?#]*\/#lessons\/\w+$/);
  const page = await open('#lessons/groups&hide=settings,runs');
  await page.getByTestId('lesson').getByTestId('setting-batch.groupSize').waitFor();
  await expect.poll(() => page.url()).toMatch(/&hide=settings,runs$/);
});

/** Milliseconds after which each animation of the legend is over. */
const endings = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => (effect as KeyframeEffect).target?.closest('.legend'))
      .map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
  );

/** Number of the legend's tokens on which a veil that lifts lies, at these milliseconds of its animations. */
const veiledAt = (page: Page, times: readonly number[]): Promise<number[]> =>
  page.evaluate(
    (all) =>
      all.map((time) => {
        for (const animation of document.getAnimations()) {
          if ((animation.effect as KeyframeEffect).target?.closest('.legend')) animation.currentTime = time;
        }
        const chips = [...document.querySelectorAll('.legend-tells > .chip:not(.chip-veiled)')];
        return chips.filter((chip) => getComputedStyle(chip, '::after').clipPath === 'none').length;
      }),
    times,
  );

test('the legend tells in five seconds what a mask is, once', async () => {
  const page = await open('');
  await page.locator('.legend-tells').waitFor();
  const ends = await endings(page);
  // Of two tokens the veil comes and lifts, and the word takes its colour.
  expect(ends.length).toBe(4);
  expect(Math.max(...ends)).toBeGreaterThan(4000);
  expect(Math.max(...ends)).toBeLessThanOrEqual(5000);
  // It is whole at first, and again at the end.
  expect(await veiledAt(page, [0, 1000, 2000, 3500, 4500])).toEqual([0, 0, 2, 1, 0]);
});

test('prediction has one word in the lab, which names its weight λ and its cross-entropy once', async () => {
  const page = await open('');
  await page.locator('.legend-tells').waitFor();
  await page.getByTestId('live-ce.observation').waitFor();
  const [said = ''] = await page.locator('main.screen').allInnerTexts();
  expect(said).not.toMatch(/predict \d|learns to predict|saw it coming|observation cross-entropy|world-model weight/i);
  expect(said).toMatch(/by prediction with weight λ/);
  expect(said).toMatch(/prediction 0\.\d/);
  expect(said).toMatch(/Prediction λ/);
  expect(said).toMatch(/Prediction error[\s\S]*Cross-entropy of the world’s answers/);
  expect(said).toMatch(/prediction: from answers/);
});

test('a first visit sees the recorded run from its first update to an end at which every arm has learned', async () => {
  const page = await open('', { viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' });
  const slider = page.getByTestId('recorded-update');
  await slider.waitFor();
  expect(await slider.inputValue()).toBe('0');
  expect((await endings(page)).length).toBe(0);
  const line = page.getByTestId('chart-successRate').locator('.plot-behind path').first();
  const points = async () => (await line.getAttribute('d'))?.split(/[ML]/).length ?? 0;
  await slider.fill(String(await slider.getAttribute('max')));
  await line.waitFor();
  const whole = await points();
  const recorded = page.getByTestId('recorded-run');
  const outcomes = () => recorded.locator('[data-outcome]').evaluateAll((all) => all.map((one) => one.textContent));
  expect(new Set(await outcomes())).toEqual(new Set(['Right']));
  // All of it is in the window.
  const column = page.locator('.screen-worlds');
  await expect.poll(() => column.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(1);
  await slider.fill('60');
  await expect.poll(points).toBeLessThan(whole / 2);
  await recorded.locator('.board').first().waitFor();
  expect(await recorded.getByText(/^Recorded: update (5\d|6\d)/).count()).toBe(1);
  // An arm more takes nothing away from the others.
  await page.getByTestId('add-arm').click();
  await page.getByTestId('add-method').fill('No mask');
  await page.getByTestId('add-method').press('Enter');
  await recorded.getByText('Not recorded: run it to see it').waitFor();
  await page
    .getByText(/No curve yet: No mask/)
    .first()
    .waitFor({ state: 'attached' });
  expect(await slider.inputValue()).toBe('60');
  expect(await page.getByTestId('chart-successRate').locator('.plot-behind path').count()).toBeGreaterThanOrEqual(2);
  expect(await recorded.locator('[data-outcome]').count()).toBe(2);
  // What holds for some arms, or differs between them, is not told as one number of all.
  await page.getByTestId('live-more').click();
  expect(await page.getByTestId('live-entropyCoefficient').getAttribute('placeholder')).toBe('mixed');
  expect(await page.locator('.live').getByText('Prediction λ, World model').count()).toBe(1);
  // No name of an arm is cut, nor how it learns.
  const cut = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.arm-name-text, .arm-method')]
        .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' || one.scrollWidth > one.clientWidth + 1)
        .filter((one) => getComputedStyle(one).display !== 'inline')
        .map(({ textContent }) => textContent),
    );
  for (const width of [1440, 390, 1200]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await cut(), `at ${width}`).toEqual([]);
  }
  await page.getByRole('button', { name: /^No mask/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByTestId('run-first').click();
  await recorded.waitFor({ state: 'detached' });
  await expect.poll(points).toBe(whole);
});
