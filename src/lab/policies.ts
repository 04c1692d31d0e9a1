/**
 * `npm run policies`: trains the small policies that the page offers before anything was trained in it, and writes them
 * with an index to public/policies. For each world one that has only imitated, and the same one after training. What each
 * reaches is measured on episodes of its own and stands in its file and in the index.
 */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeLink } from '../experiment/link';
import { recordMachine } from '../experiment/machines';
import { exportOnnx, type Policy } from '../onnx/exportOnnx';
import { importOnnx } from '../onnx/importOnnx';
import { METRIC } from '../rl/metrics';
import { createCpuBackend } from '../tensor/cpu/backend';
import { memberPolicy, resultsOf } from '../train/memberPolicy';
import { machineOf, type Opened, openTraining } from '../train/opening';
import { type PlayedTasks, PolicyPlayer } from '../train/policyPlayer';
import { createEnvironment } from '../train/policyShape';
import { SHIPPED_FOLDER } from './namedPolicies';
import { chooseNodeBackend } from './nodeBackend';
import { threadPool } from './poolThread';

const EPISODES = 256;
const LICENCE = 'NOASSERTION';

/** One member of a preset, with a narrow policy that begins by imitating the expert. */
const COMMON =
  'arms=world-model&seeds=1&policy.width=32&policy.heads=2&policy.initialScale=0.08' +
  '&arms.world-model.warmStart=actions-and-observations';

/** Experiments as links carry them: short, for they are trained on a processor. */
const RECIPES: readonly string[] = [
  `preset=gridworld-small&${COMMON}&warmStart.updates=60&updates=160`,
  `preset=calculator-without-tool&${COMMON}&warmStart.updates=100&updates=240&evaluation.every=0`,
  `preset=shop&${COMMON}&warmStart.updates=80&updates=160`,
  `preset=terminal&${COMMON}&warmStart.updates=60&updates=160`,
];

type Kind = 'warm-start' | 'trained';

async function makePolicies(recipe: string): Promise<object[]> {
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

/** `rows`: the metrics of the member at every update so far. Returns the policy's entry in the index. */
async function publish(opened: Opened, kind: Kind, rows: readonly Float64Array[]): Promise<object> {
  const { training } = opened;
  const snapshot = await training.snapshot();
  const run = { snapshot, experiment: training.experiment, machines: recordMachine([], machineOf(opened)) };
  const trained = resultsOf((metric) => rows.map((row) => row[METRIC[metric]] as number));
  const policy = memberPolicy(run, 0, trained, LICENCE);
  const played = await play(policy);
  const measured = {
    playedEpisodes: played.episodes,
    playedSuccess: played.success,
    playedObservationCrossEntropy: played.observationCrossEntropy,
    playedObservationFloor: played.observationFloor,
  };
  const results = { ...trained, ...measured };
  const bytes = exportOnnx({ ...policy, results }, { cached: false });
  const { id } = policy.environment;
  const file = `${id}-${kind}.onnx`;
  await writeFile(join(SHIPPED_FOLDER, file), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { update } = policy;
  process.stderr.write(`${file}: ${bytes.length} bytes, success ${played.success.toFixed(3)}\n`);
  return { file, environment: id, kind, update, bytes: bytes.length, sha256, results };
}

/** On tasks like those of training, as the file itself would play. */
async function play(policy: Policy): Promise<PlayedTasks> {
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

await mkdir(SHIPPED_FOLDER, { recursive: true });
const index: object[] = [];
for (const recipe of RECIPES) index.push(...(await makePolicies(recipe)));
await writeFile(join(SHIPPED_FOLDER, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
