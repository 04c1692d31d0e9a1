// `lab run --sweep` and `--arms`: the members that they train, and arguments that they refuse.
import { describe, expect, test } from 'vitest';
import { planRun } from '../../src/cli/run/runArguments';

const plan = (sweep: string, arms?: string) => planRun('gridworld-tiny', { sweep, arms, seeds: '1', json: false });

describe('--sweep', () => {
  test('trains one arm once for each value, with the seeds asked for', async () => {
    const { experiment, members } = await plan('ce.observation=0,.1,1', 'world-model');
    expect(experiment.arms.map(({ ce }) => ce.observation)).toEqual([0, 0.1, 1]);
    expect(members.map(({ arm, seed }) => `${arm} ${seed}`)).toEqual(['sweep-1 1', 'sweep-2 1', 'sweep-3 1']);
  });

  test.each([
    ['ce.observation=0,1', undefined, /one arm.*world-model/],
    ['ce.observation', 'world-model', /ce\.observation=0,0\.1,1/],
    ['seeds=1,2', 'world-model', /arms trained together/],
    ['ce.observation=0,x', 'world-model', /“x” is no number/],
  ])('%s with arms %s is refused', async (sweep, arms, words) => {
    await expect(plan(sweep, arms)).rejects.toThrow(words);
  });
});

describe('--arms', () => {
  const one = (set: string[]) => planRun('gridworld', { arms: 'world-model', set, seeds: '30-31', json: false });

  test('leaves room for as many seeds as fit without the other arms', async () => {
    const { members } = await one(['seeds=32']);
    expect(members.map(({ arm, seed }) => `${arm} ${seed}`)).toEqual(['world-model 30', 'world-model 31']);
  });

  test('lets nobody set what is left out', async () => {
    await expect(one(['seeds=32', 'arms.no-mask.learningRate=0.1'])).rejects.toThrow(
      /--set arms\.no-mask\.learningRate/,
    );
  });
});
