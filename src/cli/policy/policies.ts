/**
 * `npm run policies [-- WORLD …]`: trains the small policies that come with the lab, for all worlds or those named. Each
 * world gets two: one that has only imitated, and the same one after training. Then the experiment that begins from both
 * is run with one seed. Results are written to src/experiment/presets/shipped.json. `--measure` trains no policies and
 * only runs the experiments. Published files never change: links name them by hash.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeLink } from '../../experiment/link/link';
import { recordMachine } from '../../experiment/machines';
import type { ShippedKind, ShippedPolicy, ShippedRecord } from '../../experiment/shippedPolicies';
import { LabError } from '../../foundation/errors';
import { LAB_LICENCE } from '../../foundation/licence';
import { chooseNodeBackend } from '../../node/backend';
import { threadPool } from '../../node/poolThread';
import { exportOnnx, type OnnxPolicy } from '../../onnx/exportOnnx';
import { importOnnx } from '../../onnx/importOnnx';
import { METRIC } from '../../rl/measure/metrics';
import { createCpuBackend } from '../../tensor/cpu/backend';
import { memberPolicy, resultsOf } from '../../train/policies/member';
import { type PlayedTasks, PolicyPlayer } from '../../train/policies/player';
import { createEnvironment } from '../../train/population/shape';
import { machineOf, type OpenedRun, openTraining } from '../../train/run/choose/opening';
import { measureFromFiles } from './fromFiles';
import { SHIPPED_FOLDER } from './namedPolicies';

const RECORD = 'src/experiment/presets/shipped.json';
const EPISODES = 256;

/** Fields of every recipe: one member, with a narrow policy that begins by imitating the expert. */
const COMMON =
  'arms=world-model&seeds=1&policy.width=32&policy.heads=2&policy.initialScale=0.08' +
  '&arms.world-model.warmStart=actions-and-observations';

/** Experiments as fragments of links, by the id of their world: short, because they are trained on a processor. */
const RECIPES: Readonly<Record<string, string>> = {
  gridworld: `preset=gridworld-small&${COMMON}&warmStart.updates=60&updates=160`,
  calculator: `preset=calculator-without-tool&${COMMON}&warmStart.updates=100&updates=240&evaluation.every=0`,
  shop: `preset=shop&${COMMON}&warmStart.updates=80&updates=160`,
  terminal: `preset=terminal&${COMMON}&warmStart.updates=60&updates=160`,
  mixture: `preset=mixture&${COMMON}&warmStart.updates=80&updates=300`,
};

async function makePolicies(recipe: string): Promise<ShippedPolicy[]> {
  const experiment = decodeLink(recipe);
  const opened = await openTraining(experiment, {
    choose: () => chooseNodeBackend('cpu', threadPool(1, 1, new URL(import.meta.url))),
    snapshot: null,
    detail: () => {},
  });
  const { training } = opened;
  const rows: Float64Array[] = [];
  try {
    const warm = await publish(opened, 'warm-start', rows);
    while (training.finished < experiment.updates) rows.push(await (await training.runUpdate()).metrics);
    return [warm, await publish(opened, 'trained', rows)];
  } finally {
    training.dispose();
  }
}

/** Writes the present policy into a file. `rows`: metrics of the member at every update so far. */
async function publish(opened: OpenedRun, kind: ShippedKind, rows: readonly Float64Array[]): Promise<ShippedPolicy> {
  const { training } = opened;
  const snapshot = await training.snapshot();
  const run = { snapshot, experiment: training.experiment, machines: recordMachine([], machineOf(opened)) };
  const trained = resultsOf((metric) => rows.map((row) => row[METRIC[metric]] as number));
  const policy = memberPolicy(run, 0, trained, LAB_LICENCE);
  const played = await play(policy);
  const measured = {
    playedEpisodes: played.episodes,
    playedSuccess: played.success,
    playedObservationCrossEntropy: played.observationCrossEntropy,
    playedObservationFloor: played.observationFloor,
  };
  const bytes = exportOnnx({ ...policy, results: { ...trained, ...measured } }, { cached: false });
  const { id } = policy.environment;
  const file = `${id}-${kind}.onnx`;
  await writeFile(join(SHIPPED_FOLDER, file), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  process.stderr.write(`${file}: ${bytes.length} bytes, success ${played.success.toFixed(3)}\n`);
  const { playedSuccess, playedObservationCrossEntropy } = measured;
  return { file, environment: id, kind, sha256, results: { playedSuccess, playedObservationCrossEntropy } };
}

/** Results on tasks like those of training, played from the ONNX model itself. */
async function play(policy: OnnxPolicy): Promise<PlayedTasks> {
  const model = exportOnnx(policy, { cached: true });
  const environment = createEnvironment(decodeLink(policy.experiment));
  const backend = await createCpuBackend();
  const player = await PolicyPlayer.open(backend, model, importOnnx(model), environment, 0);
  try {
    return await player.play('train', EPISODES);
  } finally {
    await player.dispose();
    backend.dispose();
  }
}

async function writeRecord(record: ShippedRecord): Promise<void> {
  const round = (_: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  await writeFile(RECORD, `${JSON.stringify(record, round, 2)}\n`);
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { measure: { type: 'boolean', default: false } },
});
const worlds = positionals.length > 0 ? positionals : Object.keys(RECIPES);
await mkdir(SHIPPED_FOLDER, { recursive: true });
for (const world of worlds) {
  const recipe = RECIPES[world];
  if (recipe === undefined) {
    const advice = `Name some of ${Object.keys(RECIPES).join(', ')}, or none for all.`;
    throw new LabError('invalid-experiment', `There is no recipe for “${world}”.`, advice);
  }
  let record: ShippedRecord = JSON.parse(await readFile(RECORD, 'utf8'));
  if (!values.measure) {
    const policies = record.policies.filter(({ environment }) => environment !== world);
    record = { ...record, policies: [...policies, ...(await makePolicies(recipe))] };
    await writeRecord(record);
  }
  const kinds = (['warm-start', 'trained'] as const).map((wanted) =>
    record.policies.find(({ environment, kind }) => environment === world && kind === wanted),
  );
  const measured = await measureFromFiles(world, ...(kinds as [ShippedPolicy, ShippedPolicy]));
  await writeRecord({ ...record, fromFiles: { ...record.fromFiles, [world]: measured } });
}
