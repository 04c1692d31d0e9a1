/**
 * A long run with invented measurements, written where the browser keeps runs: tests see what a page does with it without
 * training for hours.
 */
import type { Page } from 'playwright-core';
import type { Experiment } from '../../src/experiment/experiment';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';

/** Writes the run once the page has opened its storage. The page lists it after a reload. */
export async function keepRun(page: Page, experiment: Experiment, updates: number, name = 'a long run'): Promise<void> {
  const members = experiment.arms.length * experiment.seeds;
  const run = { date: Date.now(), experiment, name, note: '', starred: false, updates, device: 'none', machines: [] };
  await page.evaluate(write, { run, members, metrics: [...METRICS], success: METRIC.successRate });
}

interface Written {
  readonly run: { readonly updates: number };
  readonly members: number;
  readonly metrics: string[];
  /** Column of the success rate in METRICS. */
  readonly success: number;
}

/** Writer; runs in the page. Members rise at different speeds to different heights, with noise from a fixed stream. */
async function write({ run, members, metrics, success }: Written): Promise<void> {
  while (!(await indexedDB.databases()).some(({ name }) => name === 'unmask')) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('unmask');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  let state = 1;
  const noise = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const values = Float32Array.from({ length: run.updates * members * metrics.length }, (_, i) => {
    const [column, row] = [i % metrics.length, Math.floor(i / metrics.length)];
    const [member, update] = [row % members, Math.floor(row / members)];
    const level = (1 - Math.exp(-update / (100 + 40 * member))) * (0.5 + (member % 5) / 10);
    if (metrics[column] === 'trajectoryTokens') return 40 - 10 * level + 10 * (member % 3);
    return column === success ? Math.min(1, Math.max(0, level + 0.1 * (noise() - 0.5))) : level + noise();
  });
  const seconds = new Float32Array(run.updates).fill(0.25);
  await new Promise<void>((resolve, reject) => {
    const writing = database.transaction(['runs', 'curves'], 'readwrite');
    const added = writing.objectStore('runs').add({ ...run, bytes: values.byteLength });
    added.onsuccess = () => writing.objectStore('curves').put({ metrics, values, seconds }, added.result);
    writing.oncomplete = () => resolve();
    writing.onerror = () => reject(writing.error);
  });
  database.close();
}
