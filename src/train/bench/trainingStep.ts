/**
 * One whole training step (forward, masked log-prob, objective, backward, clip, AdamW) as a list of operations, on any
 * backend, for any policy and number of members. It is used to time kernels and to compare with other libraries.
 * Trajectories are as long as the context.
 */
import { ROLE } from '../../foundation/roles';
import { blockWidths, type PolicyConfiguration } from '../../policy/configuration';
import { initialParameters, layoutParameters, type ParameterLayout, parameterViews } from '../../policy/parameters';
import { allocateBatch, type BatchTensors, writeBatch } from '../../rl/learn/batch';
import { objectiveScratch, recordAdvantages, recordLossWeights } from '../../rl/learn/lossWeights';
import { allocateMicrobatch, type Microbatch, packMicrobatch } from '../../rl/learn/microbatches';
import { Passes } from '../../rl/learn/passes';
import { Trajectories } from '../../rl/play/trajectories';
import type { Backend, Operations, Sequences, Tensor } from '../../tensor/backend';
import { TERM_COLUMNS } from '../../tensor/columns';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS } from '../../tensor/layout';

export interface StepSizes {
  readonly policy: PolicyConfiguration;
  readonly members: number;
  readonly trajectories: number;
  /** `policy-gradient`: clipped surrogate on actions, cross-entropy on observations. `cross-entropy`: on every token. */
  readonly objective: 'policy-gradient' | 'cross-entropy';
  readonly learningRate?: number;
  /** Tokens [trajectories, context]; a fixed pattern by default. */
  readonly tokens?: Uint32Array;
}

export interface TrainingStep {
  readonly layout: ParameterLayout;
  readonly rows: Sequences;
  readonly parameters: Tensor<'f32'>;
  /** Sums of the TERM columns of the last step, [P, TERM_COLUMNS]. */
  readonly sums: Tensor<'f32'>;
  record(operations: Operations): void;
}

export const rowsOf = ({ policy, trajectories }: StepSizes): number => trajectories * policy.context;

const PROMPT = 8;

/** Writes the batch: a prompt, then actions and observations in turn; for cross-entropy all tokens are observations. */
function writeTrajectories(backend: Backend, sizes: StepSizes, microbatch: Microbatch, batch: BatchTensors): void {
  const { policy, members, trajectories, objective, tokens } = sizes;
  const T = policy.context;
  const played = new Trajectories(members, trajectories, T, 1);
  for (let i = 0; i < members * trajectories; i++) {
    const s = i % trajectories;
    for (let t = 0; t < T; t++) {
      const token = tokens?.[s * T + t] ?? ((s * T + t) * 7 + s) % Math.min(16, policy.vocabulary);
      const turn = t < PROMPT ? 'prompt' : t % 2 === 0 ? 'action' : 'observation';
      const role = objective === 'cross-entropy' ? 'observation' : turn;
      if (role === 'action') played.appendDrawn(i, token, 1, -Math.log(policy.vocabulary));
      else played.appendSaid(i, token, role);
    }
    played.tokenRewards[(i + 1) * T - 2] = Math.sin(s * 0.37);
  }
  packMicrobatch(backend, microbatch, played);
  writeBatch(backend, batch, played);
  const likelihoods = new Float32Array(members * trajectories * T).fill(-Math.log(policy.vocabulary));
  backend.write(batch.dense.oldLogProb, likelihoods);
  backend.write(batch.dense.referenceLogProb, likelihoods);
}

function hyperparameterRow({ objective, learningRate = 3e-4 }: StepSizes): Float32Array {
  const row = new Float32Array(HYPER_COLUMNS);
  row[HYPER.learningRate] = learningRate;
  row[HYPER.beta1] = 0.9;
  row[HYPER.beta2] = 0.999;
  row[HYPER.epsilon] = 1e-8;
  row[HYPER.temperature] = 1;
  row[HYPER.clipLow] = 0.2;
  row[HYPER.clipHigh] = 0.2;
  row[HYPER.advantageEpsilon] = 1e-4;
  if (objective === 'cross-entropy') {
    row[HYPER.maxGradNorm] = 1e6;
    row[HYPER.crossEntropy + ROLE.observation] = 1;
  } else {
    row[HYPER.weightDecay] = 0.01;
    row[HYPER.maxGradNorm] = 1;
    row[HYPER.klCoefficient] = 0.01;
    row[HYPER.entropyCoefficient] = 0.01;
    row[HYPER.policyGradient + ROLE.action] = 1;
    row[HYPER.crossEntropy + ROLE.observation] = 0.1;
  }
  return row;
}

