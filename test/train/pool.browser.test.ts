/**
 * The pool's Workers in a real browser and in the production build. The trainer's Worker starts them, and they give the
 * same numbers as one thread in Node, even if one of them is lost during the run in any way.
 */
import { availableParallelism } from 'node:os';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { once } from '../../src/foundation/apart';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { poolSize } from '../../src/train/pool/port';
import { Trainer } from '../../src/train/population/trainer';
import type { TrainerEvent } from '../../src/train/protocol';
import { chromiumHere } from '../support/chromiumHere';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;

const browser = chromiumHere();
let page: Page;

beforeEach(async () => {
  page = await (await browser().newContext()).newPage();
  await page.goto(inject('siteUrl'));
});

interface Seen {
  events: TrainerEvent[];
  /** [update][member, metric]; if an update was computed again, the last numbers. */
  metrics: number[][];
}

/** Trains in a trainer's Worker of its own, started by the page, until the run has finished or failed. */
function train(experiment: Experiment): Promise<Seen> {
  return page.evaluate(async (experiment) => {
    const preloaded = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]');
    const scripts = [
      ...Array.from(document.querySelectorAll<HTMLScriptElement>('script[src]'), ({ src }) => src),
      ...Array.from(preloaded, ({ href }) => href),
    ];
    const texts = await Promise.all(scripts.map(async (script) => (await fetch(script)).text()));
    const name = texts.join('\n').match(/\bworker-[\w-]+\.js/)?.[0];
    if (name === undefined) throw new Error('No script of the page starts the trainer Worker.');
    const worker = new Worker(new URL(name, scripts[0]), { type: 'module' });
    const seen: Seen = { events: [], metrics: [] };
    await new Promise<void>((resolve, reject) => {
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }: MessageEvent<TrainerEvent>) => {
        if (data.type === 'metrics') {
          const row = data.values.length / data.count;
          for (let i = 0; i < data.count; i++) {
            seen.metrics[data.update + i] = [...data.values.subarray(i * row, (i + 1) * row)];
          }
          console.debug('training');
        } else if (data.type !== 'episodes') seen.events.push(data);
        if (data.type === 'phase' && (data.phase === 'finished' || data.phase === 'failed')) resolve();
      };
      worker.postMessage({ type: 'start', experiment, backend: 'cpu', trains: true, files: [] });
    });
    worker.terminate();
    return seen;
  }, experiment);
}

async function trainAlone(experiment: Experiment): Promise<number[][]> {
  const trainer = new Trainer(await createCpuBackend(), experiment);
  const metrics: number[][] = [];
  for (let update = 0; update < experiment.updates; update++) {
    metrics.push([...Float32Array.from(await (await trainer.runUpdate()).metrics)]);
  }
  return metrics;
}

const LONG = { ...tiny, updates: 150 };
const longAlone = once(() => trainAlone(LONG));

describe('CPU Workers inside the trainer Worker', () => {
  test('train to the numbers of one thread', async () => {
    const { events, metrics } = await train(tiny);
    const cores = await page.evaluate(() => navigator.hardwareConcurrency);
    const workers = poolSize(tiny.arms.length * tiny.seeds, cores);
    const backend = events.find((event) => event.type === 'backend');
    expect(backend?.description).toContain(workers === 1 ? 'one thread' : `, ${workers} workers)`);
    expect(metrics).toEqual(await trainAlone(tiny));
  });

  // On one core there is no pool that could lose a Worker.
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
  ])('train to the same numbers when one of them %s', async (_, end) => {
    const training = page.waitForEvent('console', (message) => message.text() === 'training');
    const lost = training.then(() => {
      const worker = page.workers().find((one) => one.url().includes('pageWorker'));
      if (worker === undefined) throw new Error('There is no Worker of the pool.');
      return worker.evaluate(end);
    });
    const [{ events, metrics }] = await Promise.all([train(LONG), lost]);
    expect(JSON.stringify(events)).toContain('recovered');
    expect(metrics).toEqual(await longAlone());
  });
});
