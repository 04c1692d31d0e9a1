/** Words under a recorded task: no row with a predicted token is called all hatched, and two updates are not told as one. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { isApart, type RecordedEpisodes, tasksAt } from '../../src/store/recorded/recordedEpisodes';
import { silenceInWords, taskWords } from '../../src/ui/lab/worlds/recordedWords';

const PRESET = 'calculator-searched';
const recorded: RecordedEpisodes = JSON.parse(readFileSync(`src/store/recorded/episodes/${PRESET}.json`, 'utf8'));
const arms = findPreset(PRESET)?.experiment.arms ?? [];

test('a silent group is told of the arms that have one, and named by the arm', () => {
  const said = recorded.moments.flat().map((task) => silenceInWords(task, arms));
  expect(new Set(said)).toEqual(
    new Set(['', ...['Action mask', 'World model', 'Each arm'].map((whose) => `${whose}: all tries earned alike.`)]),
  );
});

test('a task of long before the end says of which update the rest is', () => {
  const updates = findPreset(PRESET)?.experiment.updates ?? 0;
  const [task = []] = tasksAt(recorded, updates, true);
  const [{ update } = { update: -1 }] = task;
  expect(isApart(task)).toBe(true);
  expect(taskWords(task, updates)).toBe(`Task at update ${update}, where the arms differ; “overall” is at ${updates}.`);
  expect(taskWords(task, null)).not.toContain('overall');
  expect(taskWords(task, update)).not.toContain('overall');
});
