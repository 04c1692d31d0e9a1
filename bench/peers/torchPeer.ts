/** PyTorch as a peer: the Python that has it, what it computes with, its answers. */
import * as v from 'valibot';
import { LabError } from '../../src/foundation/errors';
import { LinePeer } from './linePeer';

/** Usual Pythons, in the order in which they are tried: a distribution's packages belong to its own. */
const USUAL = ['/usr/bin/python3', 'python3'];

const MissingSchema = v.object({ missing: v.string() });
const HelloSchema = v.object({
  torch: v.string(),
  /** Libraries that multiply matrices; empty where the system does not tell. */
  blas: v.array(v.string()),
  /** Rate of a product of 1024³, flops per second of processor time. */
  product: v.pipe(v.number(), v.minValue(0)),
});
const TimesSchema = { wall: v.pipe(v.number(), v.minValue(0)), processor: v.pipe(v.number(), v.minValue(0)) };
export const StepSchema = v.object({ loss: v.number(), ...TimesSchema });
export const UpdateSchema = v.object({
  success: v.number(),
  tokens: v.number(),
  predicted: v.number(),
  ...TimesSchema,
});

export interface TorchPeer<A> {
  readonly python: string;
  readonly hello: v.InferOutput<typeof HelloSchema>;
  step(): Promise<A>;
  close(): void;
}

/** A peer, or why there is none, in words that say how to get one. */
export type Found<A> = TorchPeer<A> | string;

/**
 * Starts a script of PyTorch's on a problem. Tries the named Python alone, or else the usual ones. Throws LabError
 * 'unsupported' where the one named has no PyTorch.
 */
export async function startTorch<A>(
  script: string,
  problem: unknown,
  answer: v.GenericSchema<unknown, A>,
  named?: string,
  usual: readonly string[] = USUAL,
): Promise<Found<A>> {
  const reasons: string[] = [];
  for (const python of named === undefined ? usual : [named]) {
    const peer = await LinePeer.start(python, [script]);
    if (peer === null) {
      reasons.push(`there is no ${python}`);
      continue;
    }
    const hello = v.parse(v.union([MissingSchema, HelloSchema]), await peer.ask(problem));
    if ('torch' in hello) {
      const step = async (): Promise<A> => v.parse(answer, await peer.ask({}));
      return { python, hello, step, close: () => peer.close() };
    }
    peer.close();
    reasons.push(`${python}: ${hello.missing}`);
  }
  const what = `PyTorch is not here (${reasons.join('; ')}).`;
  if (named !== undefined) throw new LabError('unsupported', what, HOW_TO_GET_IT);
  return `${what} ${HOW_TO_GET_IT}`;
}

const HOW_TO_GET_IT =
  'On Debian: apt-get install python3-torch libopenblas0-pthread. Elsewhere install torch with pip, and name its Python: --python=PATH.';

/** What computes there, in words; with a warning where products of matrices are those of the reference BLAS. */
export function describeTorch({ python, hello }: Pick<TorchPeer<unknown>, 'python' | 'hello'>): string {
  const { torch, blas, product } = hello;
  const isSlow = blas.length > 0 && !blas.some((name) => /openblas|mkl|blis/.test(name));
  const warning = isSlow
    ? ' — a plain BLAS, ten times as slow as it could be: apt-get install libopenblas0-pthread'
    : '';
  const multiplies = blas.length > 0 ? blas.join(', ') : 'an unknown BLAS';
  return `PyTorch ${torch} (${python}), one thread, ${multiplies}${warning}; product of 1024³ at ${(product / 1e9).toFixed(0)} GFLOP/s`;
}
