// Which tests run where, one group after the other. `unit`: everything that needs no GPU. `kernel` (test files below test/gpu,
// test/check, test/numerics, test/tensor, test/policy, test/rl, test/train and test/support/gpu.test.ts): two
// processes, each with one GPUDevice for all of its files; a thread cannot choose a software GPU. `browser`
// (*.browser.test.ts): the built page in Chromium, two files at a time, each with a Chromium of its own: a page that is
// clicked mostly waits.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LONG, longOf, rankOf } from './scripts/longTests.mjs';

const kernel = ['test/{check,gpu,numerics,tensor,policy,rl,train}/**/*.test.ts', 'test/support/gpu.test.ts'];
const browser = ['test/**/*.browser.test.ts', 'test/support/chromium.test.ts'];

/** Longest first: a file that began last would run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

/** Files of a project: by UNMASK_TESTS all but those that take long (`day`), long ones alone (`long`), or all. */
function filesOf(
  name: keyof typeof LONG,
  include: string[],
  exclude: string[],
): { include: string[]; exclude: string[] } {
  if (process.env.UNMASK_TESTS === 'long') return { include: longOf(name), exclude };
  return { include, exclude: process.env.UNMASK_TESTS === 'day' ? [...exclude, ...LONG[name]] : exclude };
}

/** Node fetches no file: `x.wasm?url` is a data URL, as in the bundles of scripts/run.mjs. */
const wasmAsData: Plugin = {
  name: 'wasm-as-data',
  enforce: 'pre',
  async load(id) {
    if (!id.endsWith('.wasm?url')) return null;
    const text = await readFile(id.replace(/\?url$/, ''), 'base64');
    return `export default 'data:application/wasm;base64,${text}';`;
  },
};

export default defineConfig({
  plugins: [wasmAsData],
  test: {
    sequence: { sequencer: LongestFirst },
    environment: 'node',
    // Before any file: what the processor can is looked at once in a process.
    setupFiles: ['scripts/relaxedSimd.mjs', 'test/support/sameBytes.ts'],
    pool: 'forks',
    // Tests that say they are concurrent: as many pages as the smallest machine has cores.
    maxConcurrency: 2,
    // Against tests that hang, not a promise of speed: a busy machine may take ten times as long as an idle one.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // As isolated as processes, and begun in half of the time.
          pool: 'threads',
          ...filesOf('unit', ['test/**/*.test.ts'], [...kernel, ...browser]),
          globalSetup: 'test/support/wasm.ts',
          // Stylesheets are empty otherwise, those imported as texts too.
          css: { include: [/[?&]raw$/] },
          maxWorkers: Math.max(2, availableParallelism() - 1),
        },
      },
      {
        extends: true,
        test: {
          name: 'kernel',
          ...filesOf('kernel', kernel, browser),
          globalSetup: 'test/support/wasm.ts',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          ...filesOf('browser', browser, []),
          globalSetup: 'test/support/server.ts',
          // Loading Playwright and the lab's sources for each file takes seconds.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