/** Allocates everything; `record` may then be recorded as often as needed. */
export function trainingStep(backend: Backend, sizes: StepSizes): TrainingStep {
  const { policy, members: P, trajectories } = sizes;
  const { vocabulary: V, context: T } = policy;
  const f32 = (label: string, stride: number): Tensor<'f32'> => backend.tensor(label, 'f32', P, stride);
  const chunks = Math.ceil(trajectories / GRADIENT_CHUNK);
  const plan = { trajectories, microbatches: 1, chunks, bytes: 0 };
  const microbatch = allocateMicrobatch(backend, P, plan, 0, T);
  const batch = allocateBatch(backend, { members: P, groups: 1, groupSize: trajectories, context: T, turns: 1 });
  writeTrajectories(backend, sizes, microbatch, batch);
  const layout = layoutParameters(policy);
  const N = layout.size;
  const parameters = f32('parameters', N);
  for (let p = 0; p < P; p++) backend.write(parameters, initialParameters(layout, 1, p), p * N);
  const parameter = parameterViews(layout, parameters);
  const [gradients, firstMoment, secondMoment] = [f32('gradients', N), f32('m', N), f32('v', N)];
  const [norm, step, normScratch] = [f32('norm', 1), f32('step', 1), f32('normScratch', Math.ceil(N / 1024))];
  const scratch = f32('objectiveScratch', objectiveScratch(batch, batch.turns));
  const [sums, sequenceSums] = [f32('sums', TERM_COLUMNS), f32('sequenceSums', trajectories * TERM_COLUMNS)];
  const hyper = backend.tensor('hyper', 'f32', 1, HYPER_COLUMNS);
  backend.write(hyper, hyperparameterRow(sizes));
  const words = Math.ceil(V / 32);
  const legalSets = backend.tensor('legalSets', 'u32', 1, 2 * words);
  const legal = new Uint32Array(2 * words).fill(0xffffffff, 0, words);
  if (V % 32 !== 0) legal[words - 1] = 2 ** (V % 32) - 1;
  legal[words] = 0xffff;
  backend.write(legalSets, legal);
  const active = backend.tensor('active', 'u32', 1, 1);
  backend.write(active, Uint32Array.of(1));
  const passes = new Passes(backend, policy, layout, P, plan, batch, hyper, legalSets);
  return {
    layout,
    rows: microbatch.rows,
    parameters,
    sums,
    record(ops) {
      recordAdvantages(ops, batch, scratch, hyper);
      recordLossWeights(ops, batch, scratch, hyper);
      passes.score(ops, parameter, microbatch);
      passes.objective(ops, parameter, microbatch, { critic: false, ownLosses: null });
      ops.sumColumns(sums, sequenceSums, passes.terms, microbatch.rows, { accumulate: false });
      passes.backward(ops, parameter, microbatch, gradients, { critic: false, accumulate: false });
      ops.gradientNorm(norm, normScratch, gradients, null);
      ops.adamW(parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active);
    },
  };
}

/** Flops of a step: 2 a multiply-add, forward 1, backward 2 (linear maps) or 2.5 (attention) times the forward pass. */
export function stepFlops(sizes: StepSizes): number {
  const { layers, width: C, vocabulary: V, context: T } = sizes.policy;
  const { qkv, attention: A, up, hidden } = blockWidths(sizes.policy);
  const linear = rowsOf(sizes) * (layers * (qkv + A + up + hidden) * C + C * V);
  const attention = layers * sizes.trajectories * ((T * (T + 1)) / 2) * 2 * A;
  return sizes.members * 2 * (3 * linear + 3.5 * attention);
}
