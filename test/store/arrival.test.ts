/** Messages for files without an experiment: the place and the problem, in words for users. */
import { expect, test } from 'vitest';
import { findPreset, type Preset } from '../../src/experiment/presets/presets';
import { readExperimentFile } from '../../src/store/edit/arrival';

const small = findPreset('gridworld-small') as Preset;
const { experiment } = small;
const [arm] = experiment.arms;

test.each([
  [null, 'It is of the wrong kind.'],
  [[], 'version: It is missing.'],
  [{ ...experiment, arms: [{ ...arm, name: undefined }] }, 'arms.0.name: It is missing.'],
  [{ ...experiment, timeline: 7 }, 'timeline: It is of the wrong kind.'],
  [{ ...experiment, colour: 'red' }, 'colour: There is no such setting.'],
  [{ ...experiment, seeds: 99 }, 'seeds: Seeds must lie between 1 and 32, not at 99.'],
])('a file with %j', async (content, words) => {
  const advice = 'Choose a file that this lab saved, or begin from a preset.';
  await expect(readExperimentFile(new Blob([JSON.stringify(content)]))).rejects.toThrow(
    `This file holds no experiment. ${words} ${advice}`,
  );
});
