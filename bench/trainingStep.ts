/**
 * One whole training step of the default policy (forward, objective, backward, clip, AdamW) as a list of operations, on
 * any backend and for any number of members, and what it costs in floating-point operations.
 */
import { allocateActivations, allocateScratch } from '../src/policy/activations';
import { recordBackward } from '../src/policy/backward';
import type { PolicyConfiguration } from '../src/policy/configuration';
import { recordHead, recordTrunk } from '../src/policy/forward';
import { initialParameters, layoutParameters, parameterViews } from '../src/policy/parameters';
import type { Backend, Operations, Sequences, Tensor } from '../src/tensor/backend';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS, TERM_COLUMNS } from '../src/tensor/layout';

export const TOKENS = 27;
export const TRAJECTORIES = 128;
export const ROWS = TRAJECTORIES * TOKENS;

export const policy: PolicyConfiguration = {
  layers: 2,
  width: 64,
  heads: 4,
  context: TOKENS,
  vocabulary: 48,
  positions: 'learned',
  activation: 'gelu',
  initialScale: 0.05,
};

/** `TRAJECTORIES` trajectories of `TOKENS` tokens: 8 of the prompt, then actions and observations in turn. */
export function benchmarkRows(backend: Backend): Sequences {
  const table = new Uint32Array(ROWS * ROW_FIELDS);
  for (let r = 0; r < ROWS; r++) {
    const [s, t] = [Math.floor(r / TOKENS), r % TOKENS];
    const role = t < 8 ? 0 : t % 2 === 0 ? 1 : 2;
    table.set([(r * 7 + s) % 16, t, s * TOKENS, packMeta(role, role === 1 ? 1 : 0, s)], r * ROW_FIELDS);
  }
  const rows = {
    table: backend.tensor('rows', 'u32', 1, ROWS * ROW_FIELDS),
    count: backend.tensor('count', 'u32', 1, 1),
    start: backend.tensor('start', 'u32', 1, TRAJECTORIES + 1),
  };
  backend.write(rows.table, table);
  backend.write(rows.count, Uint32Array.of(ROWS));
  backend.write(
    rows.start,
    Uint32Array.from({ length: TRAJECTORIES + 1 }, (_, s) => s * TOKENS),
  );
  return { ...rows, capacity: ROWS, sequences: TRAJECTORIES };
}

export function filled(backend: Backend, label: string, members: number, stride: number): Tensor<'f32'> {
  const tensor = backend.tensor(label, 'f32', members, stride);
  backend.write(
    tensor,
    Float32Array.from({ length: members * stride }, (_, i) => Math.sin(i * 0.37) * 0.5),
  );
  return tensor;
}

export function trainingStep(backend: Backend, P: number, rows: Sequences): (operations: Operations) => void {
  const { vocabulary: V } = policy;
  const f32 = (label: string, stride: number): Tensor<'f32'> => backend.tensor(label, 'f32', P, stride);
  const layout = layoutParameters(policy);
  const N = layout.size;
  const parameters = f32('parameters', N);
  for (let p = 0; p < P; p++) backend.write(parameters, initialParameters(layout, 1, p), p * N);
  const parameter = parameterViews(layout, parameters);
  const activations = allocateActivations(backend, policy, P, ROWS, { keep: true, label: 'bench' });
  const scratch = allocateScratch(backend, policy, P, ROWS);
  const chunks = TRAJECTORIES / GRADIENT_CHUNK;
  const partials = f32('partials', chunks * N);
  const [gradients, firstMoment, secondMoment] = [f32('gradients', N), f32('m', N), f32('v', N)];
  const [norm, step, counts] = [f32('norm', 1), f32('step', 1), f32('counts', 4)];
  const normScratch = f32('normScratch', Math.ceil(N / 1024));
  const logits = f32('logits', ROWS * V);
  const [logProb, entropy, logSumExp] = [f32('logProb', ROWS), f32('entropy', ROWS), f32('logSumExp', ROWS)];
  const [dLogProb, dEntropy, terms] = [f32('dLogProb', ROWS), f32('dEntropy', ROWS), f32('terms', ROWS * TERM_COLUMNS)];
  const oldLogProb = f32('oldLogProb', ROWS);
  backend.write(oldLogProb, new Float32Array(P * ROWS).fill(-3.8));
  const [sums, sequenceSums] = [f32('sums', TERM_COLUMNS), f32('sequenceSums', TRAJECTORIES * TERM_COLUMNS)];
  const advantage = filled(backend, 'advantage', 1, TRAJECTORIES);
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  const columns = new Float32Array(HYPER_COLUMNS);
  columns.set([3e-4, 0.9, 0.999, 1e-8, 0.01, 1, 0.2, 0.2, 0.01, 0.01, 1, 1e-4]);
  columns[HYPER.policyGradient + 1] = 1;
  columns[HYPER.crossEntropy + 2] = 0.2;
  backend.write(hyper, columns);
  const legalSets = backend.tensor('legalSets', 'u32', 1, 4);
  backend.write(legalSets, Uint32Array.of(0xffffffff, 0xffff, 0xffff, 0));
  const active = backend.tensor('active', 'u32', 1, 1);
  backend.write(active, Uint32Array.of(1));
  const [referenceLogProb, behaviourLogProb] = [oldLogProb, oldLogProb];
  const inputs = { logProb, oldLogProb, referenceLogProb, behaviourLogProb, entropy, advantage, counts, hyper };
  return (ops) => {
    recordTrunk(ops, policy, parameter, activations, rows, null);
    recordHead(ops, parameter, logits, activations.finalNorm, rows);
    ops.maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, V);
    ops.countRoles(counts, rows, { accumulate: false });
    ops.tokenObjective(dLogProb, dEntropy, terms, inputs, rows, 'all');
    ops.sumTerms(sums, sequenceSums, terms, rows, { accumulate: false });
    ops.maskedLogProbBackward(logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, V);
    recordBackward(ops, policy, parameter, activations, scratch, logits, partials, rows);
    ops.reduceChunks(gradients, partials, chunks, { accumulate: false });
    ops.gradientNorm(norm, normScratch, gradients, null);
    ops.adamW(parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active);
  };
}

/** Flops of a step: 2 a multiply-add, forward 1, backward 2 (linear maps) or 2.5 (attention) times the forward pass. */
export function stepFlops(members: number): number {
  const { layers, width: C, vocabulary: V } = policy;
  const linear = ROWS * (layers * 12 * C * C + C * V);
  const attention = layers * TRAJECTORIES * ((TOKENS * (TOKENS + 1)) / 2) * 2 * C;
  return members * 2 * (3 * linear + 3.5 * attention);
}

/** Each operation of `build`, to be recorded as a program of its own. */
export function operationsApart(
  build: (operations: Operations) => void,
): { name: keyof Operations; record: (operations: Operations) => void }[] {
  const apart: { name: keyof Operations; record: (operations: Operations) => void }[] = [];
  const collector = new Proxy({} as Operations, {
    get:
      (_, name) =>
      (...args: readonly unknown[]) => {
        const operation = name as keyof Operations;
        apart.push({
          name: operation,
          record: (operations) => (operations[operation] as (...all: readonly unknown[]) => void)(...args),
        });
      },
  });
  build(collector);
  return apart;
}
