/** The lab open in Chromium: functions to wait for it and to read its numbers. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { decisiveCharts } from '../../src/ui/model/charts/kinds/decisiveDefinitions';
import { goTo } from './page';

export interface OpenLab {
  context: BrowserContext;
  page: Page;
  /** Console errors and uncaught exceptions so far. */
  complaints: string[];
}

interface Options extends BrowserContextOptions {
  /** Backend that the user chose; by default the lab chooses. */
  backend?: 'webgpu' | 'cpu';
}

/** The lab in a context of its own, which is closed when the test has ended. */
export async function openLab(
  browser: Browser,
  fragment: string,
  { backend, ...options }: Options = {},
): Promise<OpenLab> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 860 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  if (backend !== undefined) await context.addInitScript(prefer, backend);
  await page.goto(inject('siteUrl') + fragment);
  if (backend !== undefined) await page.getByTestId('gear').waitFor();
  return { context, page, complaints };
}

/** Has the page find that an earlier visit chose this backend; runs in it. */
function prefer(backend: string): void {
  if (location.protocol === 'http:') localStorage['unmask.preferences'] ??= JSON.stringify({ backend });
}

/** A window of this width: light on a screen, dark on a phone. */
export const ofWidth = (width: number): Pick<BrowserContextOptions, 'viewport' | 'colorScheme'> => ({
  viewport: { width, height: width > 600 ? 860 : 844 },
  colorScheme: width > 600 ? 'light' : 'dark',
});

/** A run that goes on as long as a test, in one thread: the page has the other core. */
export const ENDLESS = '#preset=gridworld-tiny&updates=100000&seeds=1&arms=world-model';

/** Milliseconds between two looks at a page that trains: at every frame, as is usual, it would draw frames all the while. */
export const CALMLY = { polling: 100 } as const;

export async function waitForPhase(page: Page, phase: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => {
      const status = document.querySelector('[data-testid=status]');
      if (status?.getAttribute('data-phase') === 'failed' && wanted !== 'failed') {
        throw new Error(document.querySelector('[data-testid=message]')?.textContent ?? 'failed');
      }
      return status?.getAttribute('data-phase') === wanted;
    },
    phase,
    CALMLY,
  );
}

export async function waitForUpdate(page: Page, update: number): Promise<void> {
  await page.waitForFunction(
    (least) => Number(document.querySelector('[data-testid=status]')?.getAttribute('data-update')) >= least,
    update,
    CALMLY,
  );
}

/** Numbers of a metric at full precision, from the chart's table, at its place: "arm update" → one number a seed. */
export async function curve(page: Page, metric: string): Promise<Record<string, string>> {
  await goTo(page, decisiveCharts.some((chart) => chart.metric === metric) ? 'lab' : 'training');
  const toggle = page.getByTestId(`table-${metric}`);
  await toggle.scrollIntoViewIfNeeded();
  if ((await toggle.getAttribute('aria-pressed')) !== 'true') await toggle.click();
  const cells = page.getByTestId(`chart-${metric}`).locator('td[data-arm]');
  await cells.first().waitFor();
  // Rows come part by part.
  await page.getByTestId(`chart-${metric}`).locator('.curve-table[aria-busy=false]').waitFor();
  return Object.fromEntries(
    await cells.evaluateAll((all) =>
      all.map((cell) => [
        `${cell.getAttribute('data-arm')} ${cell.getAttribute('data-update')}`,
        cell.getAttribute('data-seeds') ?? '',
      ]),
    ),
  );
}

/** The same of one arm, [update][seed]. */
export async function curveOf(page: Page, metric: string, arm: string): Promise<number[][]> {
  const rows = Object.entries(await curve(page, metric)).flatMap(([key, seeds]) => {
    const [of, update] = key.split(' ');
    return of === arm ? [{ update: Number(update), seeds: seeds.split(' ').map(Number) }] : [];
  });
  return rows.sort((a, b) => a.update - b.update).map(({ seeds }) => seeds);
}
