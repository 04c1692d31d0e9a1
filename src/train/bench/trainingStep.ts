/**
 * One whole training step (forward, masked log-prob, objective, backward, clip, AdamW) as a list of operations, on any
 * backend, for any policy and any number of members: what kernels are timed on, and what is compared with other
 * libraries. Trajectories are as long as the context.
 */
import { ROLE } from '../../foundation/roles';
import { allocateActivations, allocateScratch } from '../../policy/activations';
import { recordBackward } from '../../policy/backward';
import type { PolicyConfiguration } from '../../policy/configuration';
import { recordHead, recordTrunk } from '../../policy/forward';
import { initialParameters, layoutParameters, type ParameterLayout, parameterViews } from '../../policy/parameters';
import type { Backend, Operations, Sequences, Tensor } from '../../tensor/backend';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS, TERM_COLUMNS } from '../../tensor/layout';

export interface StepSizes {
  readonly policy: PolicyConfiguration;
  readonly members: number;
  readonly trajectories: number;
  /** Clipped surrogate on actions and cross-entropy on observations, or cross-entropy on every token. */
  readonly objective: 'policy-gradient' | 'cross-entropy';
  readonly learningRate?: number;
  /** [trajectories, context]; default: some pattern. */
  readonly tokens?: Uint32Array;
}

export interface TrainingStep {
  readonly layout: ParameterLayout;
  readonly rows: Sequences;
  readonly parameters: Tensor<'f32'>;
  /** Sums of the TERM columns, [P, 8], and target tokens by role, [P, 4], of the last step. */
  readonly sums: Tensor<'f32'>;
  readonly counts: Tensor<'f32'>;
  record(operations: Operations): void;
}

export const rowsOf = ({ policy, trajectories }: StepSizes): number => trajectories * policy.context;

const PROMPT = 8;

/** With the policy gradient: a prompt, then actions and observations in turn. Else all is observation. */
function writeRows(backend: Backend, sizes: StepSizes): Sequences {
  const { policy, trajectories, objective, tokens } = sizes;
  const T = policy.context;
  const rows = rowsOf(sizes);
  const table = new Uint32Array(rows * ROW_FIELDS);
  for (let r = 0; r < rows; r++) {
    const [s, t] = [Math.floor(r / T), r % T];
    const turn = t < PROMPT ? ROLE.prompt : t % 2 === 0 ? ROLE.action : ROLE.observation;
    const role = objective === 'cross-entropy' ? ROLE.observation : turn;
    const token = tokens?.[r] ?? (r * 7 + s) % Math.min(16, policy.vocabulary);
    table.set([token, t, s * T, packMeta(role, role === ROLE.action ? 1 : 0, s)], r * ROW_FIELDS);
  }
  const made: Sequences = {
    table: backend.tensor('rows', 'u32', 1, rows * ROW_FIELDS),
    count: backend.tensor('count', 'u32', 1, 1),
    start: backend.tensor('start', 'u32', 1, trajectories + 1),
    capacity: rows,
    sequences: trajectories,
  };
  backend.write(made.table, table);
  backend.write(made.count, Uint32Array.of(rows));
  backend.write(
    made.start,
    Uint32Array.from({ length: trajectories + 1 }, (_, s) => s * T),
  );
  return made;
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

export function filled(backend: Backend, label: string, members: number, stride: number): Tensor<'f32'> {
  const tensor = backend.tensor(label, 'f32', members, stride);
  backend.write(
    tensor,
    Float32Array.from({ length: members * stride }, (_, i) => Math.sin(i * 0.37) * 0.5),
  );
  return tensor;
}

/** Allocates everything; `record` may then be recorded as often as needed. */
export function trainingStep(backend: Backend, sizes: StepSizes): TrainingStep {
  const { policy, members: P, trajectories } = sizes;
  const { vocabulary: V } = policy;
  const R = rowsOf(sizes);
  const f32 = (label: string, stride: number): Tensor<'f32'> => backend.tensor(label, 'f32', P, stride);
  const rows = writeRows(backend, sizes);
  const layout = layoutParameters(policy);
  const N = layout.size;
  const parameters = f32('parameters', N);
  for (let p = 0; p < P; p++) backend.write(parameters, initialParameters(layout, 1, p), p * N);
  const parameter = parameterViews(layout, parameters);
  const activations = allocateActivations(backend, policy, P, R, { keep: true, label: 'bench' });
  const scratch = allocateScratch(backend, policy, P, R);
  const chunks = Math.ceil(trajectories / GRADIENT_CHUNK);
  const partials = f32('partials', chunks * N);
  const [gradients, firstMoment, secondMoment] = [f32('gradients', N), f32('m', N), f32('v', N)];
  const [norm, step, counts] = [f32('norm', 1), f32('step', 1), f32('counts', 4)];
  const normScratch = f32('normScratch', Math.ceil(N / 1024));
  const logits = f32('logits', R * V);
  const [logProb, entropy, logSumExp] = [f32('logProb', R), f32('entropy', R), f32('logSumExp', 2 * R)];
  const [dLogProb, dEntropy, terms] = [f32('dLogProb', R), f32('dEntropy', R), f32('terms', R * TERM_COLUMNS)];
  const oldLogProb = f32('oldLogProb', R);
  backend.write(oldLogProb, new Float32Array(P * R).fill(-Math.log(V)));
  const [sums, sequenceSums] = [f32('sums', TERM_COLUMNS), f32('sequenceSums', trajectories * TERM_COLUMNS)];
  const advantage = filled(backend, 'advantage', 1, trajectories);
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
  const [referenceLogProb, behaviourLogProb] = [oldLogProb, oldLogProb];
  const inputs = { logProb, oldLogProb, referenceLogProb, behaviourLogProb, entropy, advantage, counts, hyper };
  return {
    layout,
    rows,
    parameters,
    sums,
    counts,
    record(ops) {
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
    },
  };
}

/** Flops of a step: 2 a multiply-add, forward 1, backward 2 (linear maps) or 2.5 (attention) times the forward pass. */
export function stepFlops(sizes: StepSizes): number {
  const { layers, width: C, vocabulary: V, context: T } = sizes.policy;
  const linear = rowsOf(sizes) * (layers * 12 * C * C + C * V);
  const attention = layers * sizes.trajectories * ((T * (T + 1)) / 2) * 2 * C;
  return sizes.members * 2 * (3 * linear + 3.5 * attention);
}
