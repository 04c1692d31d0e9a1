/**
 * Digests of tiny trainings, backend by backend, and what they say of the numerics numbers: a digest that changed asks for a
 * higher number, and a number that was raised asks for a digest that changed. `npm run numerics` records them.
 */
import { readFileSync } from 'node:fs';
import { Digest } from '../../src/experiment/conclude/result';
import { decodeLink } from '../../src/experiment/link/link';
import type { BackendKind } from '../../src/experiment/machines';
import { NUMERICS } from '../../src/experiment/provenance';
import { chooseNodeBackend } from '../../src/node/backend';
import { packageRunsHere } from '../../src/node/chromiumPackage';
import { threadPool } from '../../src/node/poolThread';
import { METRICS } from '../../src/rl/measure/metrics';
import { fuses } from '../../src/tensor/cpu/fuses';
import type { ChosenBackend } from '../../src/train/run/choose/backends';
import { openTraining } from '../../src/train/run/choose/opening';

export const RECORD = 'test/numerics/recorded.json';

export interface Recorded {
  /** Number of the code that gave them. */
  readonly numerics: number;
  /** Digest of each training, by the preset's name. */
  readonly digests: Readonly<Record<string, string>>;
}

/** `metrics`: those that the digests are of; one that was added since is in none. By backend (`placeOf`). */
export interface Records {
  readonly metrics: readonly string[];
  readonly backends: Readonly<Record<string, Recorded>>;
}

/** Presets that together have each world of the lab's own, each kind of objective, credit and memory, and a formula. */
const PRESETS = [
  'gridworld-tiny',
  'terminal',
  'shop-pages',
  'mixture',
  'credit-short',
  'information-gain',
  'world-model-in-turn',
  'lambda-by-success',
  'inverse-dynamics',
  'exploration',
  'hindsight',
  'replay-of-successes',
  'self-distillation',
  'mask-in-ratio',
];
/** In software a GPU takes minutes for all of them. */
const ON_WEBGPU = ['gridworld-tiny'];
const SMALL =
  'seeds=1&updates=2&batch.groups=2&batch.groupSize=2&policy.width=16&policy.layers=1&policy.heads=2&diagnosticsEvery=1';

/** Backends whose bits are the same on every machine that has them. */
export const EVERYWHERE = ['cpu', 'cpu-fused', 'reference'] as const satisfies readonly BackendKind[];

export const readRecords = (): Records => JSON.parse(readFileSync(RECORD, 'utf8'));

/** Opens a backend on one thread; WebGPU in software. */
function openHere(kind: BackendKind): Promise<ChosenBackend> {
  if (kind === 'webgpu') process.env.UNMASK_SOFTWARE_GPU = '1';
  return chooseNodeBackend(kind, threadPool(1, 1, new URL(import.meta.url)));
}

/**
 * Name that a backend's digests are recorded by. WebGPU in software rounds as its compiler finds instructions on the processor,
 * so its name has the adapter and those of them that round otherwise; null where the backend does not run in software.
 */
export async function placeOf(kind: BackendKind): Promise<string | null> {
  if (kind === 'cpu-fused' && !fuses()) return null;
  if (kind !== 'webgpu') return kind;
  if (!packageRunsHere) return null;
  const chosen = await openHere(kind);
  chosen.release();
  const [, flags = ''] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
  const has = flags.split(' ');
  const told = ['sse4_1', 'avx', 'avx2', 'fma', 'avx512f'].filter((flag) => has.includes(flag));
  return `webgpu: ${chosen.adapter}, ${told.join(' ')}`;
}

/** Digests of every training of a backend, of the metrics named and the policies in the end. */
export async function digestsOf(kind: BackendKind, metrics: readonly string[]): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const preset of kind === 'webgpu' ? ON_WEBGPU : PRESETS) digests[preset] = await digestOf(kind, preset, metrics);
  return digests;
}

async function digestOf(kind: BackendKind, preset: string, metrics: readonly string[]): Promise<string> {
  const experiment = decodeLink(`preset=${preset}&${SMALL}`);
  const choose = (): Promise<ChosenBackend> => openHere(kind);
  const { training } = await openTraining(experiment, { choose, snapshot: null, detail: () => {} });
  const columns = METRICS.flatMap((name, column) => (metrics.includes(name) ? [column] : []));
  const digest = new Digest();
  const add = (values: ArrayLike<number>): void =>
    // Bits of what is not a number differ from processor to processor, and mean nothing.
    digest.add(Float32Array.from(values, (value) => (Number.isNaN(value) ? -3e38 : value)));
  try {
    while (training.finished < experiment.updates) {
      const row = await (await training.runUpdate()).metrics;
      for (let member = 0; member < row.length; member += METRICS.length) {
        add(columns.map((column) => row[member + column] as number));
      }
    }
    const { parameters, firstMoment, secondMoment } = (await training.snapshot()).tensors;
    for (const values of [parameters, firstMoment, secondMoment]) add(values);
  } finally {
    training.dispose();
  }
  return digest.text;
}

/** `mayRecord`: what is not right is that nothing was recorded of it yet. */
interface Judgement {
  readonly problem: string;
  readonly mayRecord: boolean;
}

const RECORDING = 'and record what it gives now: npm run numerics';

/** What is wrong with a backend's number beside its digests; null if nothing is. */
export function judge(
  kind: BackendKind,
  recorded: Recorded | undefined,
  digests: Readonly<Record<string, string>>,
  number = NUMERICS[kind],
): Judgement | null {
  if (recorded === undefined) return { problem: `Nothing is recorded of ${kind}: npm run numerics`, mayRecord: true };
  const names = [...new Set([...Object.keys(recorded.digests), ...Object.keys(digests)])];
  const changed = names.filter(
    (name) => recorded.digests[name] !== undefined && recorded.digests[name] !== digests[name],
  );
  const added = names.filter((name) => recorded.digests[name] === undefined);
  const says = `NUMERICS['${kind}'] in src/experiment/provenance.ts`;
  if (number < recorded.numerics) {
    const problem = `${says} is ${number}, and what is recorded is of ${recorded.numerics}: a number never goes back.`;
    return { problem, mayRecord: false };
  }
  if (number > recorded.numerics && changed.length + added.length === 0) {
    const how = 'Take it back, or add a training that shows what changed to test/numerics/digests.ts.';
    return {
      problem: `${says} was raised to ${number}, and every training gives the bits it gave. ${how}`,
      mayRecord: false,
    };
  }
  if (number > recorded.numerics || (changed.length === 0 && added.length > 0)) {
    return { problem: `New digests of ${kind} are not recorded yet: npm run numerics`, mayRecord: true };
  }
  if (changed.length === 0) return null;
  const problem = `${kind} computes other bits than those recorded, in ${changed.join(', ')}. If that is meant, raise ${says} to ${number + 1}, ${RECORDING}`;
  return { problem, mayRecord: false };
}
