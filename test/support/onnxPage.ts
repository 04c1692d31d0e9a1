/** A policy on onnxruntime-web in a page of the tests' Chromium; the lab's kernels read its logits. */
import { acquireGpu } from '../../src/gpu/acquire';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { LogitsInput } from '../../src/onnx/logits';
import { OnnxScorer } from '../../src/onnx/scorer';
import { PolicySession } from '../../src/onnx/session';
import type { Backend } from '../../src/tensor/backend';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { onnxProblem, PIECES } from './onnxProblem';
import { referenceForward } from './policies';

export interface PageRun {
  readonly description: string;
  /** Place where a feed left its logits. */
  readonly held: 'GPUBuffer' | 'Float32Array';
  /** Log-probs of each sequence, [tokens], from two scorings. */
  readonly logProb: readonly number[][];
  readonly again: readonly number[][];
  /** Logits of each sequence fed in pieces, [tokens, vocabulary]. */
  readonly logits: readonly number[][];
  /** The same logits by the lab's own kernels. */
  readonly own: readonly number[][];
}

export async function run(provider: 'webgpu' | 'wasm'): Promise<PageRun> {
  const { policy, sequences } = onnxProblem();
  const backend =
    provider === 'webgpu' ? createWebGpuBackend(await acquireGpu(navigator.gpu)) : await createCpuBackend();
  const model = exportOnnx(policy, { cached: true });
  const session = await PolicySession.open(model, { ...policy, cached: true }, { gpu: backend.sharedGpu });
  const vocabulary = session.vocabulary;
  const legalSets = backend.tensor('legalSets', 'u32', 1, Math.ceil(vocabulary / 32));
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  backend.write(hyper, Float32Array.of(1), HYPER.temperature);
  const scorer = new OnnxScorer(backend, session, { rows: 128, legalSets, hyper });
  const input = new LogitsInput(backend, 'pieces', { capacity: 1, vocabulary }, session.source, { whole: false });
  await backend.prepare();
  const observed = sequences.map((tokens) => ({
    tokens,
    roles: tokens.map(() => 2),
    legalSets: tokens.map(() => 0),
  }));
  const score = async () => (await scorer.score(observed)).map(({ logProb }) => Array.from(logProb));
  const [logProb, again] = [await score(), await score()];
  const { held, logits } = await feedInPieces(backend, session, input, sequences);
  await session.release();
  // The device belongs to the lab and still works after the session.
  await backend.read(hyper);
  backend.dispose();
  const own = await referenceForward(policy, sequences, await createCpuBackend());
  return {
    description: session.description,
    held,
    logProb,
    again,
    logits,
    own: own.logits.map((row) => Array.from(row)),
  };
}

async function feedInPieces(
  backend: Backend,
  session: PolicySession,
  input: LogitsInput,
  sequences: readonly number[][],
): Promise<Pick<PageRun, 'held' | 'logits'>> {
  session.begin(sequences.length);
  const logits = sequences.map((): number[] => []);
  let held: PageRun['held'] = 'Float32Array';
  for (const sizes of PIECES) {
    const additions = sequences.map((tokens, s) => {
      const done = session.length(s);
      return tokens.slice(done, done + (sizes[s] as number));
    });
    const fed = await session.feed(additions);
    held = fed.values instanceof Float32Array ? 'Float32Array' : 'GPUBuffer';
    for (const [s, tokens] of additions.entries()) {
      for (let i = 0; i < tokens.length; i++) {
        input.take(fed, [fed.row(s, i)]);
        const [row] = await backend.read(input.tensor);
        logits[s]?.push(...row.subarray(0, session.vocabulary));
      }
    }
  }
  return { held, logits };
}
