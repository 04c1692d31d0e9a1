// Test files that take long, by project, the longest first. `npm test` leaves them to `npm run test:long`, which CI runs too, but for
// those of the night.

/** Long files that wait for the night: they crash browsers and wait for what comes of it, or try what few changes touch. */
const OF_NIGHT = [
  'test/browser/recovery.browser.test.ts',
  'test/browser/ownWorld.browser.test.ts',
  'test/browser/onnx.browser.test.ts',
  'test/browser/faults.browser.test.ts',
  'test/browser/publish.browser.test.ts',
  'test/browser/speed.browser.test.ts',
  'test/train/pool.browser.test.ts',
  'test/browser/kernels.browser.test.ts',
  'test/browser/race.browser.test.ts',
];

export const LONG = {
  unit: [
    'test/cli/ownModels.test.ts',
    'test/cli/languageModel.test.ts',
    'test/cli/world.test.ts',
    'test/faults/faults.test.ts',
    'test/scripts/withoutTools.test.ts',
    'test/releases/releases.test.ts',
    'test/environments/own/check.test.ts',
    'test/cli/results.test.ts',
    'test/cli/findings.test.ts',
    'test/cli/lab.test.ts',
    'test/batch/read.test.ts',
    'test/cli/openenv/openenv.test.ts',
    'test/bench/bench.test.ts',
    'test/cli/kept.test.ts',
    'test/cli/searches.test.ts',
    'test/cli/workers.test.ts',
    'test/cli/shards.test.ts',
    'test/cli/grid.test.ts',
    'test/cli/replacedThreads.test.ts',
    'test/cli/usage.test.ts',
    'test/cli/policies.test.ts',
    'test/cli/check.test.ts',
    'test/cli/openenv/worlds.test.ts',
    'test/cli/wayBack.test.ts',
    'test/environments/own/builtIns.test.ts',
    'test/environments/own/spoken.test.ts',
    'test/onnx/decoder.test.ts',
    'test/cli/scale.test.ts',
    'test/scripts/notices.test.ts',
  ],
  kernel: [
    'test/train/raceBits.test.ts',
    'test/check/fixtures.test.ts',
    'test/check/llama.test.ts',
    'test/train/keptStates.test.ts',
    'test/train/sessionLost.test.ts',
    'test/numerics/numerics.test.ts',
    'test/tensor/trainingGradient.test.ts',
    'test/train/memory.test.ts',
    'test/train/kernels.test.ts',
    'test/train/branch.test.ts',
    'test/train/counts.test.ts',
    'test/train/textWorlds.test.ts',
    'test/tensor/halves.test.ts',
    'test/train/ownLosses.test.ts',
    'test/train/pool.test.ts',
    'test/train/listener.test.ts',
    'test/rl/distillation.test.ts',
    'test/rl/inverse.test.ts',
    'test/train/evaluation.test.ts',
    'test/train/recompute.test.ts',
  ],
  browser: [
    'test/browser/accessibility.browser.test.ts',
    ...OF_NIGHT,
    'test/browser/screen.browser.test.ts',
    'test/browser/policies.browser.test.ts',
    'test/browser/package.browser.test.ts',
    'test/browser/compare.browser.test.ts',
    'test/browser/provenance.browser.test.ts',
    'test/browser/worlds.browser.test.ts',
    'test/browser/ownLoss.browser.test.ts',
    'test/browser/kept.browser.test.ts',
    'test/browser/lessons.browser.test.ts',
    'test/browser/ownModel.browser.test.ts',
    'test/browser/tuning.browser.test.ts',
    'test/browser/texts.browser.test.ts',
    'test/browser/inSight.browser.test.ts',
    'test/browser/inspector.browser.test.ts',
    'test/browser/sweep.browser.test.ts',
    'test/browser/examinations.browser.test.ts',
    'test/browser/batch.browser.test.ts',
    'test/browser/sharedModel.browser.test.ts',
    'test/browser/pressRun.browser.test.ts',
  ],
};

/** Long files that `npm run test:long` runs. */
export const longOf = (project) => LONG[project].filter((file) => !OF_NIGHT.includes(file));

const ALL = Object.values(LONG).flat();

/** True for a file's path from the root. */
export const isLong = (path) => ALL.includes(path);

/** Place of a file in the order in which files begin; those that are not long come last. */
export function rankOf(path) {
  const at = ALL.findIndex((name) => path.endsWith(name));
  return at === -1 ? ALL.length : at;
}
