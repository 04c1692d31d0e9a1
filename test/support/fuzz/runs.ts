// Runs that were kept or saved, as somebody else may have written them, and the longest links and losses.
import fc from 'fast-check';
import { decodeRunLink } from '../../../src/experiment/link/link';
import { splitMachines } from '../../../src/experiment/machines';
import { checkExperiment, parseExperiment } from '../../../src/experiment/parse';
import { findPreset } from '../../../src/experiment/presets/presets';
import { compile } from '../../../src/formula/compile';
import { LabError } from '../../../src/foundation/errors';
import { RandomStream } from '../../../src/foundation/philox';
import { METRICS } from '../../../src/rl/measure/metrics';
import { readKeptCurves, readKeptRun } from '../../../src/storage/runRecord';
import type { RunArchive } from '../../../src/storage/runs';
import { soundStates } from '../../../src/storage/snapshots';
import { soundTexts } from '../../../src/storage/texts';
import { FORMULAS } from '../../../src/store/desk/textShelf';
import { readRun } from '../../../src/store/keep/keptRun';
import { experimentOfRun, runOfFile } from '../../../src/store/recorded/runFile';
import { readLooks } from '../../../src/store/run/looks';
import { buildResult } from '../../../src/train/result/result';
import { encodePiece, joinPieces } from '../../../src/train/run/curvePieces';
import { decodeCheckpoint, encodeCheckpoint } from '../../../src/train/run/keep/checkpoint';
import { packSafetensors, unpackSafetensors } from '../../../src/train/run/keep/safetensors';
import { hostileText } from '../../formula/hostile';
import { damaged, mutated } from './hostile';
import { type Subject, subject } from './subject';

const preset = findPreset('gridworld-tiny');
if (preset === undefined) throw new Error('There is no preset.');
const UPDATES = 3;
const arms = preset.experiment.arms.slice(0, 1);
const tiny = { ...preset.experiment, arms, seeds: 1, updates: UPDATES };
const members = tiny.arms.map(({ id }) => ({ arm: id, armIndex: 0, seed: 0 }));
const machines = [{ update: 0, backend: 'cpu' as const }];
const ids = preset.experiment.arms.map(({ id }) => id);

const keptRun = {
  ...{
    id: 3,
    date: 1.7e12,
    name: 'Seeds 4 → 8',
    note: 'look',
    starred: true,
    updates: UPDATES,
    device: 'CPU',
    bytes: 900,
  },
  ...{ machines, seconds: 60, experiment: tiny, run: 'f00d' },
};
const values = Array.from({ length: UPDATES * METRICS.length }, (_, i) => i / 7);
const keptCurves = {
  metrics: METRICS,
  values,
  seconds: [1, 2, 3],
  looks: { probed: [], dreamPoints: [{ update: 1, byArm: { mask: { agreement: [0.5], sensitivity: 0.1 } } }] },
};

function openDescription(text: string): void {
  const record = JSON.parse(text);
  const run = readKeptRun(record);
  if (run === null) throw new LabError('storage', 'It is set aside.', 'Delete it.');
  checkExperiment(run.experiment);
  readLooks(record.looks);
}

/** Lists of numbers as the arrays that a browser keeps of them. */
const asArrays = (record: unknown): unknown =>
  typeof record !== 'object' || record === null
    ? record
    : Object.fromEntries(
        Object.entries(record).map(([key, list]) => [
          key,
          Array.isArray(list) && list.every((one) => typeof one === 'number') ? Float32Array.from(list) : list,
        ]),
      );

async function openCurves([run, curves]: [string, string]): Promise<void> {
  const kept = readKeptRun(JSON.parse(run));
  if (kept === null) throw new LabError('storage', 'It is set aside.', 'Delete it.');
  const archive: Pick<RunArchive, 'curves'> = { curves: async () => readKeptCurves(asArrays(JSON.parse(curves))) };
  const { history } = await readRun(archive as RunArchive, kept);
  if (history.count !== kept.updates) throw new Error(`${history.count} updates of ${kept.updates}`);
}

const states = {
  ...{ run: 'f00d', date: 1, updates: UPDATES, seconds: 1, curveBytes: 1, starred: false },
  states: [{ update: 1, bytes: 1, healthy: true }],
};

