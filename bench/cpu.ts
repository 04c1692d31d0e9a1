/**
 * The CPU backend's speed, by hand: `node scripts/run.mjs bench/cpu.ts [seconds per row]`. First the matrix products,
 * then one whole training step (forward, objective, backward, clip, AdamW) of the default policy, per operation and in
 * all. Numbers are the best of many runs on one core; flops are counted as multiply-adds of the linear maps and of
 * attention, times two.
 */
import { allocateActivations, allocateScratch } from '../src/policy/activations';
import { recordBackward } from '../src/policy/backward';
import type { PolicyConfiguration } from '../src/policy/configuration';
import { recordHead, recordTrunk } from '../src/policy/forward';
import { initialParameters, layoutParameters, parameterViews } from '../src/policy/parameters';
import type { Operations, Program, Sequences, Tensor } from '../src/tensor/backend';
import { createCpuBackend } from '../src/tensor/cpu/backend';
import { GRADIENT_CHUNK, HYPER, HYPER_COLUMNS, packMeta, ROW_FIELDS, TERM_COLUMNS } from '../src/tensor/layout';

const SECONDS = Number(process.argv[2] ?? 0.3);
const T = 27;
const S = 128;
const R = S * T;
const configuration: PolicyConfiguration = {
  layers: 2,
  width: 64,
  heads: 4,
  context: T,
  vocabulary: 48,
  positions: 'learned',
  activation: 'gelu',
  initialScale: 0.05,
};

const backend = await createCpuBackend();
const f32 = (label: string, stride: number): Tensor<'f32'> => backend.tensor(label, 'f32', 1, stride);
const rows = sequences();

function sequences(): Sequences {
  const table = new Uint32Array(R * ROW_FIELDS);
  for (let r = 0; r < R; r++) {
    const [s, t] = [Math.floor(r / T), r % T];
    const role = t < 8 ? 0 : t % 2 === 0 ? 1 : 2;
    table.set([(r * 7 + s) % 48, t, s * T, packMeta(role, role === 1 ? 1 : 0, s)], r * ROW_FIELDS);
  }
  const made = {
    table: backend.tensor('rows', 'u32', 1, R * ROW_FIELDS),
    count: backend.tensor('count', 'u32', 1, 1),
    start: backend.tensor('start', 'u32', 1, S + 1),
  };
  backend.write(made.table, table);
  backend.write(made.count, Uint32Array.of(R));
  backend.write(
    made.start,
    Uint32Array.from({ length: S + 1 }, (_, s) => s * T),
  );
  return { ...made, capacity: R, sequences: S };
}

/** Best time of one run, seconds. */
function time(...programs: readonly Program[]): number {
  let best = Number.POSITIVE_INFINITY;
  const end = performance.now() + SECONDS * 1000;
  for (let i = 0; i < 3 || performance.now() < end; i++) {
    const start = performance.now();
    backend.run(...programs);
    best = Math.min(best, performance.now() - start);
  }
  return best / 1000;
}

function report(name: string, seconds: number, flops: number): void {
  const rate = flops === 0 ? '' : `${(flops / seconds / 1e9).toFixed(1)} GFLOP/s`;
  console.log(`${name.padEnd(44)} ${(seconds * 1e3).toFixed(3).padStart(9)} ms   ${rate}`);
}

function filled(tensor: Tensor<'f32'>): Tensor<'f32'> {
  const values = new Float32Array(tensor.stride);
  for (let i = 0; i < values.length; i++) values[i] = Math.sin(i * 0.37) * 0.5;
  backend.write(tensor, values);
  return tensor;
}

function benchProducts(K: number, N: number): void {
  const shape = `[${R}×${K}]·[${K}×${N}]`;
  const [x, out] = [filled(f32('x', R * K)), filled(f32('out', R * N))];
  const weight = { tensor: filled(f32('weight', K * N)), offset: 0, shape: [K, N] };
  const partials = f32('partials', (S / GRADIENT_CHUNK) * K * N);
  const dx = f32('dx', R * K);
  const flops = 2 * R * K * N;
  const record = (build: (ops: Operations) => void) => time(backend.record(shape, 1, build));
  report(
    `linear ${shape}`,
    record((ops) => ops.linear(out, x, rows, weight, null)),
    flops,
  );
  report(
    `linearBackwardInput ${shape}`,
    record((ops) => ops.linearBackwardInput(dx, out, x, rows, weight)),
    flops,
  );
  report(
    `linearBackwardWeight ${shape}`,
    record((ops) => ops.linearBackwardWeight(partials, x, out, rows, weight, null)),
    flops,
  );
}

