/**
 * The pool's Workers in a real browser and in the production build: started inside the trainer's Worker, same numbers as
 * one thread in Node, and a Worker that is gone, however it went, fails the run with advice.
 */
import { availableParallelism } from 'node:os';
import type { Browser, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets';
import { METRICS } from '../../src/rl/metrics';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { poolSize } from '../../src/train/poolPort';
import type { TrainerEvent } from '../../src/train/protocol';
import { Trainer } from '../../src/train/trainer';
import { startChromium } from '../support/chromium';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await startChromium();
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
  await page.goto(inject('siteUrl'));
});
afterAll(() => browser?.close());

interface Seen {
  events: TrainerEvent[];
  metrics: number[];
}

/** Trains in a trainer Worker of its own, started from the page, until it has finished or failed. */
function train(experiment: Experiment): Promise<Seen> {
  return page.evaluate(async (experiment) => {
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
    const name = (await (await fetch(script)).text()).match(/\bworker-[\w-]+\.js/)?.[0] ?? '';
    const worker = new Worker(new URL(name, script), { type: 'module' });
    const seen: Seen = { events: [], metrics: [] };
    await new Promise<void>((resolve, reject) => {
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }: MessageEvent<TrainerEvent>) => {
        if (data.type === 'metrics') seen.metrics.push(...data.values);
        else if (data.type !== 'episodes') seen.events.push(data);
        if (data.type === 'phase' && (data.phase === 'finished' || data.phase === 'failed')) resolve();
      };
      worker.postMessage({ type: 'start', experiment, backend: 'cpu', run: true });
    });
    worker.terminate();
    return seen;
  }, experiment);
}

describe('CPU Workers inside the trainer Worker', () => {
  test('train to the numbers of one thread', async () => {
    const { events, metrics } = await train(tiny);
    const alone = new Trainer(await createCpuBackend(), tiny);
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    const workers = poolSize(alone.members.length, cores);
    const backend = events.find((event) => event.type === 'backend');
    expect(backend?.description).toContain(workers === 1 ? 'one thread' : `, ${workers} workers)`);
    const expected: number[] = [];
    for (let update = 0; update < tiny.updates; update++) {
      expected.push(...Float32Array.from(await (await alone.runUpdate()).metrics));
    }
    expect(metrics).toHaveLength(tiny.updates * alone.members.length * METRICS.length);
    expect(metrics).toEqual(expected);
  });

  // On one core there is no pool to kill.
  test.skipIf(availableParallelism() < 2).each([
    ['closes', () => self.close()],
    [
      'throws',
      () => {
        setTimeout(() => {
          throw new Error('no luck');
        });
      },
    ],
  ])('fail the run with advice when one of them %s', async (_, end) => {
    const pool: Worker[] = [];
    const killed = new Promise<void>((resolve, reject) => {
      page.on('worker', (worker) => {
        if (!worker.url().includes('poolWorker')) return;
        if (pool.push(worker) === 2)
          worker
            .evaluate(lockHeld)
            .then(() => worker.evaluate(end))
            .then(resolve, reject);
      });
    });
    const [{ events }] = await Promise.all([train({ ...tiny, updates: 100_000 }), killed]);
    const error = events.find((event) => event.type === 'error');
    expect(error).toMatchObject({ code: 'device-lost', advice: expect.stringMatching(/^Start again/) });
    expect(events.at(-1)).toMatchObject({ type: 'phase', phase: 'failed' });
  });
});

/** Inside a Worker: resolves when both Workers hold the locks by which their end is noticed. */
async function lockHeld(): Promise<void> {
  while (((await navigator.locks.query()).held?.length ?? 0) < 2)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
