/** Words on a recorded task: two updates are not told as one. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { learnersOf, type RecordedEpisodes, tasksAt } from '../../src/measured/recordedEpisodes';
import { overallWords, taskWords } from '../../src/ui/model/worlds/recordedWords';

const PRESET = 'calculator-searched';
const recorded: RecordedEpisodes = JSON.parse(readFileSync(`src/store/recorded/episodes/${PRESET}.json`, 'utf8'));

test('a task of long before the end says of which update the rest is', () => {
  const updates = findPreset(PRESET)?.experiment.updates ?? 0;
  const [task = []] = tasksAt(recorded, updates, true);
  const [{ update } = { update: -1 }] = task;
  expect(learnersOf(task)).toBe(task.length);
  expect(taskWords(task)).toBe(`update ${update}`);
  const [one, other] = task;
  const apart = [one, { ...other, success: !one?.success }] as typeof task;
  expect(taskWords(apart)).toBe(`update ${update}, arms differ`);
  expect(overallWords(0.5, { update }, updates)).toBe(`all tasks 50% at ${updates}`);
  expect(overallWords(0.5, { update }, null)).toBe('all tasks 50%');
  expect(overallWords(0.5, { update }, update)).toBe('all tasks 50%');
  expect(overallWords(null, { update }, updates)).toBe('');
});