/** Everything one training step does, as one list of operations. */
function trainingStep(): (ops: Operations) => void {
  const { vocabulary: V } = configuration;
  const layout = layoutParameters(configuration);
  const N = layout.size;
  const parameters = f32('parameters', N);
  backend.write(parameters, initialParameters(layout, 1, 0));
  const parameter = parameterViews(layout, parameters);
  const activations = allocateActivations(backend, configuration, 1, R, { keep: true, label: 'bench' });
  const scratch = allocateScratch(backend, configuration, 1, R);
  const chunks = S / GRADIENT_CHUNK;
  const partials = f32('partials', chunks * N);
  const [gradients, firstMoment, secondMoment] = [f32('gradients', N), f32('m', N), f32('v', N)];
  const [norm, step, counts] = [f32('norm', 1), f32('step', 1), f32('counts', 4)];
  const normScratch = f32('normScratch', Math.ceil(N / 1024));
  const logits = f32('logits', R * V);
  const [logProb, entropy, logSumExp] = [f32('logProb', R), f32('entropy', R), f32('logSumExp', R)];
  const [dLogProb, dEntropy, terms] = [f32('dLogProb', R), f32('dEntropy', R), f32('terms', R * TERM_COLUMNS)];
  const oldLogProb = f32('oldLogProb', R);
  backend.write(oldLogProb, new Float32Array(R).fill(-3.8));
  const [sums, sequenceSums] = [f32('sums', TERM_COLUMNS), f32('sequenceSums', S * TERM_COLUMNS)];
  const advantage = filled(f32('advantage', S));
  const hyper = f32('hyper', HYPER_COLUMNS);
  const table = new Float32Array(HYPER_COLUMNS);
  table.set([3e-4, 0.9, 0.999, 1e-8, 0.01, 1, 0.2, 0.2, 0.01, 0.01, 1, 1e-4]);
  table[HYPER.policyGradient + 1] = 1;
  table[HYPER.crossEntropy + 2] = 0.2;
  backend.write(hyper, table);
  const legalSets = backend.tensor('legalSets', 'u32', 1, 4);
  backend.write(legalSets, Uint32Array.of(0xffffffff, 0xffff, 0xff0, 0));
  const active = backend.tensor('active', 'u32', 1, 1);
  backend.write(active, Uint32Array.of(1));
  const inputs = {
    logProb,
    oldLogProb,
    referenceLogProb: oldLogProb,
    behaviourLogProb: oldLogProb,
    entropy,
    advantage,
    counts,
    hyper,
  };
  return (ops) => {
    recordTrunk(ops, configuration, parameter, activations, rows, null);
    recordHead(ops, parameter, logits, activations.finalNorm, rows);
    ops.maskedLogProb(logProb, entropy, logSumExp, logits, rows, legalSets, hyper, V);
    ops.countRoles(counts, rows, { accumulate: false });
    ops.tokenObjective(dLogProb, dEntropy, terms, inputs, rows, 'all');
    ops.sumTerms(sums, sequenceSums, terms, rows, { accumulate: false });
    ops.maskedLogProbBackward(logits, dLogProb, dEntropy, entropy, logSumExp, rows, legalSets, hyper, V);
    recordBackward(ops, configuration, parameter, activations, scratch, logits, partials, rows);
    ops.reduceChunks(gradients, partials, chunks, { accumulate: false });
    ops.gradientNorm(norm, normScratch, gradients, null);
    ops.adamW(parameters, firstMoment, secondMoment, step, gradients, norm, hyper, active);
  };
}

/** Records every operation as a program of its own, so that each can be timed. */
function recordApart(build: (ops: Operations) => void): { name: string; program: Program }[] {
  const apart: { name: string; program: Program }[] = [];
  const names: (keyof Operations)[] = [];
  const recordOne = (name: keyof Operations, args: readonly unknown[]): void => {
    const operation = (ops: Operations): void => (ops[name] as (...args: readonly unknown[]) => void)(...args);
    names.push(name);
    apart.push({ name, program: backend.record(name, 1, operation) });
  };
  build(
    new Proxy({} as Operations, {
      get:
        (_, name) =>
        (...args: readonly unknown[]) =>
          recordOne(name as keyof Operations, args),
    }),
  );
  return apart;
}

/** Flops of a step: 2 a multiply-add, forward 1, backward 2 (linear maps) or 2.5 (attention) times the forward pass. */
function stepFlops(): number {
  const { layers, width: C, vocabulary: V } = configuration;
  const linear = R * (layers * 12 * C * C + C * V);
  const attention = layers * S * ((T * (T + 1)) / 2) * 2 * C;
  return 2 * (3 * linear + 3.5 * attention);
}

console.log(`${backend.description}, Node ${process.version}\n`);
for (const [K, N] of [
  [64, 64],
  [64, 256],
  [256, 64],
  [64, 48],
] as const) {
  benchProducts(K, N);
}

const step = trainingStep();
const totals = new Map<string, { calls: number; best: number[] }>();
const apart = recordApart(step);
const bests = apart.map(() => Number.POSITIVE_INFINITY);
const end = performance.now() + SECONDS * 5000;
for (let i = 0; i < 3 || performance.now() < end; i++) {
  apart.forEach(({ program }, at) => {
    const start = performance.now();
    backend.run(program);
    bests[at] = Math.min(bests[at] as number, performance.now() - start);
  });
}
apart.forEach(({ name }, at) => {
  const total = totals.get(name) ?? { calls: 0, best: [] };
  total.calls++;
  total.best.push(bests[at] as number);
  totals.set(name, total);
});
console.log(`\nOne training step: d 64, 2 layers, ${S} trajectories of ${T}, V 48, by operation`);
for (const [name, { calls, best }] of totals) report(`${name} ×${calls}`, best.reduce((a, b) => a + b) / 1000, 0);
report('\nthe whole step, best', time(backend.record('step', 1, step)), stepFlops());
