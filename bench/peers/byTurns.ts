/** Comparison by turns: every side takes one step, then every side the next, so other load on the machine hits all of them. */
import { LabError } from '../../src/foundation/errors';

/** Seconds of a step: by the clock, and of processors. */
export interface Times {
  readonly wall: number;
  readonly processor: number;
}

export interface Side<A> {
  readonly name: string;
  step(): Promise<A & Times>;
}

/** A step of this process with its times; the processor time is that of all its threads. */
export async function timed<A>(step: () => Promise<A>): Promise<A & Times> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const answer = await step();
  const { user, system } = process.cpuUsage(before);
  return { ...answer, wall: (performance.now() - start) / 1e3, processor: (user + system) / 1e6 };
}

/** Answers of each side, in the order of sides: [side][step]. */
export async function takeTurns<A>(sides: readonly Side<A>[], steps: number): Promise<(A & Times)[][]> {
  const answers: (A & Times)[][] = sides.map(() => []);
  for (let step = 0; step < steps; step++) {
    for (const [i, side] of sides.entries()) answers[i]?.push(await side.step());
  }
  return answers;
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Ratio of medians, and the smallest and largest ratio of two steps that were taken in turn. */
export interface Ratio {
  readonly ofMedians: number;
  readonly least: number;
  readonly most: number;
}

export function ratioOf(ours: readonly number[], theirs: readonly number[]): Ratio {
  const ratios = ours.map((time, i) => time / (theirs[i] as number));
  return {
    ofMedians: median(ours) / median(theirs),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  };
}

/** Largest difference between two sides' losses. Throws LabError 'internal' beyond `most`: they did not do the same. */
export function lossesApart(ours: readonly number[], theirs: readonly number[], most: number): number {
  const apart = Math.max(...ours.map((loss, i) => Math.abs(loss - (theirs[i] as number))));
  if (apart <= most) return apart;
  throw new LabError(
    'internal',
    `The two sides’ losses differ by ${apart.toExponential(1)}, more than ${most}: ${ours.join(', ')} and ${theirs.join(', ')}.`,
    'They must compute the same; correct the one that does not.',
  );
}
