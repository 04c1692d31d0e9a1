// Which tests run where. `unit`: everything that needs no GPU, files in parallel. `kernel` (test files below test/gpu,
// test/check, test/numerics, test/tensor, test/policy, test/rl, test/train, test/shaders and test/support/gpu.test.ts): two
// processes, each with one GPUDevice for all of its files; a thread cannot choose a software GPU. `browser`
// (*.browser.test.ts): the built page in Chromium, two files at a time, each with a Chromium of its own: a page that is
// clicked mostly waits.
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const kernel = ['test/{check,gpu,numerics,shaders,tensor,policy,rl,train}/**/*.test.ts', 'test/support/gpu.test.ts'];
const browser = ['test/**/*.browser.test.ts', 'test/support/chromium.test.ts'];

/** Files that take longest, in order: one that began last would run alone at the end. */
const LONGEST = [
  'accessibility.browser',
  'faults.browser',
  'recovery.browser',
  'kept.browser',
  'docs/commands',
  'cli/languageModel',
  'cli/ownModels',
  'cli/lab.test',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.includes(name));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
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
          include: ['test/**/*.test.ts'],
          exclude: [...kernel, ...browser],
          globalSetup: 'test/support/wasm.ts',
          // Stylesheets are empty otherwise, those imported as texts too.
          css: { include: [/[?&]raw$/] },
        },
      },
      {
        extends: true,
        test: {
          name: 'kernel',
          include: kernel,
          exclude: browser,
          globalSetup: 'test/support/wasm.ts',
          isolate: false,
          maxWorkers: 2,
          // After the unit tests, where one Vitest runs both.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          globalSetup: 'test/support/server.ts',
          // Loading Playwright and the lab's sources anew for each file takes seconds.
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
