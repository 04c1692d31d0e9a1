/** PyTorch as a peer: the Python that has it, what it computes with, its answers. */
import * as v from 'valibot';
import { LabError } from '../../src/foundation/errors';
import { decodeFloats } from './arrays';
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

/** What torchUpdate.py learned from a batch of ours. */
export const LessonSchema = v.object({
  predicted: v.number(),
  entropy: v.number(),
  gradient: v.number(),
  parameters: v.pipe(
    v.object({ type: v.literal('float32'), base64: v.string() }),
    v.transform((array) => decodeFloats(array)),
  ),
});

export interface TorchPeer<A> {
  readonly python: string;
  readonly hello: v.InferOutput<typeof HelloSchema>;
  step(): Promise<A>;
  /** Answer to a request that is no step. */
  ask<B>(request: object, answer: v.GenericSchema<unknown, B>): Promise<B>;
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
    const hello = await greeted(peer, problem);
    if ('torch' in hello) {
      const ask = async <B>(request: object, schema: v.GenericSchema<unknown, B>): Promise<B> =>
        v.parse(schema, await peer.ask(request));
      return { python, hello, ask, step: () => ask({}, answer), close: () => peer.close() };
    }
    peer.close();
    reasons.push(`${python}: ${hello.missing}`);
  }
  const what = `PyTorch is not here (${reasons.join('; ')}).`;
  if (named !== undefined) throw new LabError('unsupported', what, HOW_TO_GET_IT);
  return `${what} ${HOW_TO_GET_IT}`;
}

/** Answer to the problem; the peer ends where it gives none that can be read. */
async function greeted(peer: LinePeer, problem: unknown) {
  try {
    return v.parse(v.union([MissingSchema, HelloSchema]), await peer.ask(problem));
  } catch (cause) {
    peer.close();
    throw cause;
  }
}

const HOW_TO_GET_IT =
  'On Debian: apt-get install python3-torch libopenblas0-pthread. Elsewhere install torch with pip, and name its Python: --python=PATH.';

/** Description of what computes there, with a warning where products of matrices are those of the reference BLAS. */
export function describeTorch({ python, hello }: Pick<TorchPeer<unknown>, 'python' | 'hello'>): string {
  const { torch, blas, product } = hello;
  const isSlow = blas.length > 0 && !blas.some((name) => /openblas|mkl|blis/.test(name));
  const warning = isSlow
    ? ' — a plain BLAS, ten times as slow as it could be: apt-get install libopenblas0-pthread'
    : '';
  const multiplies = blas.length > 0 ? blas.join(', ') : 'an unknown BLAS';
  return `PyTorch ${torch} (${python}), one thread, ${multiplies}${warning}; product of 1024³ at ${(product / 1e9).toFixed(0)} GFLOP/s`;
}
