/** Results of linear probes by arm: means over the seeds probed, and only what was asked for. */
import { expect, test } from 'vitest';
import type { Probed } from '../../src/train/looks/shown';
import { answersTo, targetsOf } from '../../src/ui/places/understand/why/inside/probed';

const probe = (target: string, moment: 'action' | 'answer', accuracy: number[], examples: number) => ({
  target,
  moment,
  examples,
  classes: 3,
  majority: 0.5,
  accuracy,
  untrained: accuracy.map((share) => share / 2),
});

const probed: Probed = {
  update: 50,
  members: [
    { arm: 'mask', seed: 0, probes: [probe('cell', 'action', [0.1, 0.2], 40), probe('page', 'answer', [0.9, 0.9], 9)] },
    { arm: 'mask', seed: 1, probes: [probe('cell', 'action', [0.3, 0.6], 60)] },
    { arm: 'mask', seed: 2, probes: [probe('cell', 'action', [0.2, 0.4], 50)] },
    { arm: 'world', seed: 0, probes: [] },
  ],
};

test('an arm’s answer is the mean over its seeds, with their interval', () => {
  const [answer, ...others] = answersTo({ target: 'cell', moment: 'action' }, probed);
  expect(others).toEqual([]);
  expect(answer).toMatchObject({ arm: 'mask', seeds: 3, examples: 150, majority: 0.5 });
  expect(answer?.layers.map(({ accuracy, untrained }) => [accuracy, untrained])).toEqual([
    [expect.closeTo(0.2, 12), expect.closeTo(0.1, 12)],
    [expect.closeTo(0.4, 12), expect.closeTo(0.2, 12)],
  ]);
  // Student's t with two degrees of freedom: 4.303 standard errors of 0.2 / √3.
  expect(answer?.layers[1]?.interval?.[1]).toBeCloseTo(0.4 + (4.303 * 0.2) / Math.sqrt(3), 2);
  expect(answersTo({ target: 'page', moment: 'answer' }, probed)[0]?.layers[0]?.interval).toBeNull();
  expect(answersTo({ target: 'cell', moment: 'answer' }, probed)).toEqual([]);
});

test('only what some arm was asked for can be chosen', () => {
  expect(targetsOf(probed).map(({ id }) => id)).toEqual(['cell', 'page']);
});
