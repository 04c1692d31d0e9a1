/** Commands that are not understood, or cannot keep what they make: each is answered with advice before anything is done. */
import { describe, expect, test } from 'vitest';
import { expectRefusal, LAB_TIMEOUT, lab, labFiles } from '../support/lab';

const { file } = labFiles();

describe('a usage error', () => {
  test.each([
    [[], /^$/],
    [['run', 'nowhere'], /Presets are/],
    [['run'], /Name a preset/],
    [['dance'], /no command/],
    [['run', '--dance'], /--dance/],
    [['list', '--updates', '3'], /list takes no --updates/],
    [['list', 'presets'], /“presets” besides all it takes/],
    [['run', 'gridworld-tiny', 'gridworld'], /“gridworld” besides all it takes/],
    [['run', 'gridworld-tiny', '--arms', 'ghost'], /no arm “ghost”/],
    [['run', 'gridworld-tiny', '--seeds', 'x'], /whole numbers/],
    [['run', 'gridworld-tiny', '--seeds', '0-'], /whole numbers/],
    [['run', 'gridworld-tiny', '--seeds', '1-0'], /--seeds 1-0 runs backwards.*--seeds 0-1/],
    [['run', 'gridworld-tiny', '--seeds', '100-132'], /names 33 seeds.*at most 32/],
    [['run', 'gridworld', '--seeds', '0-31'], /3 arms × 32 seeds are 96 policies/],
    [['run', 'gridworld-tiny', '--updates', '1.5'], /whole number/],
    [['run', 'gridworld-tiny', '--workers', '0'], /--workers cannot be 0/],
    [['run', 'gridworld-tiny', '--backend', 'tpu'], /no backend/],
    [['run', 'gridworld-tiny', '--set', 'seed=1', '--set', 'learningrate=1'], /^--set learningrate=1: (?!.*link)/],
    [['run', 'gridworld-tiny', '--set', 'seed=one'], /^--set seed=one: (?!.*link)/],
    [['run', 'gridworld-tiny', '--set', 'seeds'], /--set path=value/],
    [['run', 'src'], /src is a folder/],
    [['run', '--resume', '/nonexistent'], /no checkpoint/],
    [['link', 'gridworld', '--base', 'here'], /no web address/],
    [['bench', 'nothing'], /no benchmark/],
    [['run', 'gridworld-tiny', '--out='], /^--out is empty\. Write its value/],
    [['run', 'gridworld-tiny', '--set', 'seed=1', '--set', ''], /^--set is empty/],
    [['serve', 'gridworld', '--allow-host='], /^--allow-host is empty/],
    [['run', 'gridworld-tiny', '--json', '--csv'], /--json and --csv are two forms/],
    [['run', 'gridworld-tiny', '--sweep', 'batch.groupSize=2,4', '--out', 'S', '--csv'], /^--csv is of one run/],
  ])('%j is answered with advice, exit code 2, and no result', { timeout: LAB_TIMEOUT }, (args, words) => {
    if (args.length > 0) expectRefusal(lab(...args), words);
    else expect(lab().status).toBe(2);
  });

  test('a file that holds no experiment is one too', { timeout: LAB_TIMEOUT }, () => {
    expectRefusal(lab('run', file('experiment.json', '{')), /is not JSON/);
  });
});

test('a run that cannot be kept where it was told is not begun', { timeout: LAB_TIMEOUT }, () => {
  expectRefusal(lab('run', 'gridworld-tiny', '--out', file('file', '')), /file is no folder/);
});
