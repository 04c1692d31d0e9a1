// A chart that the open experiment does not draw names the setting that it waits for, and where that is.
import { expect, test } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { chartOf } from '../../src/ui/model/charts/kinds/definitions';
import { needOf } from '../../src/ui/places/understand/charts/need';

const experimentOf = (id: string) => {
  const experiment = findPreset(id)?.experiment;
  if (experiment === undefined) throw new Error(`There is no preset ${id}.`);
  return experiment;
};
const plain = experimentOf('gridworld-small');
const [first] = plain.arms;

test.each([
  ['taskInformation', 'Episodes for task information', 'informationEpisodes'],
  ['heldOutPassHat8', 'Evaluation every', 'evaluation.every'],
  ['ordinaryCrossEntropy', 'Evaluation every', 'evaluation.every'],
  ['replayAge', 'Replay of successes', `${first?.id}/replay`],
  ['turnCap', 'Turns at first', `${first?.id}/turnCap`],
] as const)('%s waits for “%s”', (metric, label, name) => {
  expect(needOf(chartOf(metric), plain)).toEqual({ label, name });
});

test.each([
  ['return', 'gridworld-small'],
  ['successRate', 'gridworld-small'],
  ['taskInformation', 'template-collapse'],
  ['replayAge', 'replay-of-successes'],
  ['heldOutPassHat8', 'similarity-reward'],
  ['ordinaryCrossEntropy', 'listener'],
  ['saidBack', 'listener'],
] as const)('%s is drawn in %s', (metric, preset) => {
  expect(needOf(chartOf(metric), experimentOf(preset))).toBeNull();
});
