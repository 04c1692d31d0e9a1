/** Operations that a GPU takes in one dispatch give the same bits as each alone. */
import { expect, test } from 'vitest';
import { CASES } from '../../src/parity/cases/all';
import { allocate } from '../../src/parity/cases/case';
import { createWebGpuBackend, kernelsOf } from '../../src/tensor/webgpu/backend';
import { callsOf, replay } from '../../src/train/bench/apart';
import { sharedDevice } from '../support/gpu';

const cases = CASES.filter(({ name }) => /^linear of a norm, 300|^adamW of 70004 parameters by/.test(name));

const JOINED = ['forward/norm_linear_tiled', 'optimiser/norm_step_tiled'];

test.each(cases)('$name', async (one) => {
  const backend = createWebGpuBackend({ device: await sharedDevice(), software: true, variant: 'tiled' });
  const outputs: Uint32Array[][] = [];
  for (const isApart of [false, true]) {
    const tensors = allocate(backend, one.tensors);
    const calls = callsOf((operations) => one.build(operations, tensors));
    const programs = (isApart ? calls.map((call) => [call]) : [calls]).map((own) =>
      backend.record('some', one.members, replay(own)),
    );
    expect(programs.flatMap((program) => kernelsOf(program)).some((name) => JOINED.includes(name))).toBe(!isApart);
    await backend.prepare();
    backend.run(...programs);
    const read = await backend.read(...one.outputs.map(({ tensor }) => tensors.f32(tensor)));
    outputs.push(read.map(({ buffer }) => new Uint32Array(buffer)));
  }
  const [together = [], apart = []] = outputs;
  one.outputs.forEach(({ compared }, which) => {
    const used = (bits: Uint32Array | undefined) => bits?.filter((_, i) => compared?.[i] !== 0);
    expect(used(together[which])).toEqual(used(apart[which]));
  });
  backend.dispose();
});
