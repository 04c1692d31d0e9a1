/**
 * Comparison with PyTorch, printed: training steps at the shapes, and whole updates. One thread each; ours in Node, in this
 * process.
 */
import { loadavg } from 'node:os';
import type { GenericSchema } from 'valibot';
import type { CpuKind } from '../../src/foundation/cpuVariants';
import { stepFlops } from '../../src/train/bench/trainingStep';
import { lossesApart, median, ratioOf, type Side, type Times, takeTurns, timed } from './byTurns';
import { ourProduct } from './ourProduct';
import { ourStep, sizesOf } from './ourStep';
import { ourUpdate, type Played, updateExperiment, updateFlops } from './ourUpdate';
import { SHAPES } from './shapes';
import { describeTorch, StepSchema, startTorch, UpdateSchema } from './torchPeer';
import { stepProblem, updateProblem } from './torchProblem';

export interface TorchOptions {
  readonly shapes: readonly (keyof typeof SHAPES)[];
  readonly kinds: readonly CpuKind[];
  /** Steps that count; and updates, 0 for none. */
  readonly repetitions: number;
  readonly updates: number;
  /** Presets in the plain gridworld whose updates are compared. */
  readonly experiments: readonly string[];
  /** Python to use alone. */
  readonly python?: string | undefined;
}

/** First steps, which compile and fill caches. */
const WARM_UP = 4;
/** Largest difference of losses. */
const TOLERANCE = 1e-4;
/** Points of a printed curve. */
const POINTS = 10;

/** What the comparisons share. */
interface Comparing extends TorchOptions {
  /** Our rates of a product of 1024³, flops per second; empty before PyTorch was met. */
  readonly ceilings: Map<CpuKind, number>;
}

/** Prints the comparison, or why PyTorch cannot be compared with. */
export async function againstTorch(options: TorchOptions): Promise<void> {
  const comparing = { ...options, ceilings: new Map<CpuKind, number>() };
  for (const shape of options.shapes) if (!(await compareSteps(shape, comparing))) return;
  if (options.updates === 0) return;
  for (const preset of options.experiments) if (!(await compareUpdates(preset, comparing))) return;
}

/** Prints a shape's rows; false once it was said that there is no PyTorch. */
async function compareSteps(name: keyof typeof SHAPES, comparing: Comparing): Promise<boolean> {
  const { kinds, repetitions } = comparing;
  const make = async (kind: CpuKind) => {
    const { step } = await ourStep(kind, SHAPES[name]);
    return async () => ({ loss: await step() });
  };
  const taken = await byTurns('torchStep.py', stepProblem(SHAPES[name]), StepSchema, make, repetitions, comparing);
  if (taken === null) return false;
  const losses = taken.map((steps) => steps.map(({ loss }) => loss));
  kinds.forEach((kind, i) => {
    const apart = lossesApart(losses[i] as number[], losses.at(-1) as number[], TOLERANCE).toExponential(1);
    printRow(`step ${name}`, kind, taken, stepFlops(sizesOf(SHAPES[name])), `losses differ by ${apart}`, comparing);
  });
  return true;
}

/** Prints the rows of an experiment's update, and what each side learned; false once it was said that there is no PyTorch. */
async function compareUpdates(preset: string, comparing: Comparing): Promise<boolean> {
  const { kinds, updates } = comparing;
  const experiment = updateExperiment(preset);
  const problem = updateProblem(experiment);
  const make = (kind: CpuKind) => ourUpdate(kind, experiment);
  const taken = await byTurns('torchUpdate.py', problem, UpdateSchema, make, updates, comparing);
  if (taken === null) return false;
  const theirs = taken.at(-1) ?? [];
  kinds.forEach((kind, i) => {
    const mine = taken[i] ?? [];
    const perToken = microsecondsPerToken(mine) / microsecondsPerToken(theirs);
    const flops = updateFlops(experiment, problem.policy, tokensOf(mine));
    printRow(preset, kind, taken, flops, `${perToken.toFixed(2)} a token`, comparing);
  });
  [...kinds, 'PyTorch'].forEach((name, i) => {
    console.log(`  ${name.padEnd(10)} ${toldUpdates(taken[i] ?? [])}`);
  });
  return true;
}

