/** Measurements of `npm run perf`, each in fresh pages, so none sees another's caches or heap. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { chooseBackend } from '../test/support/page';
import { scriptsOfPage } from '../test/support/published';
import type { StaticServer } from '../test/support/staticServer';
import { type Heap, measureHeap } from './perfHeap';
import { type Observed, openObserved, startRun, VIEWPORT, waitForPhase, waitForUpdate } from './perfPage';
import { type Part, Parts } from './perfParts';

export interface Site {
  readonly browser: Browser;
  readonly server: StaticServer;
  /** Folder that is served. */
  readonly folder: string;
}

interface Bytes {
  readonly raw: number;
  readonly gzip: number;
}

export interface StartUp {
  readonly parts: readonly Part[];
  /** Milliseconds from requesting the page until a run can be started: median and worst of the loads. */
  readonly usable: { readonly median: number; readonly worst: number };
  /** JavaScript needed for that, loaded when requests have ended, and loaded after an update on the CPU. */
  readonly javascript: { readonly needed: Bytes; readonly idle: Bytes; readonly trained: Bytes };
}

export interface Training {
  readonly preset: string;
  readonly backend: string;
  readonly updates: number;
  /** Two parts: until the first update was done, and from then to the end. */
  readonly parts: readonly Part[];
  /** Number of tasks over 50 ms: of processor time, and of wall time as the browser counts them. */
  readonly over50: { readonly cpu: number; readonly wall: number };
  /** Milliseconds between two frames. */
  readonly frames: { readonly median: number; readonly p99: number; readonly worst: number };
  readonly updatesPerSecond: number;
  readonly tokensPerSecond: number;
}

export interface Memory {
  readonly updates: number;
  readonly before: Heap;
  readonly after: Heap;
}

export async function measureStartUp(site: Site, loads: number): Promise<StartUp> {
  const { browser, server, folder } = site;
  const needed = javascriptBytes(folder, scriptsOfPage(folder));
  const times: number[] = [];
  const javascript: StartUp['javascript'][] = [];
  for (let load = 0; load < loads; load++) {
    const first = server.requests.length;
    const loaded = (): Bytes =>
      javascriptBytes(
        folder,
        server.requests.slice(first).map(({ path }) => path),
      );
    const { context, page, observed } = await openObserved(browser, addressOf(server, 'gridworld-tiny', 1));
    await page.waitForLoadState('networkidle');
    const idle = loaded();
    times.push((await observed()).usable as number);
    await startRun(page, 'cpu');
    await waitForPhase(page, 'finished');
    javascript.push({ needed, idle, trained: loaded() });
    await context.close();
  }
  times.sort((a, b) => a - b);
  return {
    parts: await measurePageStart(site),
    usable: { median: quantile(times, 0.5), worst: quantile(times, 1) },
    javascript: javascript[0] as StartUp['javascript'],
  };
}

/** Start of the page, from empty until everything is drawn and requests have ended. */
async function measurePageStart(site: Site): Promise<readonly Part[]> {
  const context = await site.browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const parts = new Parts(site, page);
  await parts.trace('page start', async () => {
    await page.goto(addressOf(site.server, 'gridworld-tiny', 1));
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(1000);
  });
  await context.close();
  return parts.found;
}

export async function measureTraining(
  site: Site,
  { preset, backend, updates }: { preset: string; backend: string; updates: number },
): Promise<Training> {
  const { context, page, observed } = await openObserved(site.browser, addressOf(site.server, preset, updates));
  await page.waitForLoadState('networkidle');
  await chooseBackend(page, backend);
  const start = await page.evaluate(() => performance.now());
  const parts = new Parts(site, page);
  const name = `${preset} on ${backend}`;
  const tasks = [
    ...(await parts.trace(`run start: ${name}`, async () => {
      await page.getByTestId('run-first').press('Enter');
      await waitForUpdate(page, 1);
    })),
    ...(await parts.trace(`training: ${name}`, () => waitForPhase(page, 'finished'))),
  ];
  const { longTasks, frames, reports } = await observed();
  await context.close();
  const gaps = frames
    .filter((frame) => frame.start >= start)
    .map(({ duration }) => duration)
    .sort((a, b) => a - b);
  return {
    preset,
    backend,
    updates,
    parts: parts.found,
    over50: {
      cpu: tasks.filter(({ cpu }) => cpu > 50).length,
      wall: longTasks.filter((task) => task.start >= start).length,
    },
    frames: { median: quantile(gaps, 0.5), p99: quantile(gaps, 0.99), worst: quantile(gaps, 1) },
    ...throughput(reports),
  };
}

/** Heaps after 20 single steps, when all code has been used, and `updates` updates later. */
export async function measureMemory({ browser, server }: Site, updates: number): Promise<Memory> {
  const warm = 20;
  const { context, page } = await openObserved(browser, addressOf(server, 'gridworld-tiny', warm + updates));
  await chooseBackend(page, 'cpu');
  for (let update = 1; update <= warm; update++) {
    await page.getByTestId('step').click();
    await waitForUpdate(page, update);
  }
  await waitForPhase(page, 'paused');
  const before = await measureHeap(page);
  await page.getByTestId('run').click();
  await waitForPhase(page, 'finished');
  const after = await measureHeap(page);
  await context.close();
  return { updates, before, after };
}

/** CPU profile of the main thread over 200 updates of the tiny preset. */
export async function recordProfile({ browser, server }: Site): Promise<object> {
  const { context, page } = await openObserved(browser, addressOf(server, 'gridworld-tiny', 200));
  await page.waitForLoadState('networkidle');
  const session = await context.newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 200 });
  await session.send('Profiler.start');
  await startRun(page, 'cpu');
  await waitForPhase(page, 'finished');
  const { profile } = await session.send('Profiler.stop');
  await context.close();
  return profile;
}

const addressOf = ({ url }: StaticServer, preset: string, updates: number): string =>
  `${url}#preset=${preset}&updates=${updates}`;

/** Bytes of the JavaScript files; one that several Workers run counts once. */
function javascriptBytes(folder: string, paths: readonly string[]): Bytes {
  const scripts = new Set(paths.filter((path) => path.endsWith('.js')));
  const files = [...scripts].map((path) => readFileSync(join(folder, path)));
  return {
    raw: files.reduce((sum, { length }) => sum + length, 0),
    gzip: files.reduce((sum, file) => sum + gzipSync(file).length, 0),
  };
}

/** Speed from the first report on, so compiling and warming up do not count. */
function throughput(reports: Observed['reports']): { updatesPerSecond: number; tokensPerSecond: number } {
  const [first, last] = [reports[0], reports.at(-1)];
  if (first === undefined || last === undefined || first === last) return { updatesPerSecond: 0, tokensPerSecond: 0 };
  const seconds = (last.time - first.time) / 1000;
  const tokens = reports.slice(1).reduce((sum, { time, tokensPerSecond }, i) => {
    return sum + (tokensPerSecond * (time - (reports[i] as (typeof reports)[number]).time)) / 1000;
  }, 0);
  return { updatesPerSecond: (last.update - first.update) / seconds, tokensPerSecond: tokens / seconds };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}
