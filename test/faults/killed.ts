/**
 * The page's process, the whole browser, or the Worker that trains is killed while a run trains. What opens the page next, or the
 * page itself, goes on from what was said to be kept, and must end with the policy of a run that was not disturbed, byte for byte.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Worker } from 'playwright-core';
import { once } from '../../src/foundation/apart';
import { crc32 } from '../../src/foundation/crc32';
import { startProfile } from '../support/chromium';
import { chooseBackend, goTo } from '../support/page';
import { serveFolder } from '../support/staticServer';
import { type Fault, times } from './fault';
import type { Site } from './page';

/** Some seconds of training, with several saves. */
const UPDATES = 600;
const LINK = `#preset=gridworld-tiny&updates=${UPDATES}&seeds=1&arms=action-mask,world-model`;
/** Longest wait from the first save to the kill, milliseconds. */
const LONGEST = 1500;

const at = (page: Page, phase: string): Promise<void> =>
  page.locator(`[data-testid=status][data-phase=${phase}]`).waitFor();

export async function begin(page: Page, url: string): Promise<void> {
  await page.goto(url + LINK);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
}

/** The finished run's policy as a file. */
export async function policyOf(page: Page): Promise<Buffer> {
  await at(page, 'finished');
  await goTo(page, 'policies');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-policy').click()]);
  return readFile(await download.path());
}

/** A pause that is the same for the same n. */
const pauseOf = (n: number): number => crc32(Uint8Array.of(n, n >> 8)) % LONGEST;

/** Trains, kills after a while, goes on in `next`. */
async function judge(
  n: number,
  url: string,
  page: Page,
  next: () => Promise<Page>,
  expected: Buffer,
): Promise<string | null> {
  await begin(page, url);
  const status = page.locator('[data-testid=status][data-kept]:not([data-kept="0"])');
  await status.waitFor();
  await page.waitForTimeout(pauseOf(n));
  const acknowledged = Number(await status.getAttribute('data-kept'));
  const again = await next();
  await again.goto(url);
  await goTo(again, 'runs');
  await again.getByTestId('kept-run').waitFor();
  const resume = again.getByTestId('resume-kept');
  // A run that had ended by then is in the list, and is not offered if the browser lost its settings.
  const show = again.getByTestId('show-run');
  if ((await resume.count()) === 0 && (await show.isEnabled())) await show.click({ timeout: 5000 }).catch(() => {});
  const [, from = UPDATES] = /update (\d+)/.exec((await resume.textContent()) ?? '') ?? [];
  if (Number(from) < acknowledged) return `update ${acknowledged}, which was kept; ${from} is there`;
  await goTo(again, 'runs');
  const [, listed] = /([\d,]+) updates?/.exec((await again.locator('.run-about').textContent()) ?? '') ?? [];
  if (listed?.replaceAll(',', '') !== String(from)) return `update ${from}, of which the list says ${listed}`;
  await resume.click();
  return Buffer.compare(await policyOf(again), expected) === 0 ? null : 'the end is another';
}

/** Crashes the process that runs a page and its Workers. */
export async function crashPage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const gone = new Promise((resolve) => page.once('crash', resolve));
  // It does not answer any more.
  session.send('Page.crash').catch(() => {});
  await gone;
  await page.close();
}

/** Crashes the browser's own process, and so all others. */
async function crashBrowser(context: BrowserContext): Promise<void> {
  const session = await (context.browser() as Browser).newBrowserCDPSession();
  const gone = new Promise((resolve) => context.once('close', resolve));
  session.send('Browser.crash').catch(() => {});
  await gone;
}

/** Ways in which the trainer's Worker ends: the browser takes it, it closes, an exception of it is caught by nobody. */
const ENDS: readonly ((page: Page, trainer: Worker) => Promise<unknown>)[] = [
  (page) =>
    page.evaluate(() => (globalThis as unknown as { started: { terminate(): void }[] }).started.at(-1)?.terminate()),
  (_, trainer) => trainer.evaluate(() => self.close()),
  (_, trainer) =>
    trainer.evaluate(() => {
      setTimeout(() => {
        throw new Error('no luck');
      });
    }),
];

/** Has the page list the Workers that it starts. */
function listWorkers(): void {
  const started: unknown[] = [];
  Object.assign(globalThis, { started });
  globalThis.Worker = class extends globalThis.Worker {
    constructor(...given: ConstructorParameters<typeof globalThis.Worker>) {
      super(...given);
      started.push(this);
    }
  };
}

