/**
 * Faults of a page that nobody looks at, in Chromium: a newer version is published while it trains, its tab is hidden, frozen, or
 * discarded and opened again. The run must end with the policy of a run that was not disturbed, byte for byte.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { goTo } from '../support/page';
import { type Fault, times } from './fault';
import { begin, policyOf } from './killed';
import { openAll, type Site, visiting } from './page';

/** A file of the build with its content's hash in its name. */
const HASHED = /^(.*-)([\w-]{8})(\.\w+)$/;

/** Publishes the build again in its folder under other names, as a build of changed code would be; the files before are gone. */
function publishAgain(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const named = files.flatMap((path) => {
    const [, before = '', hash = '', end = ''] = HASHED.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    return hash === ''
      ? []
      : [{ path, name: before + hash + end, other: `${before}${[...hash].reverse().join('')}${end}` }];
  });
  for (const path of files.filter((one) => /\.(js|html|css)$/.test(one))) {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(
      join(folder, path),
      named.reduce((before, { name, other }) => before.replaceAll(name, other), text),
    );
  }
  for (const { path, name, other } of named) renameSync(join(folder, path), join(folder, path.replace(name, other)));
}

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
      name: 'page-updated',
      injected:
        'A newer version is published while a page trains, and takes its place in another tab: the run ends as it would, in the old page or the new',
      times: times(1, 10),
      async inject(n) {
        await undisturbed();
        const { browser, folder } = await site();
        const copy = mkdtempSync(join(tmpdir(), 'unmask-published-'));
        cpSync(folder, copy, { recursive: true });
        try {
          return await visiting({ browser, folder: copy }, 'allow', async ({ page, url }) => {
            page.on('dialog', (dialog) => dialog.accept());
            await page.goto(url);
            await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { polling: 100 });
            await begin(page, url);
            await isKept(page).waitFor();
            publishAgain(copy);
            const other = await page.context().newPage();
            await other.goto(url);
            const newVersion = '[data-testid=message][data-kind=new-version]';
            await other.evaluate(async () => (await navigator.serviceWorker.ready).update());
            await other.locator(newVersion).waitFor();
            await other.getByTestId('reload').click();
            await other.locator(newVersion).waitFor({ state: 'detached' });
            // What is loaded now comes from memory or is said to be missing; the run goes on.
            await page.locator(newVersion).waitFor();
            await openAll(page);
            await page.locator('[data-testid=status][data-phase=finished]').waitFor();
            if (n % 2 === 0) return same(page);
            await page.getByTestId('reload').first().click();
            await page.waitForLoadState();
            await goTo(page, 'runs');
            await page.getByTestId('resume-kept').click();
            return same(page);
          });
        } finally {
          rmSync(copy, { recursive: true, force: true });
        }
      },
    },
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
