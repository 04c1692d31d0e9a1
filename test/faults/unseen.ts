/**
 * Faults of a page that nobody looks at, in Chromium: its tab is hidden, frozen, or discarded and opened again while it trains. The
 * run must end with the policy of a run that was not disturbed, byte for byte.
 */
import type { Page } from 'playwright-core';
import { type Fault, times } from './fault';
import { begin, policyOf } from './killed';
import { type Site, visiting } from './page';

const isKept = (page: Page) => page.locator('[data-testid=status][data-kept]:not([data-kept="0"])');
const running = (page: Page) => page.locator('[data-testid=status][data-phase=running]');

/** Milliseconds to which a hidden tab's timers are put together: browsers take a minute. */
const ALIGNED = 4000;

/** Hides a page as a browser does a tab: it draws nothing, and its timers come together, once in a while. */
function hideable(together: number): void {
  const real = {
    setTimeout: setTimeout.bind(window),
    requestAnimationFrame: requestAnimationFrame.bind(window),
    requestIdleCallback: requestIdleCallback.bind(window),
  };
  let isHidden = false;
  const waiting: (() => void)[] = [];
  Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
  Object.defineProperty(document, 'hidden', { get: () => isHidden });
  const aligned = (wait = 0): number => {
    const at = performance.now() + wait;
    return isHidden ? together * Math.ceil(at / together) - performance.now() : wait;
  };
  window.setTimeout = ((work: TimerHandler, wait?: number, ...given: unknown[]) =>
    real.setTimeout(work, aligned(wait), ...given)) as typeof setTimeout;
  const later = (work: () => void): number => (isHidden ? waiting.push(work) : 0);
  window.requestAnimationFrame = (work) =>
    isHidden ? later(() => real.requestAnimationFrame(work)) : real.requestAnimationFrame(work);
  window.requestIdleCallback = (work, options) =>
    isHidden ? later(() => real.requestIdleCallback(work, options)) : real.requestIdleCallback(work, options);
  Object.assign(window, {
    setHidden(hidden: boolean) {
      isHidden = hidden;
      document.dispatchEvent(new Event('visibilitychange'));
      if (!hidden) for (const work of waiting.splice(0)) work();
    },
  });
}

const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => (window as unknown as { setHidden(is: boolean): void }).setHidden(hidden), isHidden);

export function unseenFaults(site: () => Promise<Site>, undisturbed: () => Promise<Buffer>): readonly Fault[] {
  const same = async (page: Page): Promise<string | null> =>
    Buffer.compare(await policyOf(page), await undisturbed()) === 0 ? null : 'the end is another';
  return [
    {
      name: 'page-hidden',
      injected: `A page trains to its end in a hidden tab, which draws nothing and whose timers come together every ${ALIGNED / 1000} seconds`,
      times: times(1, 10),
      async inject() {
        await undisturbed();
        return visiting(await site(), 'block', async ({ page, url }) => {
          await page.addInitScript(hideable, ALIGNED);
          await begin(page, url);
          await running(page).waitFor();
          await setHidden(page, true);
          // Nothing is drawn, so the page is asked by its list of runs.
          await page.waitForFunction(
            () => document.querySelector('[data-testid=status]')?.getAttribute('data-phase') === 'finished',
            null,
            { polling: 500 },
          );
          await setHidden(page, false);
          return same(page);
        });
      },
    },
    {
      name: 'page-frozen',
      injected: 'The browser freezes a page that trains, with its Workers, and lets it go on some seconds later',
      times: times(1, 10),
      async inject(n) {
        await undisturbed();
        return visiting(await site(), 'block', async ({ page, url }) => {
          await begin(page, url);
          await running(page).waitFor();
          const session = await page.context().newCDPSession(page);
          await session.send('Page.setWebLifecycleState', { state: 'frozen' });
          await new Promise((resolve) => setTimeout(resolve, 3000 + 1000 * (n % 10)));
          await session.send('Page.setWebLifecycleState', { state: 'active' });
          return same(page);
        });
      },
    },
    {
      name: 'page-discarded',
      injected:
        'The browser discards the tab of a page that trains, without a word to it, and loads it again when one comes back',
      times: times(1, 10),
      async inject() {
        await undisturbed();
        return visiting(await site(), 'block', async ({ page, url }) => {
          // The page hears nothing of its end.
          await page.addInitScript(() => {
            for (const event of ['pagehide', 'beforeunload', 'visibilitychange', 'unload'])
              addEventListener(event, (heard) => heard.stopImmediatePropagation(), true);
          });
          await begin(page, url);
          await isKept(page).waitFor();
          const acknowledged = Number(await isKept(page).getAttribute('data-kept'));
          await page.reload();
          await page.getByTestId('resume-kept').waitFor();
          const [, from] = /update (\d+)/.exec((await page.getByTestId('resume-kept').textContent()) ?? '') ?? [];
          if (Number(from) < acknowledged) return `update ${acknowledged}, which was kept; ${from} is there`;
          await page.getByTestId('resume-kept').click();
          return same(page);
        });
      },
    },
  ];
}
