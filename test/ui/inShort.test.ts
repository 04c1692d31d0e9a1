/** The short answer of the findings says what their verdicts say. */
import { expect, test } from 'vitest';
import { standingOf } from '../../src/experiment/findings/finding';
import { CARDS } from '../../src/ui/places/library/findings/data';
import { IN_SHORT } from '../../src/ui/places/library/findings/InShort';

/** Comparisons that the sentences rest on: supported (s), not supported (n), or not spoken of (.). */
const RESTS_ON: Readonly<Record<string, RegExp>> = {
  'mask-bugs-seen': /^sss$/,
  'mask-bugs-unseen': /^ssn$/,
  'best-against-best': /^sssn$/,
  'best-against-best-new-tasks': /^nnnn$/,
  'practised-and-new': /^ss/,
  'initial-weights': /^sn$/,
  'storyteller-forgets': /^ss.ss/,
  'storyteller-pays': /^.s/,
};

test.each(IN_SHORT.flat())('$link: it came out so', ({ finding }) => {
  const compared = CARDS.find(({ name }) => name === finding)?.finding.comparisons ?? [];
  expect(compared.map((one) => standingOf(one)[0]).join('')).toMatch(RESTS_ON[finding] ?? /^$/);
});
