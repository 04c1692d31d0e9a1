/** Checks of every screen: violations that axe finds, and sideways scrolling. */
import axe from 'axe-core';
import type { FrameLocator, Page } from 'playwright-core';

/** Goes to a place of the page, such as `runs`, with the experiment that is open. */
export const goTo = (page: Page, place: string): Promise<void> =>
  page.evaluate((name) => location.assign(`#${name}`), place);

/** Opens what is behind the gear; an older page has none, and all of it in its header. */
export async function openGear(page: Page | FrameLocator): Promise<void> {
  const gear = page.getByTestId('gear');
  await gear.or(page.getByTestId('backend-choice')).first().waitFor();
  if ((await gear.count()) > 0 && (await gear.getAttribute('aria-expanded')) === 'false') await gear.click();
}

/** Closes it, and the focus is on the gear. */
export async function closeGear(page: Page | FrameLocator): Promise<void> {
  const gear = page.getByTestId('gear');
  if ((await gear.count()) === 0) return;
  // A busy page may lose a press while it is laid out for another width.
  for (let i = 0; i < 3 && (await gear.getAttribute('aria-expanded')) === 'true'; i++) await gear.press('Escape');
}

/** As a person chooses what the lab runs on. */
export async function chooseBackend(page: Page | FrameLocator, backend: string): Promise<void> {
  await openGear(page);
  await page.getByTestId('backend-choice').selectOption(backend);
  await closeGear(page);
}

/** Chooses in a chart's menu what all charts go over. */
export async function chooseOver(page: Page, over: 'updates' | 'tokens' | 'seconds'): Promise<void> {
  await page.getByTestId('axis-successRate').click();
  await page.getByTestId('progress-choice').selectOption(over);
  await page.keyboard.press('Escape');
}

/** What the lab says of the backend it runs on: its kind, and the words. */
export async function backendLine(page: Page): Promise<{ kind: string | null; words: string | null }> {
  await openGear(page);
  const line = page.getByTestId('backend-line');
  return { kind: await line.getAttribute('data-kind'), words: await line.textContent() };
}

/** Loads axe into a page, once, because it is large. */
export async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
}

/** Rule and elements of each violation below a selector; empty if axe finds none. */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  await loadAxe(page);
  return page.evaluate(async (selector) => {
    const { axe: engine } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations: found } = await engine.run(selector, { resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, part);
}

/** Pixels by which the page is wider than its window, or a dialog's content wider than the dialog. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const scrolled = [document.documentElement, ...document.querySelectorAll('dialog[open]')];
    return Math.max(...scrolled.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });

/** HTML of the element furthest beyond the right edge of the window or dialog: the cause of sideways scrolling. */
export const widest = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const wider = ({ scrollWidth, clientWidth }: Element): number => scrollWidth - clientWidth;
    const root = [...document.querySelectorAll('dialog[open]')].reduce(
      (found, one) => (wider(one) > wider(found) ? one : found),
      document.documentElement as Element,
    );
    const isClipped = (one: Element): boolean =>
      one.parentElement !== null &&
      one.parentElement !== root &&
      (getComputedStyle(one.parentElement).overflowX !== 'visible' || isClipped(one.parentElement));
    const reach = (one: Element): number => one.getBoundingClientRect().right;
    // Elements around it may reach as far, so the innermost one counts.
    const furthest = [...root.querySelectorAll('*')]
      .filter((one) => !isClipped(one))
      .reduce((found, one) => (reach(one) >= reach(found) ? one : found), root);
    return furthest.outerHTML;
  });
