/** The update that was examined last is the one that training chose. */
import { expect, test } from 'vitest';
import { isEvaluated } from '../../src/rl/measure/evaluation';
import { lastExamined } from '../../src/store/look/outcomes';

test.each([1, 3, 20])('every %i: the newest update that was examined', (every) => {
  expect(lastExamined(0, every)).toBeNull();
  for (let count = 1; count <= 50; count++) {
    const updates = Array.from({ length: count }, (_, update) => update);
    expect(lastExamined(count, every)).toBe(updates.findLast((update) => isEvaluated(update, every)));
  }
});
