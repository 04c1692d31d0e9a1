/** Operations on parameters of which a device can bind only a part: of some members, and of one; to the same bits. */
import { describe, expect, test } from 'vitest';
import { CASES, type ParityCase, runCase } from '../../src/parity/cases/all';
import {
  allocate,
  type CaseTensors,
  f32,
  normal,
  randomFor,
  type TensorSpec,
  u32,
  unwritten,
} from '../../src/parity/cases/case';
import { EVERYTHING, hyperTensor, WORLD_MODEL } from '../../src/parity/cases/hyper';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { sharedDevice } from '../support/gpu';

/** Numbers put before the parameters of a case and behind them. */
const GAP = 2 ** 15;
/** Bytes with room for all other tensors of the cases. */
const OTHERS = 2 ** 17;

/** Numbers of a member's parameters. */
const sizeOf = ({ tensors: { parameters } }: Pick<ParityCase, 'tensors'>): number =>
  parameters === undefined ? 0 : parameters.data.length / parameters.members;

/** Bytes that hold a member's own parameters, and all of its chunks of gradients but for the gaps of one. */
function limitOf({ tensors }: ParityCase): number {
  const size = sizeOf({ tensors });
  const chunks = (tensors.partials?.data.length ?? 0) / ((tensors.partials?.members ?? 1) * size) || 1;
  return 4 * ((chunks - 1) * (size + 2 * GAP) + size) + OTHERS;
}

const LONG = ['parameters', 'partials'];

/** Case whose members have 2 · GAP parameters more. */
function widened({ tensors, build, ...one }: ParityCase): ParityCase {
  const size = sizeOf({ tensors });
  const wide = ({ data, ...spec }: TensorSpec): TensorSpec => {
    const rows = data.length / size;
    const longer = new Float32Array(rows * (size + 2 * GAP)).fill(7);
    for (let i = 0; i < rows; i++) longer.set(data.subarray(i * size, (i + 1) * size), i * (size + 2 * GAP) + GAP);
    return { ...spec, data: longer };
  };
  const moved = (t: CaseTensors): CaseTensors => ({
    ...t,
    view: (place) => t.view({ ...place, offset: place.offset + GAP }),
  });
  return {
    ...one,
    tensors: Object.fromEntries(
      Object.entries(tensors).map(([name, spec]) => [name, LONG.includes(name) ? wide(spec) : spec]),
    ),
    build: (operations, t) => build(operations, moved(t)),
  };
}

/** A case of each operation that takes parameters of its own for each of several members, in float32. */
const usable = CASES.filter(
  ({ operation, tensors, members }) =>
    members > 1 &&
    !/^(formula|adamW)/.test(operation) &&
    tensors.parameters?.members === members &&
    Object.values(tensors).every(({ type }) => type === 'f32' || type === 'u32') &&
    Object.entries(tensors).every(([own, { data }]) => LONG.includes(own) || data.byteLength <= OTHERS),
);
const each = [...new Map(usable.reverse().map((one) => [one.operation, one])).values()];

describe.each(['plain', 'tiled'] as const)('%s', (variant) => {
  test.each(each)('$operation: $name', async (one) => {
    const device = await sharedDevice();
    const [whole, cut] = await Promise.all(
      [undefined, limitOf(one)].map(async (maxBindingBytes) => {
        const backend = createWebGpuBackend({
          device,
          software: true,
          variant,
          ...(maxBindingBytes && { maxBindingBytes }),
        });
        let dispatches = 0;
        const outputs = await runCase(backend, widened(one), ({ operations }) => {
          dispatches = operations;
        });
        backend.dispose();
        return { dispatches, bits: outputs.map(({ buffer }) => new Uint32Array(buffer)) };
      }),
    );
    expect(cut?.bits).toEqual(whole?.bits);
    expect(cut?.dispatches).toBeGreaterThan(whole?.dispatches ?? 0);
  });
});

test('passes over all parameters, of three chunks of gradients', async () => {
  const device = await sharedDevice();
  const [P, N, chunks] = [3, 40_004, 3];
  const random = randomFor('parts');
  const specs = {
    partials: normal(random, P, chunks * N),
    parameters: normal(random, P, N),
    gradients: normal(random, P, N),
    moment: normal(random, P, N, 0.1),
    squares: f32(P, new Float32Array(P * N).fill(0.5)),
    reference: normal(random, P, N),
    copied: unwritten(P, N),
    filled: unwritten(P, N),
    scratch: unwritten(P, Math.ceil(N / 1024)),
    norm: unwritten(P, 1),
    distance: unwritten(P, 1),
    step: f32(P, [4, 0, 9]),
    hyper: hyperTensor(EVERYTHING, WORLD_MODEL, EVERYTHING),
    active: u32(P, [1, 0, 1 + 20_000]),
  };
  const outputs = Object.keys(specs).filter((name) => !['scratch', 'hyper', 'active'].includes(name));
  // What a range needs at least: two chunks, and a workgroup's numbers; so a member's row is cut too.
  const [whole, cut] = await Promise.all(
    [undefined, 4 * (2 * N + 10_000)].map(async (maxBindingBytes) => {
      const backend = createWebGpuBackend({ device, software: true, ...(maxBindingBytes && { maxBindingBytes }) });
      const t = allocate(backend, specs);
      const [parameters, gradients, norm] = [t.f32('parameters'), t.f32('gradients'), t.f32('norm')];
      const moments = [t.f32('moment'), t.f32('squares'), t.f32('step')] as const;
      const program = backend.record('passes', P, (ops) => {
        ops.reduceChunks(gradients, t.f32('partials'), chunks, { accumulate: true });
        ops.gradientNorm(t.f32('distance'), t.f32('scratch'), parameters, t.f32('reference'));
        ops.gradientNorm(norm, t.f32('scratch'), gradients, null);
        ops.adamW(parameters, ...moments, gradients, norm, t.f32('hyper'), t.u32('active'));
        ops.copy(t.f32('copied'), parameters);
        ops.copyMembers(t.f32('reference'), parameters, t.u32('active'));
        ops.fill(t.f32('filled'), 3);
      });
      await backend.prepare();
      backend.run(program);
      const values = await backend.read(...outputs.map((name) => t.f32(name)));
      backend.dispose();
      return { dispatches: program.operations, bits: values.map(({ buffer }) => new Uint32Array(buffer)) };
    }),
  );
  expect(cut?.bits).toEqual(whole?.bits);
  expect(whole?.bits.every((bits) => bits.length > 0)).toBe(true);
  expect(cut?.dispatches).toBeGreaterThan(3 * (whole?.dispatches ?? 0));
});

test('a parameter that cannot be bound is refused by its name, with the bytes', async () => {
  const backend = createWebGpuBackend({ device: await sharedDevice(), software: true, maxBindingBytes: 2 ** 20 });
  const rows = {
    table: backend.tensor('table', 'u32', 1, 16),
    count: backend.tensor('count', 'u32', 1, 1),
    capacity: 4,
  };
  const [out, tensor] = [backend.tensor('out', 'f32', 1, 4 * 512), backend.tensor('tokens', 'f32', 1, 600 * 512)];
  const record = () =>
    backend.record('embed', 1, (ops) => ops.embed(out, rows, { tensor, offset: 0, shape: [600, 512] }, null));
  expect(record).toThrow(
    /“tokens” is used in one piece of 2 MiB .*; this device binds 1 MiB\. Choose the CPU or a smaller model\.$/,
  );
  backend.dispose();
});
