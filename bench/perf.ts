/**
 * `npm run perf [-- --json] [-- --goes 3] [-- --counts] [-- --profile FILE] [-- --report]`: performance of the built page in the
 * tests' Chromium. Measured are controls, words and height of the page before a run (these alone with --counts), bytes of
 * JavaScript and time until a run can be started; the longest task of the main thread while the page starts, trains, and shows long
 * runs, trajectories and texts (median of so many goes); growth of the heaps over 500 updates; and speed of training on the CPU and
 * on WebGPU. Tasks above 50 ms are named, but are no error. --profile writes a CPU profile of the main thread while training, from
 * a build that keeps its names, for the browser's own tools. --report measures no page but the engine, and writes
 * docs/performance.md.
 */
import { rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { startChromium } from '../test/support/chromium';
import { serveFolder } from '../test/support/staticServer';
import { measureCounts } from './perfCounts';
import { measureLongRun } from './perfLongRun';
import { measureMemory, measureStartUp, measureTraining, recordProfile, type Site } from './perfMeasures';
import { medianParts, type Part } from './perfParts';
import { writeCounts, writeTable } from './perfTable';
import { measureBatch, measureInspector, measureText } from './perfTokens';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    goes: { type: 'string', default: '3' },
    counts: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});

process.env.NODE_ENV = 'production';
if (options.report) {
  await (await import('./perfReport')).writeReport();
  // The device of a software GPU keeps Node from ending.
  process.exit();
}
await measurePage();

async function measurePage(): Promise<void> {
  const folder = `.cache/perf-${process.pid}`;
  const minify = options.profile === undefined;
  await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true, minify } });
  const server = await serveFolder(folder, '/unmask/');
  const browser = await startChromium();
  try {
    const site = { browser, server, folder };
    if (options.counts) console.log(writeCounts(await measureCounts(site)));
    else if (options.profile === undefined) await report(site);
    else await writeFile(options.profile, JSON.stringify(await recordProfile(site)));
  } finally {
    await browser.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function report(site: Site): Promise<void> {
  const load = loadavg();
  const goes = [];
  for (let go = 0; go < Number(options.goes); go++) goes.push(await measure(site));
  const last = goes.at(-1) as Go;
  const results = {
    machine: describeMachine(site.browser),
    ...last,
    goes: goes.length,
    parts: medianParts(goes.map(partsOf)),
    counts: await measureCounts(site),
    memory: await measureMemory(site, 500),
    load: { before: load[0] as number, after: loadavg()[0] as number },
  };
  console.log(options.json ? JSON.stringify(results, null, 2) : writeTable(results));
}

type Go = Awaited<ReturnType<typeof measure>>;

async function measure(site: Site) {
  return {
    startUp: await measureStartUp(site, 5),
    training: [
      await measureTraining(site, { preset: 'gridworld-tiny', backend: 'cpu', updates: 500 }),
      await measureTraining(site, { preset: 'gridworld', backend: 'cpu', updates: 16 }),
      await measureTraining(site, { preset: 'gridworld-tiny', backend: 'webgpu', updates: 30 }),
    ],
    longRun: await measureLongRun(site),
    tokens: [...(await measureInspector(site)), ...(await measureText(site)), ...(await measureBatch(site))],
  };
}

function partsOf({ startUp, training, longRun, tokens }: Go): Part[] {
  return [...startUp.parts, ...training.flatMap(({ parts }) => parts), ...longRun.parts, ...tokens];
}

function describeMachine(chosen: Browser): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  return `${model}, ${availableParallelism()} cores, Chromium ${chosen.version()}`;
}
