/** Rows of “saw it coming”: one for each turn that the world answered, and none for the others. */
import { expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { answersIn } from '../../src/ui/model/worlds/Foresight';

const { prompt, action, observation } = ROLE;

test('a turn that the world does not answer has no row, one that is not shown yet an empty one', () => {
  // Calls the tool, which answers in two tokens, and says a number, which ends the episode.
  const roles = Uint8Array.from([prompt, action, observation, observation, action]);
  const logProb = Float32Array.from([Number.NaN, -1, Math.log(0.5), Math.log(0.25), -1]);
  expect(answersIn({ roles, logProb }, 5)).toEqual([{ turn: 0, probability: expect.closeTo(0.375, 6) }]);
  expect(answersIn({ roles, logProb }, 2)).toEqual([{ turn: 0, probability: null }]);
  expect(answersIn({ roles: roles.subarray(0, 2), logProb }, 2)).toEqual([]);
});
