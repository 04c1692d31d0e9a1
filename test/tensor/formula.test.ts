// Formulas as kernels: random ones give what the reference gives; names and numbers that WGSL does not take are printed so
// that a device does; what a device refuses all the same is told with the text.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile } from '../../src/formula/compile';
import { wgslModule } from '../../src/formula/wgsl/module';
import { RandomStream } from '../../src/foundation/philox';
import { kernelOfCode } from '../../src/gpu/kernel';
import { gpuState } from '../../src/gpu/state';
import type { Backend } from '../../src/tensor/backend';
import { createWebGpuBackend } from '../../src/tensor/webgpu/backend';
import { compareKernels, type KernelVerdict } from '../formula/kernels';
import { randomFormula } from '../formula/randomFormula';
import { sharedDevice } from '../support/gpu';

const random = new RandomStream(3, 0, 0, 0, 0);
const RANDOM = Array.from({ length: 24 }, (_, i) => [`random ${i}`, randomFormula(random)] as const);

/** Names that WGSL, or a module itself, has a use for; numbers without a float32; signs that could end a comment. */
const AWKWARD: readonly string[] = [
  'struct = logp\nfn = struct * 2\n__self = fn + logp\n_ = __self\nloss = _',
  'packed = logp\nparams = packed\nmember = params + 1\nposition_2 = member\nselect = position_2\nminOf = select\nloss = minOf * 2',
  'loss = logp * 1e300 + where(A > 9, logp * 1e-310, 0) + 1e-45 * A',
  'loss = where(A > 99, exp(1000) * logp, 0) - where(A > 99, log(0) * logp, logp / (A - A + 1))',
  `x = logp # \u2028 } \u0085 fn main() { $SIZE // #include "lib/grid.wgsl" */\nloss = x`,
  `loss = ${'('.repeat(90)}logp${' * A + 0.1)'.repeat(90)}`,
  `a = ${'logp + '.repeat(250)}A\nloss = a${' - A'.repeat(250)}`,
  'loss = 1 / 0 * logp + 0 ** -1 * A',
];

describe('on WebGPU', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = createWebGpuBackend({ device: await sharedDevice(), software: true });
  });
  afterAll(() => {
    backend.dispose();
  });

  test('random formulas give what the reference gives', async () => {
    const verdict: KernelVerdict = { compared: 0, leftOut: 0, wrong: [] };
    for (const [name, text] of RANDOM) await compareKernels(backend, name, text, verdict);
    expect(verdict.wrong.slice(0, 3)).toEqual([]);
    expect(verdict.leftOut / (verdict.compared + verdict.leftOut)).toBeLessThan(0.1);
  });

  test.each(AWKWARD.map((text) => [text.slice(0, 40), text]))('%s', async (_, text) => {
    const verdict: KernelVerdict = { compared: 0, leftOut: 0, wrong: [] };
    await compareKernels(backend, 'awkward', text, verdict);
    expect(verdict.wrong.slice(0, 3)).toEqual([]);
  });

  test('a module that the device refuses is told with the text it was made from', async () => {
    const formula = compile('loss = -A * logp # mine');
    const code = wgslModule(formula, 'objective', { commented: false })
      .replace('-1.0', '- nonsense')
      .replace('return', 'retrun');
    const { pipelines } = gpuState(await sharedDevice());
    const compiled = pipelines.entry(kernelOfCode('formula/objective.wgsl', code, `the formula\n${formula.text}`));
    await expect(pipelines.compile(compiled)).rejects.toMatchObject({
      code: 'shader-compilation',
      what: expect.stringContaining('loss = -A * logp # mine'),
    });
  });
});
