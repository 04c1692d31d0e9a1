/**
 * Page of the lab under observation: tasks of its main thread, the time when it became usable, and reports of its
 * trainer. The observing script runs in the page before the lab's own.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chooseBackend } from '../test/support/page';

interface Report {
  readonly time: number;
  readonly update: number;
  readonly tokensPerSecond: number;
}

/** Observations; times are milliseconds since the page was requested. */
export interface Observed {
  /** Time at which a first run could be started. */
  usable: number | null;
  /** Tasks over 50 ms, as the browser reports them. */
  longTasks: { start: number; duration: number }[];
  /** Time between two frames. */
  frames: { start: number; duration: number }[];
  /** Reports of the trainer's Worker: updates finished so far, and its rate since the report before. */
  reports: Report[];
}

declare global {
  interface Window {
    observed: Observed;
  }
}

export const VIEWPORT = { width: 1440, height: 860 };

export interface ObservedPage {
  readonly context: BrowserContext;
  readonly page: Page;
  observed(): Promise<Observed>;
}

export async function openObserved(browser: Browser, address: string): Promise<ObservedPage> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  await page.addInitScript(observe);
  await page.goto(address);
  await page.waitForFunction(() => window.observed.usable !== null);
  return { context, page, observed: () => page.evaluate(() => window.observed) };
}

/** Observing script; runs in the page. */
function observe(): void {
  const observed: Observed = { usable: null, longTasks: [], frames: [], reports: [] };
  window.observed = observed;

  const mutations = new MutationObserver(() => {
    if (document.querySelector('[data-testid=run-first]:enabled') === null) return;
    observed.usable = performance.now();
    mutations.disconnect();
  });
  mutations.observe(document, { subtree: true, childList: true, attributes: true });

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) observed.longTasks.push({ start: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });

  let last = performance.now();
  const frame = (now: number): void => {
    observed.frames.push({ start: last, duration: now - last });
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);

  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      this.addEventListener('message', ({ data }: MessageEvent) => {
        if (data.type !== 'metrics') return;
        const update = data.update + data.count;
        const { tokensPerSecond } = data.throughput;
        observed.reports.push({ time: performance.now(), update, tokensPerSecond });
      });
    }
  };
}

export async function startRun(page: Page, backend: string): Promise<void> {
  await chooseBackend(page, backend);
  await page.getByTestId('run-first').click();
}

export async function waitForPhase(page: Page, phase: string): Promise<void> {
  await page.locator(`[data-testid=status][data-phase=${phase}]`).waitFor({ timeout: 600_000 });
}

export async function waitForUpdate(page: Page, update: number): Promise<void> {
  const reached = (least: number): boolean =>
    Number(document.querySelector('[data-testid=status]')?.getAttribute('data-update')) >= least;
  await page.waitForFunction(reached, update, { timeout: 600_000 });
}