/** Steps by turns of all sides, PyTorch's last, after those that warm up; null, once it was said why, without PyTorch. */
async function byTurns<A>(
  script: string,
  problem: unknown,
  schema: GenericSchema<unknown, A & Times>,
  make: (kind: CpuKind) => Promise<() => Promise<A>>,
  steps: number,
  { kinds, python, ceilings }: Comparing,
): Promise<(A & Times)[][] | null> {
  const peer = await startTorch(`bench/peers/${script}`, problem, schema, python);
  if (typeof peer === 'string') {
    console.log(peer);
    return null;
  }
  if (ceilings.size === 0) {
    console.log(describeTorch(peer));
    for (const kind of kinds) {
      ceilings.set(kind, await ourProduct(kind));
      console.log(`${kind}: product of 1024³ at ${giga(ceilings.get(kind) as number)} GFLOP/s`);
    }
    console.log(HEAD);
  }
  const ours = await Promise.all(
    kinds.map(async (name): Promise<Side<A>> => {
      const step = await make(name);
      return { name, step: () => timed(step) };
    }),
  );
  const taken = await takeTurns([...ours, { name: 'PyTorch', step: peer.step }], WARM_UP + steps);
  peer.close();
  return taken;
}

const HEAD =
  '\nProcessor time, medians; ratio of ours to PyTorch’s, and the least and most of single turns\n' +
  '                              ours ms  PyTorch ms  ratio               at our ceiling  by the clock  load';

const giga = (perSecond: number): string => (perSecond / 1e9).toFixed(0);
const milliseconds = (seconds: readonly number[]): string => (median(seconds) * 1e3).toFixed(1);

/** A row; `flops` of a step, to say how small the ratio would be at the rate of our product. */
function printRow(
  what: string,
  kind: CpuKind,
  taken: readonly (readonly Times[])[],
  flops: number,
  remark: string,
  { kinds, ceilings }: Comparing,
): void {
  const [ours, theirs] = [taken[kinds.indexOf(kind)], taken.at(-1)].map((steps) => steps?.slice(WARM_UP) ?? []);
  const of = (time: keyof Times) => [ours, theirs].map((steps) => steps?.map((step) => step[time]) ?? []);
  const [mine, peers] = of('processor') as [number[], number[]];
  const { ofMedians, least, most } = ratioOf(mine, peers);
  const byClock = ratioOf(...(of('wall') as [number[], number[]])).ofMedians;
  const atCeiling = flops / (ceilings.get(kind) as number) / median(peers);
  console.log(
    `${what.padEnd(18)} ${kind.padEnd(10)} ${milliseconds(mine).padStart(7)} ${milliseconds(peers).padStart(11)}  ` +
      `${ofMedians.toFixed(2)} (${least.toFixed(2)} … ${most.toFixed(2)})`.padEnd(21) +
      `${atCeiling.toFixed(2).padStart(13)} ${byClock.toFixed(2).padStart(13)} ${(loadavg()[0] as number).toFixed(1).padStart(5)}  ${remark}`,
  );
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function microsecondsPerToken(updates: readonly (Played & Times)[]): number {
  const counted = updates.slice(WARM_UP);
  return (1e6 * total(counted.map(({ processor }) => processor))) / total(counted.map(({ tokens }) => tokens));
}

/** Median of the tokens of an update. */
const tokensOf = (updates: readonly (Played & Times)[]): number =>
  median(updates.slice(WARM_UP).map(({ tokens }) => tokens));

/** Tokens and time of a side's updates; what it learned, the mean of each tenth of the updates. */
function toldUpdates(updates: readonly (Played & Times)[]): string {
  const tokens = total(updates.map(({ tokens }) => tokens)) / updates.length;
  const curve = (of: 'success' | 'predicted'): string =>
    Array.from({ length: POINTS }, (_, tenth) => {
      const [first, last] = [tenth, tenth + 1].map((at) => Math.floor((at * updates.length) / POINTS));
      const part = updates.slice(first, last).map((update) => update[of]);
      return part.length === 0 ? '–' : (total(part) / part.length).toFixed(2);
    }).join(' ');
  return (
    `${tokens.toFixed(0)} tokens an update, ${microsecondsPerToken(updates).toFixed(1)} µs a token; ` +
    `success ${curve('success')}; cross-entropy of observations ${curve('predicted')}`
  );
}
