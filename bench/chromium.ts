/**
 * `lab bench` inside the tests' Chromium, where a dispatch in software costs a tenth of one in Node; run by hand:
 *   node scripts/run.mjs bench/chromium.ts kernels|train|rollout|population|environments [--backend webgpu|cpu] [--quick]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { benchTable } from '../src/cli/machine/benchTable';
import type { BenchmarkReport } from '../src/train/bench/report';
import { withPage } from './browserBundle';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string', default: 'webgpu' }, quick: { type: 'boolean', default: false } },
});

const [before = 0] = loadavg();
const call = [positionals[0] ?? 'kernels', values.backend, values.quick].map((value) => JSON.stringify(value));
const report = await withPage<BenchmarkReport>('bench/chromiumPage.ts', (page) =>
  page.evaluate(`bench.run(${call.join(', ')})`),
);
console.log(benchTable(report, 'Chromium', { before, after: loadavg()[0] ?? 0 }));
process.exit();