/** Entries of the browser's storage; those that cannot be read are left out. */
function openEntries(text: string): void {
  const record = JSON.parse(text);
  const all = [...soundStates([record.states]), ...soundTexts([record.formula], FORMULAS)];
  if (all.length < 2) throw new LabError('storage', 'It is left out.', 'Nothing is to be done.');
}

const numbers = Float32Array.from({ length: 8 }, (_, i) => i);
const checkpoint = encodeCheckpoint({
  snapshot: {
    ...{ update: UPDATES, members, timeline: [], tasks: [[]], successRates: [0.5] },
    tensors: {
      ...{ parameters: numbers, firstMoment: numbers, secondMoment: numbers, reference: numbers },
      step: Float32Array.of(5),
    },
  },
  ...{ experiment: tiny, backend: 'cpu', machines, tokens: 1000, curves: Float32Array.from(values) },
});

/** A file with hostile parts in its header, and the checksum that belongs to it. */
function withHeader(file: Uint8Array): fc.Arbitrary<Uint8Array> {
  const { metadata, names, array } = unpackSafetensors(file);
  const { checksum: _, ...header } = metadata as Record<string, string>;
  const tensors = names.map((name) => ({ name, shape: [array(name).length], values: array(name) }));
  const opened = Object.fromEntries(
    Object.entries(header).map(([key, text]) => [key, /^[[{\d]/.test(text) ? JSON.parse(text) : text]),
  );
  return mutated(opened).map((text) => {
    const changed = Object.entries(JSON.parse(text)).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return packSafetensors(Object.fromEntries(changed), tensors);
  });
}

const piece = encodePiece(0, Array(UPDATES).fill({ metrics: values.slice(0, METRICS.length), seconds: 1, tokens: 9 }));

const result = buildResult(
  { experiment: tiny, backend: 'cpu', adapter: 'CPU', machines, wallSeconds: 1, tokens: 1000 },
  members,
  Float32Array.from(values),
);

async function openResult(text: string): Promise<void> {
  const value = JSON.parse(text);
  const experiment = parseExperiment(splitMachines(experimentOfRun(value)).rest);
  await runOfFile(value, experiment);
}

/** Most arms, changes and settings that a link of 1 MB can name. */
const MOST = 40_500;
const long = fc
  .tuple(
    fc.constantFrom(
      'arms',
      'changes',
      'hide',
      'ran',
      'environment',
      'title',
      'preset',
      'result',
      `arms.${ids[0]}.losses`,
    ),
    fc.constantFrom(...ids, '0', '0:*:learningRate:1', '__proto__', 'a=b', '%F0%9F%98%80', '(', ':'),
    fc.constantFrom(',', '&', ';', '.', '%2C', ''),
    fc.integer({ min: 1, max: MOST }),
  )
  .map(([key, part, by, times]) => `preset=gridworld-tiny&${key}=${Array(times).fill(part).join(by)}`);

const formulas = fc.nat().map((seed) => hostileText(new RandomStream(seed, 0, 0, 0, 0)));

export const RUN_SUBJECTS: readonly Subject[] = [
  subject('long links', long, (link) => decodeRunLink(link)),
  subject('formulas of losses', formulas, (text) => compile(text)),
  subject(
    'runs kept in a browser',
    mutated({ ...keptRun, experiment: { preset: 'gridworld-tiny' }, looks: keptCurves.looks }),
    openDescription,
  ),
  subject(
    'curves kept in a browser',
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: fc.constant(JSON.stringify(keptRun)) }, mutated(keptRun)),
      mutated(keptCurves),
    ),
    openCurves,
  ),
  subject(
    'entries of kept states and texts',
    mutated({ states, formula: { name: 'mine', text: 'loss = logp', date: 1 } }),
    openEntries,
  ),
  subject('checkpoints', damaged(checkpoint), (bytes) => decodeCheckpoint(bytes)),
  subject('headers of checkpoints', withHeader(checkpoint), (bytes) => decodeCheckpoint(bytes)),
  subject('pieces of curves', fc.array(withHeader(piece), { maxLength: 3 }), (pieces) => {
    const { missing } = joinPieces(pieces, UPDATES, 1);
    if (missing > 0) throw new LabError('storage', 'They are missing.', 'Run it again.');
  }),
  subject('results of runs', mutated(result), openResult),
];
