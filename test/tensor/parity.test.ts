/**
 * Every operation of every backend against the reference, case by case.
 *
 * Backends are listed in backends.ts. The poisoned reference must stay there: it shows that the cases define every value that
 * an operation may read.
 */
import { describe, expect, test } from 'vitest';
import { aloneCase, CASES, type CaseOutput, differences, type ParityCase, runCase } from '../../src/parity/cases/all';
import { ReferenceBackend } from '../../src/tensor/reference/backend';
import { sampled } from '../support/nightly';
import { BACKENDS, backendFor } from './backends';

const oracle = new ReferenceBackend();
const answers = new Map<string, readonly CaseOutput[]>();

/** Outputs of the reference, computed once for all backends. */
async function expectedOutputs(parityCase: ParityCase): Promise<readonly CaseOutput[]> {
  const known = answers.get(parityCase.name) ?? (await runCase(oracle, parityCase));
  answers.set(parityCase.name, known);
  return known;
}

const OPERATIONS = [...new Set(CASES.map(({ operation }) => operation))];

/** Every nth case of each operation by day. */
const sampledByOperation = (n: number): readonly ParityCase[] =>
  OPERATIONS.flatMap((operation) =>
    sampled(
      CASES.filter((one) => one.operation === operation),
      n,
    ),
  );

/** Of the reference a third, which shows something of the cases, not of a backend; of WebGPU half, each with pipelines to compile. */
const casesOf = (name: string): readonly ParityCase[] =>
  name.startsWith('cpu') ? CASES : sampledByOperation(name.startsWith('reference') ? 3 : 2);

describe.each(BACKENDS)('$name', (one) => {
  const backend = backendFor(one);

  test.each(casesOf(one.name))('$name agrees with the reference', async (parityCase) => {
    const expected = await expectedOutputs(parityCase);
    const found = differences(parityCase, await runCase(backend(), parityCase), expected);
    expect(found.slice(0, 10), `${found.length} differences`).toEqual([]);
  });
});

// Not on the reference, which computes one member after another.
describe.each(BACKENDS.filter(({ name }) => !name.startsWith('reference')))('$name', (one) => {
  const backend = backendFor(one);

  const populations = casesOf(one.name).filter(({ members }) => members > 1);
  test.each(sampled(populations, 3))('$name gives a member the same bits alone', async (parityCase) => {
    const p = 1;
    const alone = aloneCase(parityCase, p);
    const together = await runCase(backend(), parityCase);
    const own = together.map((output) => {
      const stride = output.length / parityCase.members;
      return output.slice(p * stride, (p + 1) * stride);
    });
    const exact = { ...alone, outputs: alone.outputs.map((output) => ({ ...output, atol: 0, rtol: 0 })) };
    expect(differences(exact, await runCase(backend(), alone), own).slice(0, 10)).toEqual([]);
  });
});

describe('The parity cases', () => {
  test('cover every operation', () => {
    const all: string[] = [];
    new ReferenceBackend().record('names', 1, (operations) => {
      all.push(...Object.keys(operations));
    });
    expect([...OPERATIONS].sort()).toEqual(all.sort());
  });

  test('have names of their own', () => {
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });

  test.each(sampled(CASES, 3))('$name compares defined values only', async (parityCase) => {
    const outputs = await expectedOutputs(parityCase);
    parityCase.outputs.forEach(({ tensor, compared }, which) => {
      const undefinedAt = outputs[which]?.findIndex((value, i) => Number.isNaN(value) && compared?.[i] !== 0);
      const cacheBeyond = tensor === 'cache' && compared === undefined;
      if (!cacheBeyond) expect(undefinedAt, `${tensor} has NaN`).toBe(-1);
    });
  });
});
