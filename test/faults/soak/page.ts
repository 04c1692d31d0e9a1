/**
 * Soak of the page, in one tab: 64 members trained run after run, then a run with a history of 50,000 updates that goes on, beside
 * 200 starred runs. The memory must stay what it was but for the curves, and what was kept must be there for the next visit.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { measureHeap } from '../../../bench/perfHeap';
import { METRICS } from '../../../src/rl/measure/metrics';
import { encodePiece } from '../../../src/train/run/curvePieces';
import { decodeCheckpoint, encodeCheckpoint } from '../../../src/train/run/keep/checkpoint';
import { startProfile } from '../../support/chromium';
import { chooseBackend, goTo } from '../../support/page';
import { serveFolder } from '../../support/staticServer';
import type { Site } from '../page';
import { ARMS, FOLDER, HISTORY, MOST, PRESET, SEEDS, type SoakPart, spanOf } from './part';

const KEPT_RUNS = 200;
const PROFILE = join(FOLDER, 'profile');
/** Port of the page: what a browser keeps belongs to an address. */
const PORT = 47_316;
/** Updates of each run of 64 members. */
const SHORT = 200;
/** The run with the long history: two members, with batches so large that it does not come to its end in an hour. */
const LONG = `#preset=${PRESET}&updates=${MOST}&seeds=1&arms=${ARMS}&batch.groups=16`;
/** Patience with a page that trains beside other work. */
const PATIENT = { timeout: 1_800_000 };
/** Milliseconds between two looks at the page. */
const LOOK_EVERY = 60_000;

export async function soakPage(site: Site, hours: number): Promise<SoakPart> {
  rmSync(PROFILE, { recursive: true, force: true });
  mkdirSync(PROFILE, { recursive: true });
  const server = await serveFolder(site.folder, '/unmask/', PORT);
  const lost: string[] = [];
  const longest: number[] = [];
  let context = await startProfile(PROFILE);
  const visit = async (): Promise<Page> => {
    const page = context.pages()[0] as Page;
    page.on('dialog', (dialog) => dialog.accept());
    page.on('crash', () => lost.push('the page crashed'));
    page.on('pageerror', (error) => lost.push(String(error)));
    await page.addInitScript(watchTasks);
    await page.goto(server.url);
    return page;
  };
  try {
    let page = await visit();
    await prefill(page, server.url);
    // Those of writing it.
    await tasksOf(page);
    const half = (hours * 3_600_000) / 2;
    const [heaps, stored] = await runAfterRun(page, server.url, half);
    longest.push(...(await tasksOf(page)));
    const from = await goOn(page, server.url);
    const memory: number[] = [];
    for (const end = performance.now() + half; performance.now() < end; ) {
      await page.waitForTimeout(LOOK_EVERY);
      const { page: ofPage, workers } = await measureHeap(page);
      memory.push(ofPage + workers - curveBytes((await updateOf(page)) - from));
    }
    longest.push(...(await tasksOf(page)));
    const acknowledged = Number(await page.getByTestId('status').getAttribute('data-kept'));
    if (acknowledged <= from) lost.push(`nothing was kept after update ${from}`);
    stored.push(await storedBy(page));
    await context.close();
    context = await startProfile(PROFILE);
    page = await visit();
    const there = await page.evaluate(newestUpdate);
    if (there < acknowledged) lost.push(`update ${acknowledged}, which was kept; ${there} is there`);
    const over = longest.filter((task) => task > 50).length;
    const between = spanOf(heaps);
    const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
    return {
      what: `the page, ${KEPT_RUNS} kept runs`,
      hours,
      updates: { first: from, last: acknowledged },
      memory: spanOf(memory),
      stored: spanOf(stored),
      remark: `${heaps.length} runs of ${ARMS.length * SEEDS} members before: ${megabytes(between.first)} → ${megabytes(between.last)} MB; ${over} tasks over 50 ms, the longest ${Math.round(Math.max(0, ...longest))} ms`,
      lost,
    };
  } finally {
    await context.close().catch(() => {});
    await server.close();
  }
}

/** Trains run after run. Memory in use after each, and what is stored, bytes. */
async function runAfterRun(page: Page, url: string, milliseconds: number): Promise<[number[], number[]]> {
  await page.goto(`${url}#preset=${PRESET}&updates=${SHORT}&seeds=${SEEDS}&arms=${ARMS}`);
  await chooseBackend(page, 'cpu');
  const heaps: number[] = [];
  const stored: number[] = [];
  for (const end = performance.now() + milliseconds; performance.now() < end || heaps.length < 3; ) {
    await page.getByTestId('run').or(page.getByTestId('run-first')).filter({ visible: true }).first().click();
    await page.locator('[data-testid=status][data-phase=running]').waitFor(PATIENT);
    await page.locator(`[data-testid=status][data-phase=finished][data-kept="${SHORT}"]`).waitFor(PATIENT);
    const { page: ofPage, workers } = await measureHeap(page);
    heaps.push(ofPage + workers);
    stored.push(await storedBy(page));
  }
  return [heaps, stored];
}

/** Opens the run with the long history, and trains on. Updates that it has had. */
async function goOn(page: Page, url: string): Promise<number> {
  const from = await resumable(page, url);
  await page.getByTestId('resume-kept').first().click(PATIENT);
  await page.locator('[data-testid=status][data-phase=running]').waitFor(PATIENT);
  return from;
}

/** Shows the run with the long history. Updates after which it can be resumed. */
async function resumable(page: Page, url: string): Promise<number> {
  // A link alone would be opened by the page that is there, which offers nothing.
  await page.goto('about:blank');
  await page.goto(url + LONG, PATIENT);
  const button = page.getByTestId('resume-kept').first();
  await button.waitFor(PATIENT);
  const [, update = '0'] = /update ([\d,]+)/.exec((await button.textContent()) ?? '') ?? [];
  return Number(update.replaceAll(',', ''));
}

