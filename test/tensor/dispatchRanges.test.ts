/** Long operations become several dispatches, and give the same bits. */
import { expect, test } from 'vitest';
import { ParameterSlots } from '../../src/gpu/parameterSlots';
import { gpuState } from '../../src/gpu/state';
import { CASES, type ParityCase } from '../../src/parity/cases/all';
import {
  allocate,
  normal,
  normalRows,
  placeParameters,
  randomFor,
  runCase,
  unwritten,
} from '../../src/parity/cases/case';
import { EVERYTHING, hyperTensor, WORLD_MODEL } from '../../src/parity/cases/hyper';
import { legalSetTensor, makeTokensLegal, manyShort, packRows } from '../../src/parity/cases/rows';
import type { Program } from '../../src/tensor/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { type DispatchLimits, logProbOperations } from '../../src/tensor/webgpu/logProbOperations';
import { Recorder, rangesOf } from '../../src/tensor/webgpu/recorder';
import { sharedDevice } from '../support/gpu';

const [C, V, SEQUENCES] = [12, 520, 20];
const OUTPUTS = ['logProb', 'entropy', 'logSumExp', 'squares', 'logits', 'fused', 'dHidden', 'partials'] as const;

test.each(['plain', 'tiled'] as const)('%s', async (variant) => {
  const device = await sharedDevice();
  const backend = createWebGpuBackend({ device, software: true, variant });
  const random = randomFor('ranges');
  const rows = packRows(random, manyShort(random, 2, SEQUENCES), { vocabulary: V, legalSets: 3 });
  const { members: P, capacity: R, counts } = rows;
  const legalSets = legalSetTensor(random, 3, V);
  makeTokensLegal(rows, legalSets, V);
  const plan = placeParameters('parameters', [C, V]);
  const column = (columns: number) => normalRows(random, counts, R, columns);
  const specs = {
    ...rows.tensors,
    legalSets,
    hyper: hyperTensor(EVERYTHING, WORLD_MODEL),
    parameters: normal(random, P, plan.size),
    hidden: column(C),
    logits: column(V),
    dLogProb: column(1),
    dEntropy: column(1),
    logProb: unwritten(P, R),
    entropy: unwritten(P, R),
    logSumExp: unwritten(P, R * 2),
    squares: unwritten(P, R),
    fused: unwritten(P, R),
    dHidden: unwritten(P, R * C),
    partials: unwritten(P, 2 * plan.size),
  };
  const run = async (limits: DispatchLimits) => {
    const t = allocate(backend, specs);
    const { pipelines } = gpuState(device);
    const slots = new ParameterSlots(device);
    const recorder = new Recorder(device, pipelines, slots, P, variant);
    const ops = logProbOperations(recorder, limits);
    const head = t.view(plan.places[0]!);
    const [entropy, logSumExp, logits] = [t.f32('entropy'), t.f32('logSumExp'), t.f32('logits')];
    const derivatives = [t.f32('dLogProb'), t.f32('dEntropy')] as const;
    const own = [t.u32('legalSets'), t.f32('hyper')] as const;
    ops.fusedLogProb(t.f32('fused'), entropy, logSumExp, t.f32('hidden'), t.rows(), head, ...own);
    const gradients = [t.f32('dHidden'), t.f32('partials')] as const;
    const saved = [...derivatives, entropy, logSumExp] as const;
    ops.fusedLogProbBackward(...gradients, ...saved, t.f32('hidden'), t.sequences(), head, ...own);
    ops.maskedLogProb(t.f32('logProb'), entropy, logSumExp, logits, t.rows(), ...own, V);
    ops.sumOfSquares(t.f32('squares'), logSumExp, logits, t.rows(), ...own, V);
    ops.maskedLogProbBackward(logits, ...saved, t.rows(), ...own, V);
    const { dispatches } = recorder.finish(Number.POSITIVE_INFINITY);
    slots.flush();
    await Promise.all(dispatches.map(({ compiled }) => pipelines.compile(compiled)));
    const flops = dispatches.map(() => 0);
    backend.run({ label: 'ranges', operations: dispatches.length, dispatches, flops } as Program);
    const results = await backend.read(...OUTPUTS.map((name) => t.f32(name)));
    slots.destroy();
    return { dispatches: dispatches.length, results };
  };
  const whole = await run({ elements: 2 ** 26, flops: 4e9 });
  // Limits of a dispatch: seven rows of logits, sixteen rows of hidden states, one tile of the head.
  const cut = await run({ elements: 7 * V * P, flops: 16 * 4 * C * V * P });
  expect(whole.dispatches).toBe(7);
  expect(cut.dispatches).toBeGreaterThan(3 * Math.floor(R / 7));
  OUTPUTS.forEach((name, i) => {
    const [bits, others] = [whole, cut].map(({ results }) => new Uint32Array((results[i] as Float32Array).buffer));
    expect(bits?.length, name).toBeGreaterThan(0);
    expect(others, name).toEqual(bits);
  });
  backend.dispose();
});

/** Products of 431 rows and the gradient of their attention, and what GPUs take together with them. */
const LONG = [
  /^linear of a norm, 300 and 131 rows, 24 → 64, turned, into a cache$/,
  /^linearBackwardInput .* 300 and 131 rows$/,
  /^linearBackwardWeight .* 300 and 131 rows$/,
  /^attentionBackward, .*, turned, 300 and 131 rows$/,
].map((pattern) => CASES.find(({ name }) => pattern.test(name)) as ParityCase);

test.each(LONG)('$name, in dispatches of at most 10,000 flops or one workgroup', async (one) => {
  const device = await sharedDevice();
  const bound = 10_000;
  const [whole, cut] = await Promise.all(
    [Number.POSITIVE_INFINITY, bound].map(async (maxOperationFlops) => {
      const backend = createWebGpuBackend({ device, software: true, variant: 'tiled', maxOperationFlops });
      let flops: readonly number[] = [];
      const outputs = await runCase(backend, one, (program) => {
        flops = program.flops ?? [];
      });
      backend.dispose();
      return { flops, bits: outputs.map(({ buffer }) => new Uint32Array(buffer)) };
    }),
  );
  const sum = (list: readonly number[] = []): number => list.reduce((a, b) => a + b, 0);
  expect(cut?.flops.length).toBeGreaterThan(whole?.flops.length as number);
  expect(sum(cut?.flops)).toBeCloseTo(sum(whole?.flops), 3);
  expect(cut?.bits).toEqual(whole?.bits);
});

test.each([
  [7, 1, [[0, 7]]],
  [
    7,
    3,
    [
      [0, 2],
      [2, 2],
      [4, 2],
      [6, 1],
    ],
  ],
  [
    2,
    5,
    [
      [0, 1],
      [1, 1],
    ],
  ],
  // Folded into y, a range that did not fill its grid would run into the next.
  [
    200_000,
    2,
    [
      [0, 65_535],
      [65_535, 65_535],
      [131_070, 65_535],
      [196_605, 3395],
    ],
  ],
  [
    400_000,
    2,
    [
      [0, 196_605],
      [196_605, 196_605],
      [393_210, 6790],
    ],
  ],
] as const)('%i workgroups in %i parts', (groups, parts, ranges) => {
  expect(rangesOf(groups, parts)).toEqual(ranges);
});
