/**
 * Comparison with PyTorch, printed: training steps at the shapes, and whole updates. One thread each; ours in Node, in this
 * process.
 */
import type { GenericSchema } from 'valibot';
import type { Experiment } from '../../src/experiment/experiment';
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { stepFlops } from '../../src/train/bench/trainingStep';
import { decodeFloats, encodeAll } from './arrays';
import { lossesApart, type Side, type Times, takeTurns, timed } from './byTurns';
import { sameLesson } from './firstUpdate';
import { ourProduct } from './ourProduct';
import { ourStep, sizesOf } from './ourStep';
import { ourFirstUpdate, ourUpdate } from './ourUpdate';
import { SHAPES } from './shapes';
import { describeTorch, LessonSchema, StepSchema, startTorch, type TorchPeer, UpdateSchema } from './torchPeer';
import { stepProblem, updateProblem } from './torchProblem';
import { giga, HEAD, printRow, secondsOf, secondsPerToken, toldUpdates, WARM_UP } from './torchRows';
import { flopsPerToken, updateExperiment } from './updateExperiment';

export interface TorchOptions {
  readonly shapes: readonly (keyof typeof SHAPES)[];
  readonly kinds: readonly CpuKind[];
  /** Steps that count; and updates, 0 for none. */
  readonly repetitions: number;
  readonly updates: number;
  /** Presets whose updates are compared (updateExperiment.ts). */
  readonly experiments: readonly string[];
  /** Python to use alone. */
  readonly python?: string | undefined;
}

/** Largest difference of losses. */
const TOLERANCE = 1e-4;

/** Options, and what all comparisons of a run share. */
interface Comparing extends TorchOptions {
  /** Our rates of a product of 1024³, flops per second; empty before PyTorch was met. */
  readonly ceilings: Map<CpuKind, number>;
}

/** Prints the comparison, or why PyTorch cannot be compared with. Throws LabError before it begins for other experiments. */
export async function againstTorch(options: TorchOptions): Promise<void> {
  const { shapes, updates, experiments } = options;
  const comparing = { ...options, ceilings: new Map<CpuKind, number>() };
  const compared = updates === 0 ? [] : experiments.map(updateExperiment);
  for (const shape of shapes) if (!(await compareSteps(shape, comparing))) return;
  for (const experiment of compared) if (!(await compareUpdates(experiment, comparing))) return;
}

/** Prints a shape's rows; false once it was said that there is no PyTorch. */
async function compareSteps(name: keyof typeof SHAPES, comparing: Comparing): Promise<boolean> {
  const { kinds, repetitions, ceilings } = comparing;
  const make = async (kind: CpuKind) => {
    const { step } = await ourStep(kind, SHAPES[name]);
    return async () => ({ loss: await step() });
  };
  const contest = { script: 'torchStep.py', problem: stepProblem(SHAPES[name]), schema: StepSchema, make };
  const taken = await byTurns(contest, repetitions, comparing);
  if (taken === null) return false;
  const theirs = taken.at(-1) ?? [];
  const flops = stepFlops(sizesOf(SHAPES[name]));
  kinds.forEach((kind, i) => {
    const ours = taken[i] ?? [];
    const [mine, peers] = [ours, theirs].map((steps) => steps.map(({ loss }) => loss)) as [number[], number[]];
    const remark = `losses differ by ${lossesApart(mine, peers, TOLERANCE).toExponential(1)}`;
    const productsAlone = flops / (ceilings.get(kind) as number) / secondsOf(theirs);
    printRow({ of: `step ${name}`, kind, ours, theirs, productsAlone, remark });
  });
  return true;
}

/** Prints the rows of an experiment's update, and what each side learned; false once it was said that there is no PyTorch. */
async function compareUpdates(experiment: Experiment, comparing: Comparing): Promise<boolean> {
  const { kinds, updates, ceilings } = comparing;
  const problem = await updateProblem(experiment);
  const taken = await byTurns(
    {
      script: 'world' in problem ? 'torchStory.py' : 'torchUpdate.py',
      problem,
      schema: UpdateSchema,
      make: (kind) => ourUpdate(kind, experiment),
      check: async (kind, peer) => {
        const { batch, lesson } = await ourFirstUpdate(kind, experiment);
        const theirs = await peer.ask({ batch: encodeAll({ ...batch }) }, LessonSchema);
        const said = sameLesson(lesson, theirs, decodeFloats(problem.arrays.parameters), 'world' in problem);
        console.log(`${experiment.preset}, ${kind}: one update from the same batch differs in ${said}`);
      },
    },
    updates,
    comparing,
  );
  if (taken === null) return false;
  const theirs = taken.at(-1) ?? [];
  kinds.forEach((kind, i) => {
    const ours = taken[i] ?? [];
    const remark = `${(secondsPerToken(ours) / secondsPerToken(theirs)).toFixed(2)} a token`;
    const atCeiling = flopsPerToken(experiment, problem.policy) / (ceilings.get(kind) as number);
    const productsAlone = atCeiling / secondsPerToken(theirs);
    printRow({ of: experiment.preset, kind, ours, theirs, productsAlone, remark });
  });
  [...kinds, 'PyTorch'].forEach((name, i) => {
    console.log(`  ${name.padEnd(10)} ${toldUpdates(taken[i] ?? [])}`);
  });
  return true;
}

/** Steps that are compared: the script of PyTorch's with its problem and answers, and ours. */
interface Contest<A> {
  readonly script: string;
  readonly problem: unknown;
  readonly schema: GenericSchema<unknown, A & Times>;
  make(kind: CpuKind): Promise<() => Promise<A>>;
  /** Throws where the sides do not compute the same; absent where their answers show it. */
  check?(kind: CpuKind, peer: TorchPeer<A & Times>): Promise<void>;
}

/** Steps by turns of all sides, PyTorch's last, after those that warm up; null, once it was said why, without PyTorch. */
async function byTurns<A>(
  { script, problem, schema, make, check }: Contest<A>,
  steps: number,
  { kinds, python, ceilings }: Comparing,
): Promise<(A & Times)[][] | null> {
  const peer = await startTorch(`bench/peers/${script}`, problem, schema, python);
  if (typeof peer === 'string') {
    console.log(peer);
    return null;
  }
  try {
    if (ceilings.size === 0) await introduce(peer, kinds, ceilings);
    for (const kind of kinds) await check?.(kind, peer);
    const ours = await Promise.all(
      kinds.map(async (name): Promise<Side<A>> => {
        const step = await make(name);
        return { name, step: () => timed(step) };
      }),
    );
    return await takeTurns([...ours, { name: 'PyTorch', step: peer.step }], WARM_UP + steps);
  } finally {
    peer.close();
  }
}

/** Says what computes on each side and at which rate, and keeps ours. */
async function introduce(
  peer: TorchPeer<unknown>,
  kinds: readonly CpuKind[],
  ceilings: Map<CpuKind, number>,
): Promise<void> {
  console.log(describeTorch(peer));
  for (const kind of kinds) {
    const ceiling = await ourProduct(kind);
    ceilings.set(kind, ceiling);
    console.log(`${kind}: product of 1024³ at ${giga(ceiling)}`);
  }
  console.log(HEAD);
}
