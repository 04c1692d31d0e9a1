/**
 * Faults around the published page, in Chromium: a frame without an origin, a browser without room, several tabs at once, and code
 * that does not arrive at all.
 */
import type { Page } from 'playwright-core';
import { chooseBackend, goTo } from '../support/page';
import { serveFolder } from '../support/staticServer';
import { type Fault, times } from './fault';
import { LINK, type Site, train, UPDATES, visiting, WAYS } from './page';

const NOT_KEPT = '[data-testid=message][data-kind=not-kept]';

/** Hosts of a frame with sandbox="allow-scripts": a plain one, and one that lets strangers read the lab, with the lab or a chart. */
const FRAMES = [
  { headers: {}, query: '' },
  { headers: { 'Access-Control-Allow-Origin': '*' }, query: '' },
  { headers: { 'Access-Control-Allow-Origin': '*' }, query: '?embed=chart-successRate' },
] as const;

async function framed(site: Site, { headers, query }: (typeof FRAMES)[number]): Promise<string | null> {
  const server = await serveFolder(site.folder, '/unmask/', 0, headers);
  const page = await site.browser.newPage();
  try {
    const address = `${server.url}${query}${LINK}`;
    await page.setContent(`<iframe sandbox="allow-scripts" width="1200" height="800" src="${address}"></iframe>`);
    const frame = page.frameLocator('iframe');
    if (Object.keys(headers).length === 0) {
      await frame.getByText('Unmask cannot run in this frame.').waitFor();
      return null;
    }
    if (query === '') {
      await frame.locator(NOT_KEPT).filter({ hasText: 'the frame that it is in' }).waitFor();
      await chooseBackend(frame, 'cpu');
    }
    await frame.getByTestId(query === '' ? 'run-first' : 'run').click();
    const status = frame.locator('[data-testid=status][data-phase=finished]');
    await status.waitFor();
    const updates = Number(await status.getAttribute('data-update'));
    return updates === UPDATES ? null : `${updates} updates`;
  } finally {
    await page.close();
    await server.close();
  }
}

/** Has what the page and its Workers write into the browser's storage refused while there is no room, as a full disk would. */
function fullness(isFull: boolean): string {
  return `{
    let isFull = ${isFull};
    new BroadcastChannel('room').onmessage = ({ data }) => { isFull = data; };
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...given) {
      if (isFull) throw new DOMException('A fault on purpose.', 'QuotaExceededError');
      return put.apply(this, given);
    };
  }`;
}

async function fillable(page: Page, isFull: boolean): Promise<void> {
  await page.addInitScript(fullness(isFull));
  await page.context().route(/assets\/worker-[^/]*\.js$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${fullness(isFull)}\n${await answer.text()}` });
  });
}

/** From another page of the origin: one that posts into a channel does not hear itself. */
async function setRoom(page: Page, isFull: boolean): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(new URL('LICENSE.txt', page.url()).href);
  await other.evaluate((full) => new BroadcastChannel('room').postMessage(full), isFull);
  await other.close();
}

const runButton = (page: Page) => page.locator('[data-testid=run]:visible, [data-testid=run-first]:visible').first();

/** Runs in the list, once there are so many. */
async function listed(page: Page, count: number): Promise<number> {
  await goTo(page, 'runs');
  const runs = page.getByTestId('kept-run');
  await runs.nth(count - 1).waitFor();
  return runs.count();
}

export function faultsAround(site: () => Promise<Site>): readonly Fault[] {
  return [
    {
      name: 'page-framed',
      injected:
        'The page is in a frame without an origin (sandbox="allow-scripts"), on a plain host and on one that lets it be read: it trains or says why not',
      times: times(FRAMES.length, 2 * FRAMES.length),
      inject: async (n) => framed(await site(), FRAMES[n % FRAMES.length] as (typeof FRAMES)[number]),
    },
    {
      name: 'page-absent',
      injected:
        'None of the page’s code arrives (404, no connection, 503): the page says so, and comes when it is opened again',
      times: times(1, 2 * WAYS.length),
      inject: async (n) =>
        visiting(await site(), 'block', async ({ page, url }) => {
          const scripts = /assets\/(index|packages)-[^/]*\.js$/;
          await page.route(scripts, WAYS[n % WAYS.length] as (typeof WAYS)[number]);
          await page.goto(url + LINK);
          await page.getByText('The code of this page did not arrive.').waitFor();
          await page.unroute(scripts);
          await page.getByRole('link', { name: 'Open Unmask' }).click();
          const updates = await train(page);
          return updates === UPDATES ? null : `${updates} updates`;
        }),
    },
    {
      name: 'page-full',
      injected:
        'The browser has no room left while a run trains: that is said on the screen, and all is kept once there is room',
      times: times(1, 10),
      inject: async (n) =>
        visiting(await site(), 'block', async ({ page, url }) => {
          const all = 600;
          // From before its first save, or after it.
          await fillable(page, n % 2 === 1);
          await page.goto(`${url}#preset=gridworld-tiny&updates=${all}&seeds=1&arms=action-mask,world-model`);
          await chooseBackend(page, 'cpu');
          await page.getByTestId('run-first').click();
          if (n % 2 === 0) {
            await page.locator('[data-testid=status][data-kept]:not([data-kept="0"])').waitFor();
            await setRoom(page, true);
          }
          await page.locator(NOT_KEPT).waitFor();
          await page.locator('[data-testid=status][data-phase=finished]').waitFor();
          if ((await page.locator(NOT_KEPT).count()) !== 1) return 'nothing is said of it at the end';
          await setRoom(page, false);
          await page.locator(`[data-testid=status][data-kept="${all}"]`).waitFor();
          await page.locator(NOT_KEPT).waitFor({ state: 'detached' });
          const next = await page.context().newPage();
          await next.goto(url);
          await listed(next, 1);
          const words = await next.locator('.run-about').textContent();
          return words?.includes(`${all} updates`) ? null : `${all} updates, of which the list has: ${words}`;
        }),
    },
    {
      name: 'page-four-tabs',
      injected:
        'Four tabs begin a run each at the same moment, while three of them still read the run that was left there',
      times: times(1, 25),
      inject: async (n) =>
        visiting(await site(), 'block', async ({ page, url }) => {
          await page.goto(url + LINK);
          await train(page);
          await page.locator(`[data-testid=status][data-kept="${UPDATES}"]`).waitFor();
          const others = await Promise.all([1, 2, 3].map(() => page.context().newPage()));
          const tabs = [page, ...others];
          await Promise.all(
            tabs.map(async (tab, place) => {
              if (tab !== page) await tab.goto(url);
              await runButton(tab).waitFor();
              // Not all at the same moment of the reading.
              await tab.waitForTimeout((20 * n * place) % 300);
              await runButton(tab).click();
            }),
          );
          for (const tab of tabs) await tab.locator('[data-testid=status][data-phase=finished]').waitFor();
          for (const tab of tabs) {
            const count = await listed(tab, tabs.length + 1);
            if (count !== tabs.length + 1) return `${count} runs in the list of ${tabs.length + 1}`;
          }
          return null;
        }),
    },
  ];
}
