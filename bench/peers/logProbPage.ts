/**
 * Log-prob comparison inside the page: all sides run in turn, so other load on the machine affects all of them. The first
 * runs compile and are not counted.
 */
import { jaxLogProb } from './logProbJax';
import { ourLogProb } from './logProbOurs';
import { exactLogProb, type LogProbPeer, logProbProblem } from './logProbProblem';
import { tensorflowLogProb } from './logProbTensorflow';

export interface LogProbOptions {
  readonly rows: number;
  readonly vocabulary: number;
  readonly device: 'webgpu' | 'cpu';
  readonly repetitions: number;
}

export interface SideResult {
  readonly name: string;
  /** Seconds of each repetition. */
  readonly forward: number[];
  readonly gradient: number[];
  /** Largest absolute differences from float64. */
  readonly logProbError: number;
  readonly gradientError: number;
}

const WARM_UP = 2;

export async function compareLogProb(options: LogProbOptions): Promise<SideResult[]> {
  const { device, repetitions } = options;
  const problem = logProbProblem(options.rows, options.vocabulary);
  const sides: [string, LogProbPeer][] = [
    ['ours', await ourLogProb(device, problem)],
    ['jax-js', await jaxLogProb(device === 'cpu' ? 'wasm' : 'webgpu', problem)],
  ];
  if (device === 'webgpu') sides.push(['tfjs', await tensorflowLogProb(problem)]);
  const exact = exactLogProb(problem);
  const times = sides.map(() => ({ forward: [] as number[], gradient: [] as number[] }));
  const errors = sides.map(() => [0, 0] as [number, number]);
  const timed = async (run: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await run();
    return (performance.now() - start) / 1000;
  };
  for (let i = 0; i < WARM_UP + repetitions; i++) {
    for (const [side, [, peer]] of sides.entries()) {
      await peer.ready();
      let logProb = new Float32Array();
      const forward = await timed(async () => {
        logProb = Float32Array.from(await peer.forward());
      });
      await peer.ready();
      const gradient = await timed(() => peer.gradient());
      if (i >= WARM_UP) {
        times[side]?.forward.push(forward);
        times[side]?.gradient.push(gradient);
      }
      if (i > 0) continue;
      const given = await peer.readGradient();
      const far = (got: ArrayLike<number>, want: (k: number) => number): number => {
        let most = 0;
        for (let k = 0; k < got.length; k++) most = Math.max(most, Math.abs((got[k] as number) - want(k)));
        return most;
      };
      errors[side] = [far(logProb, (k) => exact.logProb[k] as number), far(given, exact.gradient)];
    }
  }
  return sides.map(([name], side) => ({
    name,
    forward: times[side]?.forward ?? [],
    gradient: times[side]?.gradient ?? [],
    logProbError: errors[side]?.[0] ?? Number.NaN,
    gradientError: errors[side]?.[1] ?? Number.NaN,
  }));
}