/** Trains, ends the trainer after a while, and lets the page go on by itself. */
async function judgeTrainer(
  n: number,
  url: string,
  page: Page,
  end: (page: Page, trainer: Worker) => Promise<unknown>,
  expected: Buffer,
): Promise<string | null> {
  await page.clock.install();
  await page.addInitScript(listWorkers);
  await begin(page, url);
  await page.locator('[data-testid=status][data-update]:not([data-update="0"])').waitFor();
  await page.waitForTimeout(pauseOf(n));
  const trainer = page.workers().find((one) => /#worker\b/.test(one.url()));
  if (trainer === undefined) return 'no trainer was found';
  await end(page, trainer);
  const told = page.getByTestId('happenings').getByText(/It was replaced after update \d+/);
  await told.waitFor({ state: 'attached' });
  return Buffer.compare(await policyOf(page), expected) === 0 ? null : 'the end is another';
}

/** Lets it loop, and the page's clock go on until it is given up. */
async function loop(page: Page, trainer: Worker): Promise<void> {
  // It does not answer any more.
  trainer
    .evaluate(() => {
      for (;;);
    })
    .catch(() => {});
  const started = (): Promise<number> =>
    page.evaluate(() => (globalThis as unknown as { started: unknown[] }).started.length);
  const before = await started();
  // In small steps: the Worker that follows has its own time.
  while ((await started()) === before) await page.clock.runFor(5000);
}

/** The policy of a run that nothing disturbs, trained once. */
export function undisturbed(site: () => Promise<Site>): () => Promise<Buffer> {
  return once(() =>
    served(site, async (url, { browser }) => {
      const page = await browser.newPage();
      await begin(page, url);
      const policy = await policyOf(page);
      await page.close();
      return policy;
    }),
  );
}

export function killFaults(site: () => Promise<Site>, expected: () => Promise<Buffer>): readonly Fault[] {
  return [
    {
      name: 'page-crashed',
      injected: 'The renderer of a page that trains crashes at a random moment after the first save',
      times: times(1, 50),
      async inject(n) {
        const policy = await expected();
        return served(site, async (url, { browser }) => {
          const context = await browser.newContext();
          const page = await context.newPage();
          const next = async (): Promise<Page> => {
            await crashPage(page);
            return context.newPage();
          };
          try {
            return await judge(n, url, page, next, policy);
          } finally {
            await context.close();
          }
        });
      },
    },
    ...(
      [
        [
          'page-trainer-ended',
          'is terminated, closes, throws, each in turn',
          (n) => ENDS[n % ENDS.length] as typeof loop,
        ],
        ['page-trainer-loops', 'loops without end, on a clock that the test moves', () => loop],
      ] as readonly (readonly [string, string, (n: number) => typeof loop])[]
    ).map(([name, how, endOf]) => ({
      name,
      injected: `The Worker that trains ${how}, at a random moment: the page goes on in another by itself`,
      times: times(name === 'page-trainer-ended' ? ENDS.length : 1, 30),
      async inject(n: number) {
        const policy = await expected();
        return served(site, async (url, { browser }) => {
          const context = await browser.newContext();
          try {
            return await judgeTrainer(n, url, await context.newPage(), endOf(n), policy);
          } finally {
            await context.close();
          }
        });
      },
    })),
    {
      name: 'browser-killed',
      injected: 'The browser’s process dies while a page trains, at a random moment after the first save',
      times: times(1, 50),
      async inject(n) {
        const policy = await expected();
        const profile = mkdtempSync(join(tmpdir(), 'unmask-profile-'));
        let context = await startProfile(profile);
        const firstPage = (): Page => context.pages()[0] as Page;
        const next = async (): Promise<Page> => {
          await crashBrowser(context);
          context = await startProfile(profile);
          return firstPage();
        };
        try {
          return await served(site, (url) => judge(n, url, firstPage(), next, policy));
        } finally {
          await context.close().catch(() => {});
          rmSync(profile, { recursive: true, force: true });
        }
      },
    },
  ];
}

/** The built page, served while the work lasts. */
async function served<T>(site: () => Promise<Site>, work: (url: string, site: Site) => Promise<T>): Promise<T> {
  const opened = await site();
  const server = await serveFolder(opened.folder, '/unmask/');
  try {
    return await work(server.url, opened);
  } finally {
    await server.close();
  }
}