/** Trains two members for a moment, and writes a history before that; writes the starred runs. */
async function prefill(page: Page, url: string): Promise<void> {
  await page.goto(url + LONG);
  await chooseBackend(page, 'cpu');
  await page.getByTestId('run-first').click();
  await page.locator('[data-testid=status][data-kept]:not([data-kept="0"])').waitFor();
  await page.getByTestId('pause').click();
  await page.locator('[data-testid=status][data-phase=paused]').waitFor();
  await goTo(page, 'runs');
  await page.getByTestId('kept-run').first().waitFor();
  const { run, state } = await page.evaluate(readState);
  const size = ARMS.length * METRICS.length;
  const row = { metrics: new Float32Array(size).fill(0.5), seconds: 0.01, tokens: 1000 };
  const curves = encodePiece(0, Array(HISTORY).fill(row));
  const none = new Float32Array();
  const kept = decodeCheckpoint(Buffer.from(state, 'base64'), () => none);
  const longer = {
    ...kept,
    curves: none,
    tokens: HISTORY * row.tokens,
    snapshot: { ...kept.snapshot, update: HISTORY },
  };
  const files = [encodeCheckpoint(longer, 'apart'), curves].map((bytes) => Buffer.from(bytes).toString('base64'));
  await page.evaluate(writeHistory, { run, files, history: HISTORY, size, starred: KEPT_RUNS });
}

/** Bytes of the curves of so many updates of two members, in the page and in its Worker. */
const curveBytes = (updates: number): number => 2 * updates * ARMS.length * METRICS.length * 4;

async function updateOf(page: Page): Promise<number> {
  return Number(await page.getByTestId('status').getAttribute('data-update'));
}

async function storedBy(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);
}

declare global {
  interface Window {
    /** Tasks over 50 ms, milliseconds. */
    longTasks: number[];
  }
}

/** Updates in the newest state of the starred run; runs in the page. */
async function newestUpdate(): Promise<number> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('unmask-snapshots');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const entries = await new Promise<{ starred: boolean; states: { update: number }[] }[]>((resolve, reject) => {
    const reading = database.transaction('runs').objectStore('runs').getAll();
    reading.onsuccess = () => resolve(reading.result);
    reading.onerror = () => reject(reading.error);
  });
  database.close();
  return entries.find(({ starred }) => starred)?.states.at(-1)?.update ?? 0;
}

/** Runs in the page. */
function watchTasks(): void {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
}

async function tasksOf(page: Page): Promise<number[]> {
  return page.evaluate(() => window.longTasks.splice(0));
}

/** The newest kept state, as base64; runs in the page. */
async function readState(): Promise<{ run: string; state: string }> {
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const database = await asked(indexedDB.open('unmask-snapshots'));
  const reading = database.transaction('states');
  const [[run] = [''], state] = [
    (await asked(reading.objectStore('states').getAllKeys())).at(-1) as [string] | undefined,
    (await asked(reading.objectStore('states').getAll())).at(-1) as Uint8Array,
  ];
  database.close();
  let text = '';
  for (const byte of state) text += String.fromCharCode(byte);
  return { run, state: btoa(text) };
}

interface Written {
  readonly run: string;
  /** State and curves, as base64. */
  readonly files: readonly string[];
  readonly history: number;
  /** Numbers of one update. */
  readonly size: number;
  /** Number of starred runs. */
  readonly starred: number;
}

/** Puts the history into the kept run, and starred runs beside it; runs in the page. */
async function writeHistory({ run, files, history, size, starred }: Written): Promise<void> {
  const asked = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const [state, curves] = files.map((text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0)));
  const snapshots = await asked(indexedDB.open('unmask-snapshots'));
  const states = snapshots.transaction(['runs', 'states', 'curves'], 'readwrite');
  const entry = await asked(states.objectStore('runs').get(run));
  const kept = [{ update: history, bytes: state?.length, healthy: true }];
  for (const name of ['states', 'curves']) {
    states.objectStore(name).delete(IDBKeyRange.bound([run, 0], [run, Number.MAX_SAFE_INTEGER]));
  }
  states.objectStore('states').put(state, [run, history]);
  states.objectStore('curves').put(curves, [run, 0]);
  const times = { seconds: history, states: kept, curveBytes: curves?.length, starred: true };
  await asked(states.objectStore('runs').put({ ...entry, ...times }, run));
  snapshots.close();
  const archive = await asked(indexedDB.open('unmask'));
  const writing = archive.transaction(['runs', 'curves'], 'readwrite');
  const [runs, all] = [writing.objectStore('runs'), writing.objectStore('curves')];
  const record = (await asked(runs.getAll())).find((one) => one.run === run);
  const { metrics } = await asked(all.get(record.id));
  const filled = (updates: number) => ({
    metrics,
    values: new Float32Array(updates * size).fill(0.5),
    seconds: new Float32Array(updates).fill(0.01),
  });
  all.put(filled(history), record.id);
  runs.put({ ...record, updates: history, seconds: history, starred: true, bytes: 4 * history * size });
  const { id: _, run: _run, ...like } = record;
  for (let n = 0; n < starred; n++) {
    const id = await asked(
      runs.add({ ...like, name: `kept ${n}`, updates: 50, seconds: 1, starred: true, bytes: 200 * size }),
    );
    all.put(filled(50), id);
  }
  await new Promise((resolve) => {
    writing.oncomplete = resolve;
  });
  archive.close();
}
