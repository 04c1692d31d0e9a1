/**
 * `npm run fuzz:formulas [-- --texts 100000] [-- --programs 5000] [-- --kernels 300] [-- --seed 1]`: hostile texts must be
 * refused with a place or compile within bounds, derivatives of random programs must be those of finite differences, and
 * kernels must give what the reference gives (on the machine's GPU, else on software WebGPU). The tests do the same with few.
 * The exit code is 1 where something did not hold, with the text.
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { RandomStream } from '../src/foundation/philox';
import { acquireGpu } from '../src/gpu/acquire';
import { createNodeGpu } from '../src/node/gpu';
import { createWebGpuBackend } from '../src/tensor/webgpu/backend';
import { compareDerivatives, type Verdict } from '../test/formula/differences';
import { hostileText, judged } from '../test/formula/hostile';
import { compareKernels, type KernelVerdict } from '../test/formula/kernels';
import { randomFormula } from '../test/formula/randomFormula';
import { randomScene } from '../test/formula/scene';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', default: '100000' },
    programs: { type: 'string', default: '5000' },
    kernels: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);
const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(0)} s`;

function fail(what: string): void {
  process.exitCode = 1;
  console.error(what);
}

function texts(times: number): void {
  const random = new RandomStream(seed, 0, 0, 0, 0);
  const scene = randomScene(random);
  const began = performance.now();
  let [compiled, nodes, characters, slowest] = [0, 0, 0, 0];
  for (let i = 0; i < times; i++) {
    const text = hostileText(random);
    const start = performance.now();
    try {
      const found = judged(text, scene);
      if (found !== null) compiled++;
      nodes = Math.max(nodes, found?.nodes ?? 0);
      characters = Math.max(characters, found?.characters ?? 0);
    } catch (cause) {
      fail(`${cause instanceof Error ? cause.stack : cause}\n${JSON.stringify(text)}`);
    }
    slowest = Math.max(slowest, performance.now() - start);
  }
  const most = `at most ${nodes} operations and ${characters} characters of WGSL, slowest ${slowest.toFixed(0)} ms`;
  console.log(`texts: ${compiled} of ${times} compiled, ${most}, ${seconds(began)}`);
}

function derivatives(times: number): void {
  const random = new RandomStream(seed, 0, 0, 0, 1);
  const began = performance.now();
  const verdict: Verdict = { compared: 0, leftOut: 0, wrong: [] };
  for (let i = 0; i < times; i++) compareDerivatives(randomFormula(random, 2 + random.below(3)), random, 3, verdict);
  for (const wrong of verdict.wrong.slice(0, 5)) fail(wrong);
  const { compared, leftOut } = verdict;
  console.log(
    `derivatives: ${times} programs, ${compared} compared, ${leftOut} left out, ${verdict.wrong.length} wrong, ${seconds(began)}`,
  );
}

async function kernels(times: number): Promise<void> {
  const acquired = await acquireGpu((await createNodeGpu()).gpu);
  const random = new RandomStream(seed, 0, 0, 0, 2);
  const began = performance.now();
  const verdict: KernelVerdict = { compared: 0, leftOut: 0, wrong: [] };
  for (let i = 0; i < times; i++) {
    const backend = createWebGpuBackend(acquired);
    await compareKernels(backend, `fuzz ${seed} ${i}`, randomFormula(random, 2 + random.below(2)), verdict);
  }
  for (const wrong of verdict.wrong.slice(0, 5)) fail(wrong);
  const { compared, leftOut } = verdict;
  console.log(
    `kernels on ${acquired.description}: ${times} formulas, ${compared} compared, ${leftOut} left out, ${verdict.wrong.length} wrong, ${seconds(began)}`,
  );
}

texts(Number(values.texts));
derivatives(Number(values.programs));
if (Number(values.kernels) > 0) await kernels(Number(values.kernels));
process.exit();
