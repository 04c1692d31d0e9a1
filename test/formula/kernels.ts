/**
 * Random formulas on a backend against the float64 reference. How much a result may differ is measured: the reference runs
 * again on inputs that differ in their last places, and what leaps between these runs, or is beyond float32, is left out.
 */
import { RandomStream } from '../../src/foundation/philox';
import { type CaseOutput, type ParityCase, runCase } from '../../src/parity/cases/all';
import { formulaCase } from '../../src/parity/cases/objective/formula';
import type { Backend } from '../../src/tensor/backend';
import { ReferenceBackend } from '../../src/tensor/reference/backend';

const CONTINUOUS = [
  'weight',
  'behaviourLogProb',
  'referenceLogProb',
  'advantage',
  'returns',
  'oldValue',
  'tokenReward',
  'logProb',
  'entropy',
  'oldLogProb',
  'parameters',
];

/** Two or three units in the last place. */
const NUDGE = 3e-7;
const NUDGED_RUNS = 4;
/** Beyond, float32 has no number. */
const MOST = 1e37;
/** Error allowed: so many spreads of the nudged runs, and this share of the size of the number itself. */
const ALLOWED = { spread: 30, size: 3e-5 };

export interface KernelVerdict {
  compared: number;
  leftOut: number;
  readonly wrong: string[];
}

export async function compareKernels(
  backend: Backend,
  name: string,
  text: string,
  verdict: KernelVerdict,
): Promise<void> {
  const own = formulaCase(name, text);
  const oracle = new ReferenceBackend();
  const expected = await runCase(oracle, own);
  const nudged: (readonly CaseOutput[])[] = [];
  for (let i = 0; i < NUDGED_RUNS; i++) nudged.push(await runCase(oracle, nudge(own, i)));
  const got = await runCase(backend, own);
  own.outputs.forEach(({ tensor, compared }, which) => {
    for (let i = 0; i < (expected[which]?.length ?? 0); i++) {
      if (compared?.[i] === 0) continue;
      const want = expected[which]?.[i] as number;
      const others = nudged.map((run) => run[which]?.[i] as number);
      const value = got[which]?.[i] as number;
      if ([want, ...others].every(Number.isNaN)) {
        verdict.compared++;
        // A compiler may make ∞ · (a + b) of ∞ · a + ∞ · b: not finite it is all the same.
        if (Number.isFinite(value)) verdict.wrong.push(`${tensor}[${i}] is ${value}, not NaN\n${text}`);
        continue;
      }
      const spread = Math.max(...others.map((other) => Math.abs(other - want)));
      if (!(spread <= 1e-3 * (1 + Math.abs(want)) && Math.abs(want) < MOST)) {
        verdict.leftOut++;
        continue;
      }
      verdict.compared++;
      const allowed = ALLOWED.spread * spread + ALLOWED.size * (1 + Math.abs(want));
      if (!(Math.abs(value - want) <= allowed))
        verdict.wrong.push(`${tensor}[${i}] is ${value}, expected ${want} ± ${allowed}\n${text}`);
    }
  });
}

function nudge(own: ParityCase, seed: number): ParityCase {
  const random = new RandomStream(seed, 0, 0, 0, 0);
  const tensors = Object.entries(own.tensors).map(([name, spec]) => {
    if (!CONTINUOUS.includes(name)) return [name, spec] as const;
    const data = Float32Array.from(spec.data, (x) => x * (1 + NUDGE * (2 * random.unit() - 1)));
    return [name, { ...spec, data }] as const;
  });
  return { ...own, tensors: Object.fromEntries(tensors) };
}
