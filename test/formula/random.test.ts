// Thousands of random programs: derivatives against finite differences; hostile texts: an error with a place or a formula
// within bounds. `npm run fuzz:formulas` does more of the same, and compares kernels with the tape.
import { expect, test } from 'vitest';
import { RandomStream } from '../../src/foundation/philox';
import { compareDerivatives, type Verdict } from './differences';
import { hostileText, judged } from './hostile';
import { randomFormula } from './randomFormula';
import { randomScene } from './scene';

test('derivatives are those of finite differences, and few are left out', () => {
  const random = new RandomStream(1, 0, 0, 0, 0);
  const verdict: Verdict = { compared: 0, leftOut: 0, wrong: [] };
  for (let i = 0; i < 2000; i++) compareDerivatives(randomFormula(random), random, 2, verdict);
  expect(verdict.wrong.slice(0, 3)).toEqual([]);
  expect(verdict.leftOut / (verdict.compared + verdict.leftOut)).toBeLessThan(0.08);
});

test('hostile texts are refused with a place, or compile within bounds', () => {
  const random = new RandomStream(2, 0, 0, 0, 0);
  const scene = randomScene(random);
  let compiled = 0;
  for (let i = 0; i < 4000; i++) {
    const text = hostileText(random);
    try {
      if (judged(text, scene) !== null) compiled++;
    } catch (cause) {
      throw new Error(`${cause instanceof Error ? cause.message : cause}\n${JSON.stringify(text)}`);
    }
  }
  // Both ways are taken often.
  expect(compiled).toBeGreaterThan(400);
  expect(compiled).toBeLessThan(3600);
});
