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
import { ourUpdate, type Played, UPDATE_EXPERIMENT } from './ourUpdate';
import { SHAPES } from './shapes';
import { describeTorch, StepSchema, startTorch, UpdateSchema } from './torchPeer';
import { stepProblem, updateProblem } from './torchProblem';

export interface TorchOptions {
  readonly shapes: readonly (keyof typeof SHAPES)[];
  readonly kinds: readonly CpuKind[];
  /** Steps that count; and updates, 0 for none. */
  readonly repetitions: number;
  readonly updates: number;
  /** Python to use alone. */
  readonly python?: string | undefined;
}

/** First steps, which compile and fill caches. */
const WARM_UP = 4;
/** Largest difference of losses. */
const TOLERANCE = 1e-4;
/** Points of a printed curve. */
const POINTS = 10;

/** Prints the comparison, or why PyTorch cannot be compared with. */
export async function againstTorch(options: TorchOptions): Promise<void> {
  const { shapes, kinds, repetitions, updates, python } = options;
  let isIntroduced = false;
  /** Our rates of a product of 1024³, flops per second. */
  const ceilings = new Map<CpuKind, number>();
  /** Steps by turns of all sides, PyTorch's last; null once it was said that there is none. */
  const compare = async <A>(
    script: string,
    problem: unknown,
    schema: GenericSchema<unknown, A & Times>,
    make: (kind: CpuKind) => Promise<() => Promise<A>>,
    steps: number,
  ): Promise<(A & Times)[][] | null> => {
    const peer = await startTorch(`bench/peers/${script}`, problem, schema, python);
    if (typeof peer === 'string') {
      console.log(peer);
      return null;
    }
    if (!isIntroduced) {
      isIntroduced = true;
      console.log(describeTorch(peer));
      for (const kind of kinds) {
        const rate = await ourProduct(kind);
        ceilings.set(kind, rate);
        console.log(`${kind}: product of 1024³ at ${giga(rate)} GFLOP/s`);
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
  };
  for (const name of shapes) {
    const make = async (kind: CpuKind) => {
      const { step } = await ourStep(kind, SHAPES[name]);
      return async () => ({ loss: await step() });
    };
    const taken = await compare('torchStep.py', stepProblem(SHAPES[name]), StepSchema, make, repetitions);
    if (taken === null) return;
    const losses = taken.map((steps) => steps.map(({ loss }) => loss));
    const theirs = taken.at(-1) ?? [];
    const flops = stepFlops(sizesOf(SHAPES[name]));
    kinds.forEach((kind, i) => {
      const apart = lossesApart(losses[i] as number[], losses.at(-1) as number[], TOLERANCE).toExponential(1);
      const least = flops / (ceilings.get(kind) as number) / median(theirs.map(({ processor }) => processor));
      const remark = `${least.toFixed(2)} at our ceiling; losses differ by ${apart}`;
      printRow(`step ${name}`, kind, taken[i] ?? [], theirs, remark);
    });
  }
  if (updates === 0) return;
  const taken = await compare('torchUpdate.py', updateProblem(UPDATE_EXPERIMENT), UpdateSchema, ourUpdate, updates);
  if (taken === null) return;
  const theirs = taken.at(-1) ?? [];
  kinds.forEach((kind, i) => {
    const mine = taken[i] ?? [];
    const perToken = microsecondsPerToken(mine) / microsecondsPerToken(theirs);
    printRow('update', kind, mine, theirs, `${perToken.toFixed(2)} a token`);
  });
  [...kinds, 'PyTorch'].forEach((name, i) => {
    console.log(`${name.padEnd(10)} ${toldUpdates(taken[i] ?? [])}`);
  });
}

const HEAD =
  '\nProcessor time, medians; ratio of ours to PyTorch’s, and the least and most of single turns\n' +
  '                         ours ms  PyTorch ms  ratio                by the clock  load';

const giga = (perSecond: number): string => (perSecond / 1e9).toFixed(0);
const milliseconds = (seconds: readonly number[]): string => (median(seconds) * 1e3).toFixed(1);

function printRow(what: string, kind: string, mine: readonly Times[], theirs: readonly Times[], remark: string): void {
  const [ours, peers] = [mine.slice(WARM_UP), theirs.slice(WARM_UP)];
  const processor = [ours, peers].map((steps) => steps.map((step) => step.processor)) as [number[], number[]];
  const { ofMedians, least, most } = ratioOf(...processor);
  const clock = ratioOf(
    ours.map(({ wall }) => wall),
    peers.map(({ wall }) => wall),
  );
  console.log(
    `${what.padEnd(11)} ${kind.padEnd(10)} ${milliseconds(processor[0]).padStart(9)} ${milliseconds(processor[1]).padStart(11)}  ` +
      `${ofMedians.toFixed(2)} (${least.toFixed(2)} … ${most.toFixed(2)})`.padEnd(22) +
      `${clock.ofMedians.toFixed(2).padStart(11)} ${(loadavg()[0] as number).toFixed(1).padStart(5)}  ${remark}`,
  );
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

function microsecondsPerToken(updates: readonly (Played & Times)[]): number {
  const counted = updates.slice(WARM_UP);
  return (1e6 * total(counted.map(({ processor }) => processor))) / total(counted.map(({ tokens }) => tokens));
}

/** Tokens and time of a side's updates, and its success, the mean of each tenth of the updates. */
function toldUpdates(updates: readonly (Played & Times)[]): string {
  const tokens = total(updates.map(({ tokens }) => tokens)) / updates.length;
  const curve = Array.from({ length: POINTS }, (_, tenth) => {
    const [first, last] = [tenth, tenth + 1].map((at) => Math.floor((at * updates.length) / POINTS));
    const part = updates.slice(first, last).map(({ success }) => success);
    return part.length === 0 ? '–' : (total(part) / part.length).toFixed(2);
  });
  return `${tokens.toFixed(0)} tokens an update, ${microsecondsPerToken(updates).toFixed(1)} µs a token; success ${curve.join(' ')}`;
}
