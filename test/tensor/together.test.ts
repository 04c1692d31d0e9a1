/** Operations that a GPU takes in one dispatch give the same bits as each alone. */
import { expect, test } from 'vitest';
import { CASES } from '../../src/parity/cases/all';
import { allocate } from '../../src/parity/cases/case';
import { createWebGpuBackend, kernelsOf } from '../../src/tensor/webgpu/backend';
import { callsOf, replay } from '../../src/train/bench/apart';
import { sharedDevice } from '../support/gpu';

const JOINED =
  /^linear of a norm, 300(?!.*(132|, of b?f16))|^adamW of 70004 parameters by|^the whole objective|scattered|turned, 300/;
const cases = CASES.filter(({ name }) => JOINED.test(name));

test.each(cases)('$name', async (one) => {
  const backend = createWebGpuBackend({ device: await sharedDevice(), software: true, variant: 'tiled' });
  const outputs: Uint32Array[][] = [];
  const dispatches: number[] = [];
  for (const isApart of [false, true]) {
    const tensors = allocate(backend, one.tensors);
    const calls = callsOf((operations) => one.build(operations, tensors));
    const programs = (isApart ? calls.map((call) => [call]) : [calls]).map((own) =>
      backend.record('some', one.members, replay(own)),
    );
    dispatches.push(programs.reduce((sum, { operations }) => sum + operations, 0));
    await backend.prepare();
    backend.run(...programs);
    const read = await backend.read(...one.outputs.map(({ tensor }) => tensors.f32(tensor)));
    outputs.push(read.map(({ buffer }) => new Uint32Array(buffer)));
  }
  expect(dispatches[0]).toBeLessThan(dispatches[1] as number);
  const [together = [], apart = []] = outputs;
  one.outputs.forEach(({ compared }, which) => {
    const used = (bits: Uint32Array | undefined) => bits?.filter((_, i) => compared?.[i] !== 0);
    expect(used(together[which])).toEqual(used(apart[which]));
  });
  backend.dispose();
});

test('Parts of the objective with other hyperparameters are dispatched alone', async () => {
  const backend = createWebGpuBackend({ device: await sharedDevice(), software: true, variant: 'tiled' });
  const one = cases.find(({ name }) => name === 'the whole objective, 7 and 5 rows');
  if (one === undefined) throw new Error('There is no such case.');
  const [tensors, others] = [allocate(backend, one.tensors), allocate(backend, one.tensors)];
  const calls = callsOf((operations) => one.build(operations, tensors));
  const [hyper, own] = [tensors.f32('hyper'), others.f32('hyper')];
  const differing = calls.map(({ name, args }, i) => ({
    name,
    args: args.map((arg) => (arg === hyper && i >= 2 ? own : arg)),
  }));
  const kernels = (some: typeof calls) => kernelsOf(backend.record('some', one.members, replay(some)));
  expect(kernels(calls)).toEqual(['policy_objective/segments_tiled', 'policy_objective/objective_tiled']);
  expect(kernels(differing)).toEqual([
    'policy_objective/ratio_segments',
    'policy_objective/loss',
    'world_model/regularise',
    'world_model/regularise_entropy',
    'world_model/cross_entropy',
  ]);
  backend.dispose();
});
