/** The page around the lab: the tour by keyboard, parts hidden by a link, parts in frames of other pages, deep links. */
import type { FrameLocator, Page } from 'playwright-core';
import { describe, expect, inject, test } from 'vitest';
import { chromiumHere } from '../support/chromiumHere';
import { openLab } from '../support/labPage';
import { closeGear, goTo, loadAxe, openGear, overflow } from '../support/page';

const TINY = '#preset=gridworld-tiny&updates=4';

const DESKTOP = { viewport: { width: 1440, height: 860 }, colorScheme: 'light' } as const;
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', reducedMotion: 'reduce' } as const;

const browser = chromiumHere();

/** True if the tour's card covers the element that it explains. */
const covers = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const [card, ring] = ['.tour', '.tour-ring'].map((part) => document.querySelector(part)?.getBoundingClientRect());
    if (card === undefined || ring === undefined) throw new Error('The tour points at nothing.');
    return card.left < ring.right && ring.left < card.right && card.top < ring.bottom && ring.top < card.bottom;
  });

describe.each([
  ['desktop, light', DESKTOP],
  ['phone, dark', PHONE],
] as const)('the tour on %s', (_, options) => {
  test('is offered, goes to its end by keyboard, and covers nothing it speaks of', async () => {
    const { page, complaints } = await openLab(browser(), '', options);
    await page.getByTestId('take-tour').click();
    await page.getByTestId('tour').waitFor();
    const steps = Number(await page.getByTestId('tour').locator('progress').getAttribute('max'));
    expect(steps).toBe(9);
    for (let step = 1; step <= steps; step++) {
      expect(await page.getByTestId('tour').getAttribute('data-step')).toBe(String(step));
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('tour');
      await page.locator('.tour-ring').waitFor();
      // The page may just be moving under it, as the run begins.
      await expect.poll(() => covers(page), { message: `step ${step}` }).toBe(false);
      // The second step runs the experiment, which the test need not wait for.
      if (step === 3) await page.keyboard.press('ArrowLeft');
      if (step === 3) await page.keyboard.press('ArrowRight');
      await page.keyboard.press(step < steps ? 'ArrowRight' : 'Tab');
    }
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByTestId('tour-next').press('Enter');
    await page.getByTestId('tour').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('gear');
    expect(await page.getByTestId('status').getAttribute('data-phase')).toMatch(/preparing|running/);
    // Asked for again from Help, behind the gear, which has the focus, and left by Escape.
    await page.keyboard.press('Enter');
    await page.getByTestId('help').press('Enter');
    await page.getByTestId('tour-open').press('Enter');
    await page.getByTestId('tour').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('tour').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

test('a link hides controls, says so, and shows them when asked; its sender chooses which', async () => {
  const { page, complaints } = await openLab(browser(), `${TINY}&hide=settings,arms,policies`, PHONE);
  await page.getByTestId('hidden-note').waitFor();
  expect(await page.getByTestId('tour').count()).toBe(0);
  await openGear(page);
  for (const gone of ['area-places', 'add-arm', 'cell-world-model-observation', 'go-settings']) {
    expect(await page.getByTestId(gone).count(), gone).toBe(0);
  }
  expect(await page.getByTestId('arm-world-model').textContent()).toMatch(/prediction 0.1/);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
  await closeGear(page);
  await page.getByTestId('share').click();
  await page.getByTestId('hide').click();
  await page.getByTestId('hide-arms').uncheck();
  await page.getByTestId('hide-why').check();
  const link = await page.getByTestId('share-url').inputValue();
  expect(new URLSearchParams(new URL(link).hash.slice(1)).get('hide')).toBe('policies,why,settings');
  await page.keyboard.press('Escape');
  await page.getByTestId('show-all').click();
  await openGear(page);
  await page.getByTestId('go-settings').waitFor();
  await goTo(page, 'runs');
  await page.getByTestId('go-policies').waitFor();
  await goTo(page, 'lab');
  await page.getByTestId('cell-world-model-observation').waitFor();
  expect(await page.getByTestId('hidden-note').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('an arm and a chart train and draw in frames of another page, and leave nothing behind', async () => {
  const context = await browser().newContext(DESKTOP);
  const page = await context.newPage();
  const frame = (part: string) =>
    `<iframe id="${part}" width="640" height="480" src="${inject('siteUrl')}?embed=${part}${TINY}"></iframe>`;
  await page.setContent(['world-model', 'chart-successRate', 'nothing'].map(frame).join(''));
  const inside = (part: string): FrameLocator => page.frameLocator(`#${part}`);
  const run = async (part: string) => {
    await inside(part).getByTestId('run').click();
    await inside(part).locator('[data-phase="finished"]').waitFor();
  };
  await run('world-model');
  await inside('world-model').locator('.strip .chip').first().waitFor();
  expect(await inside('world-model').locator('[data-testid^="arm-"]').count()).toBe(1);
  await run('chart-successRate');
  await expect.poll(() => inside('chart-successRate').locator('.plot-mean path').count()).toBeGreaterThanOrEqual(3);
  expect(await inside('chart-successRate').getByTestId('open-in-lab').getAttribute('href')).toBe(
    inject('siteUrl') + TINY,
  );
  expect(await inside('nothing').getByTestId('embed-unknown').textContent()).toMatch(/nothing.*world-model/);
  // The lab itself in the same browser is untouched.
  const lab = await context.newPage();
  await lab.goto(inject('siteUrl'));
  await lab.getByTestId('take-tour').waitFor();
  expect(await lab.getByTestId('runs').count()).toBe(0);
  await context.close();
});

test('an embedded arm or chart does not scroll sideways in a narrow frame', async () => {
  const context = await browser().newContext({ viewport: { width: 360, height: 480 } });
  const page = await context.newPage();
  for (const part of ['world-model', 'chart-observationCrossEntropy', 'nothing']) {
    await page.goto(`${inject('siteUrl')}?embed=${part}${TINY}`);
    await page.getByTestId('run').waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
  // In a wider and lower one Run stays in reach, and no heading runs into the next.
  await page.setViewportSize({ width: 640, height: 300 });
  await page.goto(`${inject('siteUrl')}?embed=world-model${TINY}`);
  const run = await page.getByTestId('run').boundingBox();
  expect((run?.y ?? 300) + (run?.height ?? 0)).toBeLessThanOrEqual(300);
  const cut = await page
    .locator('.arm-table thead th')
    .evaluateAll((all) => all.filter((head) => head.scrollWidth > head.clientWidth).map((head) => head.textContent));
  expect(cut).toEqual([]);
  await context.close();
});

test('a second loss of a cell is one line, and so is a caption, the rest of which keys reach', async () => {
  const { page } = await openLab(browser(), '', DESKTOP);
  const held = page.locator('.arms .chip-held', { hasText: 'entropy 0.06' });
  const heights = () => held.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  await expect.poll(heights).toEqual([16, 16]);
  const chart = page.getByTestId('chart-observationCrossEntropy');
  const more = chart.getByRole('button', { name: 'More about Prediction error' });
  const rest = chart.getByText('Guessing: every word equally likely.');
  await chart.locator('.plot svg').waitFor();
  expect(
    (await more.evaluate((button) => button.previousElementSibling?.getBoundingClientRect().height)) ?? 99,
  ).toBeLessThan(24);
  expect(await rest.isVisible()).toBe(false);
  await more.press('Enter');
  await rest.waitFor();
  expect(await more.evaluate((button) => button.matches(':focus'))).toBe(true);
  await page.keyboard.press('Escape');
  await rest.waitFor({ state: 'hidden' });
});

test('a dialog that is closed by a button inside gives the focus back to what opened it', async () => {
  const { page } = await openLab(browser(), TINY, DESKTOP);
  await page.getByTestId('share').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))).toBe('share');
});

test('a place whose code comes late closes nothing that was opened meanwhile', async () => {
  const context = await browser().newContext(DESKTOP);
  let arrive = (): void => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await context.route(/MethodsPage-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  const page = await context.newPage();
  await page.goto(`${inject('siteUrl')}#methods`);
  await openGear(page);
  await page.getByTestId('backend-choice').waitFor();
  arrive();
  await page.getByTestId('methods-search').waitFor();
  expect(await page.getByTestId('backend-choice').isVisible()).toBe(true);
  await context.close();
});

test('no link of the methods lies under another on a phone', async () => {
  const { page } = await openLab(browser(), '#methods', PHONE);
  await page.getByTestId('method').first().waitFor();
  await loadAxe(page);
  const doubts = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { incomplete } = await axe.run('.methods-list', { resultTypes: ['incomplete'], runOnly: ['color-contrast'] });
    return incomplete.flatMap(({ nodes }) => nodes.map(({ html }) => html));
  });
  expect(doubts).toEqual([]);
});

/** Places of the page without the methods, whose links stand in lines of text. */
const LOOKED_AT = 'lab why sure training batch settings world loss library findings lessons runs policies speed';

test.each([DESKTOP, PHONE])(
  'no text is small, no target narrow and no section nameless, at $viewport.width',
  async (of) => {
    const { page } = await openLab(browser(), TINY, of);
    // Bars at the window's edges lie over what stands below them until one scrolls.
    await page.evaluate(() => {
      const bars = document.querySelectorAll<HTMLElement>('.header-run, .header > *');
      for (const { style } of bars) style.setProperty('position', 'static', 'important');
    });
    for (const place of LOOKED_AT.split(' ')) {
      await goTo(page, place);
      await page.locator(`.page-${place}`).waitFor();
      await page.waitForFunction(() => document.querySelector('.loading, .worlds-coming') === null);
      await loadAxe(page);
      const found = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
        const { violations } = await axe.run('html', { runOnly: { type: 'rule', values: ['target-size'] } });
        const own = (one: Element) =>
          [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '');
        const all = [...document.querySelectorAll('header *, main:not([hidden]) *')].filter((one) =>
          one.checkVisibility(),
        );
        return [
          ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html}`)),
          ...all.filter((one) => own(one) && Number.parseFloat(getComputedStyle(one).fontSize) < 13.9),
          ...all.filter((one) => one.matches('section:not([aria-label], [aria-labelledby])')),
        ].map((one) => (one instanceof Element ? one.outerHTML.slice(0, 200) : one));
      });
      expect(found, place).toEqual([]);
    }
  },
);

test('places are reached by link, keyboard, Back and a copied address, with the experiment as it is', async () => {
  const { context, page, complaints } = await openLab(browser(), '#training', DESKTOP);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  const address = () => page.evaluate(() => location.hash);
  await expect.poll(focused).toBe('training-title');
  expect(await page.getByTestId('message').count()).toBe(0);
  await page.goto(inject('siteUrl') + TINY);
  await page.getByTestId('gear').press('Enter');
  await page.locator('[data-testid=go-settings]:focus').press('Enter');
  await expect.poll(focused).toBe('settings-title');
  await expect.poll(address).toBe(TINY.replace('#', '#settings&'));
  await openGear(page);
  expect(await page.getByTestId('go-settings').getAttribute('aria-current')).toBe('page');
  await page.getByTestId('setting-seeds').fill('3');
  await page.keyboard.press('Enter');
  await expect.poll(address).toContain('seeds=3');
  const copied = page.url();
  // An edit is no entry of the history, a place is one; Back takes no edit back.
  await page.goBack();
  await page.getByTestId('live').waitFor();
  await expect.poll(address).toContain('seeds=3');
  expect(await address()).not.toContain('settings');
  await page.goForward();
  await page.getByTestId('place-settings').waitFor();
  const other = await context.newPage();
  await other.goto(copied);
  await other.getByTestId('place-settings').waitFor();
  expect(await other.getByTestId('setting-seeds').inputValue()).toBe('3');
  // A place that a link hides is none.
  await other.goto(inject('siteUrl') + TINY.replace('#', '#why&').concat('&hide=why'));
  await other.getByTestId('hidden-note').waitFor();
  expect(await other.getByTestId('place-why').count()).toBe(0);
  expect(await other.getByTestId('run-first').isVisible()).toBe(true);
  expect(await other.getByTestId('run').isVisible()).toBe(false);
  // An area is the first of its places that is not hidden, and shows the others.
  await goTo(other, 'understand');
  await other.getByTestId('place-sure').waitFor();
  expect(await other.getByTestId('area-places').locator('a').allTextContents()).toEqual([
    'How sure',
    'Training',
    'Your batch',
  ]);
  expect(await other.locator('.areas [aria-current=true]').textContent()).toBe('Understand');
  expect(complaints).toEqual([]);
});
