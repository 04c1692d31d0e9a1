/** The words before a run ends: what would be lost, and what stays. */
import { expect, test } from 'vitest';
import { lossWords } from '../../src/ui/model/run/lossWords';

test('say what becomes of the curves and of the policies', () => {
  const live = { updates: 8, imitated: 20, isLive: true, isUnkept: false, keptUpdate: 5 };
  expect(lossWords(live)).toMatch(
    /8 updates and can go on\. Its curves stay .*continued from there, from update 5 at least: it is kept once more/,
  );
  expect(lossWords({ ...live, keptUpdate: 8 })).toMatch(/from update 8 on\.$/);
  expect(lossWords({ ...live, keptUpdate: null })).toMatch(
    /curves stay .*what its policies have learned would be lost/,
  );
  expect(lossWords({ ...live, isLive: false, isUnkept: true, keptUpdate: null })).toMatch(
    /^The run on screen has trained for 8 updates\. Its curves, which this browser does not keep, would be lost\.$/,
  );
  expect(lossWords({ ...live, updates: 0 })).toMatch(/imitated demonstrations for 20 updates.*imitation would be lost/);
});
