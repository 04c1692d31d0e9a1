/**
 * Faults of the published page, in Chromium: a part of its code that does not arrive, and no connection. `npm run faults -- --page`
 * builds the page and injects them; their short form is test/browser/faults.browser.test.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { chooseBackend, goTo } from '../support/page';
import { serveFolder } from '../support/staticServer';
import type { Fault } from './fault';

export interface Site {
  readonly browser: Browser;
  /** Folder of the built page. */
  readonly folder: string;
}

export const UPDATES = 6;
export const LINK = `#preset=gridworld-tiny&updates=${UPDATES}`;

/** Files that the page's script asks for after it has begun. */
function partsOf(folder: string): string[] {
  const assets = join(folder, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const named = scripts.flatMap((name) => {
    const text = readFileSync(join(assets, name), 'utf8');
    return [...text.matchAll(/unmaskArrive\((\[[^\]]*\])/g)].flatMap(
      ([, names]) => JSON.parse(names as string) as string[],
    );
  });
  return [...new Set(named)].map((name) => name.replace('./', '')).sort();
}

/** Ways in which a file does not arrive: another version took its place, there is no connection, the server fails. */
export const WAYS: readonly ((route: Route) => Promise<void>)[] = [
  (route) => route.fulfill({ status: 404 }),
  (route) => route.abort('internetdisconnected'),
  (route) => route.fulfill({ status: 503, body: 'later' }),
];

interface Visit {
  readonly page: Page;
  readonly url: string;
  readonly serverGone: () => Promise<void>;
}

/** A visit to the served page, in a context of its own. */
export async function visiting<T>(
  site: Site,
  serviceWorkers: 'allow' | 'block',
  work: (visit: Visit) => Promise<T>,
): Promise<T> {
  const server = await serveFolder(site.folder, '/unmask/');
  const context = await site.browser.newContext({ viewport: { width: 1440, height: 860 }, serviceWorkers });
  let isServed = true;
  const serverGone = async (): Promise<void> => {
    if (isServed) await server.close();
    isServed = false;
  };
  try {
    return await work({ page: await context.newPage(), url: server.url, serverGone });
  } finally {
    await context.close();
    await serverGone();
  }
}

/** Trains to the end. Updates that the page shows then. */
export async function train(page: Page): Promise<number> {
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
  const status = page.locator('[data-testid=status][data-phase=finished]');
  await status.waitFor();
  return Number(await status.getAttribute('data-update'));
}

export const MISSING = '[data-testid=message][data-kind=missing]';

/** Opens what is loaded when it is opened, one after the other, whether or not it comes. */
export async function openAll(page: Page): Promise<void> {
  const open = async (there: string, press: () => Promise<unknown>): Promise<void> => {
    const missing = await page.locator(MISSING).count();
    await press();
    await untilThere(page, there, missing);
  };
  await open('dialog[open]', () => page.getByTestId('share').first().click());
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'hidden' });
  for (const place of ['library', 'why', 'sure', 'training', 'settings', 'policies', 'speed'])
    await open(`[data-testid=place-${place}]`, () => page.evaluate((name) => location.assign(`#${name}`), place));
  await open('[data-testid=kernels]', () => page.evaluate(() => location.assign('#kernels')));
  await page.evaluate(() => location.assign('#lab'));
}

/** Until it is there, or one more part is said to be missing. */
async function untilThere(page: Page, there: string, missing: number): Promise<void> {
  await page.waitForFunction(
    ([selector, messages, count]) =>
      document.querySelector(selector) !== null || document.querySelectorAll(messages).length > count,
    [there, MISSING, missing] as const,
    { polling: 100 },
  );
}

export function pageFaults(site: () => Promise<Site>): readonly Fault[] {
  const parts = async (): Promise<string[]> => partsOf((await site()).folder);
  return [
    {
      name: 'page-part-missing',
      injected:
        'A part of the page’s code does not arrive (404, no connection, 503), each in turn, until it is asked for again',
      times: { short: () => 2, long: async () => (await parts()).length },
      async inject(n) {
        const all = await parts();
        const name = all[n % all.length] as string;
        const way = WAYS[n % WAYS.length] as (typeof WAYS)[number];
        return visiting(await site(), 'block', async ({ page, url }) => {
          const address = `**/assets/${name}`;
          await page.route(address, way);
          await page.goto(url + LINK);
          const updates = await train(page);
          if (updates !== UPDATES) return `${name}: ${updates} updates`;
          await openAll(page);
          if (!(await page.getByTestId('status').isVisible())) return `${name}: the page`;
          await page.unroute(address);
          const missing = page.locator(MISSING);
          for (let left = await missing.count(); left > 0; left--)
            await missing.first().getByTestId('again').dispatchEvent('click');
          await missing.first().waitFor({ state: 'detached' });
          await page.locator('[data-testid=chart-successRate] svg').first().waitFor();
          await goTo(page, 'runs');
          await page.getByTestId('kept-run').first().waitFor();
          return null;
        });
      },
    },
    {
      name: 'page-offline',
      injected: 'The connection ends after one visit: the page is opened anew, and trains',
      times: { short: () => 1, long: () => 10 },
      async inject() {
        return visiting(await site(), 'allow', async ({ page, url, serverGone }) => {
          await page.goto(url);
          await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { polling: 100 });
          await serverGone();
          await page.goto('about:blank');
          await page.goto(url + LINK);
          const updates = await train(page);
          return updates === UPDATES ? null : `${updates} updates`;
        });
      },
    },
    {
      name: 'page-two-tabs',
      injected:
        'A second tab shows a run that trains in another, goes on with it when that is closed, and deletes it under way',
      times: { short: () => 1, long: () => 10 },
      async inject() {
        return visiting(await site(), 'block', async ({ page, url }) => {
          const resume = page.getByTestId('resume-kept');
          const other = await page.context().newPage();
          await other.goto(`${url}#preset=gridworld-tiny&updates=100000&seeds=1`);
          await chooseBackend(other, 'cpu');
          await other.getByTestId('run-first').click();
          await other.locator('[data-testid=status][data-kept]:not([data-kept="0"])').waitFor();
          await page.goto(url + LINK);
          await goTo(page, 'runs');
          await page.getByTestId('show-run').click();
          await page.locator('[data-testid=message][data-kind=elsewhere]').waitFor();
          if ((await resume.count()) > 0) return 'two tabs may train one run';
          await other.close();
          await resume.click();
          await page.locator('[data-testid=status][data-phase=running]').waitFor();
          await goTo(page, 'runs');
          await page.getByTestId('run-details').click();
          await page.getByTestId('delete-run').click();
          await page.getByTestId('kept-run').waitFor({ state: 'detached' });
          await page.getByTestId('pause').click();
          await page.locator('[data-testid=status][data-phase=paused]').waitFor();
          await page.reload();
          await page.getByTestId('no-runs').waitFor();
          return (await page.getByTestId('kept-run').count()) === 0 ? null : 'a deleted run is there again';
        });
      },
    },
  ];
}
