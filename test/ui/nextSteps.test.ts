/** Next steps of a finished run: what it has not asked, in an order that its verdict decides, and all of them can run. */
import { expect, test } from 'vitest';
import { checkExperiment } from '../../src/experiment/parse';
import { findPreset, presets } from '../../src/experiment/presets/presets';
import { setInArm } from '../../src/ui/model/arms/edits';
import { nextSteps } from '../../src/ui/places/lab/story/nextSteps';

const of = (id: string) => findPreset(id)?.experiment ?? expect.fail(id);
const first = of('calculator-searched');
const words = (...of: Parameters<typeof nextSteps>) => nextSteps(...of).map((step) => step.words);

test('a decided run is offered what is absent from it, an undecided one seeds first', () => {
  expect(words(first, { is: 'ahead', arm: 'world-model' })).toEqual(['Forget the mask', 'Try λ = 1', 'Other seeds']);
  expect(words(first, { is: 'undecided' })).toEqual([`${2 * first.seeds} seeds`, 'Forget the mask', 'Try λ = 1']);
  expect(words({ ...first, seeds: 1 }, { is: 'few' })[0]).toBe('4 seeds');
  // Prediction that is behind is weighed less.
  expect(words(first, { is: 'ahead', arm: 'action-mask' })).toContain('Try λ = 0.01');
});

test('nothing that is there already is offered', () => {
  const three = of('gridworld-tiny');
  expect(words(three, { is: 'alone' })).toEqual(['Try λ = 1', 'Other seeds']);
  expect(words(setInArm(three, 'world-model', 'ce.observation', 1), { is: 'alone' })[0]).toBe('Try λ = 0.1');
  const [mask] = first.arms;
  expect(words({ ...first, arms: mask === undefined ? [] : [mask] }, { is: 'alone' })).toEqual([
    'Forget the mask',
    'Add prediction',
    'Other seeds',
  ]);
});

test('each adds an arm or changes the seeds, and changes no arm that was there', () => {
  for (const step of nextSteps(first, { is: 'ahead', arm: 'world-model' })) {
    const { arms, seed, seeds, ...rest } = step.experiment;
    expect({ ...rest, arms: arms.filter(({ id }) => first.arms.some((arm) => arm.id === id)) }).toEqual({
      ...{ ...first, arms: undefined, seed: undefined, seeds: undefined },
      arms: first.arms,
    });
    expect([arms.length - first.arms.length, seed, seeds]).toEqual(
      step.id === 'others' ? [0, first.seed + 1, first.seeds] : [1, first.seed, first.seeds],
    );
  }
});

test('of every experiment there is one at least, none that cannot run, and no name twice', () => {
  for (const { id, experiment } of presets) {
    for (const is of ['undecided', 'alone', 'few'] as const) {
      const steps = nextSteps(experiment, { is });
      expect(steps.length, id).toBeGreaterThan(0);
      for (const step of steps) {
        expect(checkExperiment(step.experiment).problems, `${id} ${step.id}`).toEqual([]);
        const names = step.experiment.arms.map(({ name }) => name);
        expect(new Set(names).size, names.join()).toBe(names.length);
      }
    }
  }
});

test('an arm without its mask, or with prediction, is a copy that differs in that alone', () => {
  const [mask] = first.arms;
  if (mask === undefined) expect.fail('no arm');
  const { id: _, name: __, objective: ___, ...own } = mask;
  const steps = nextSteps({ ...first, arms: [mask] }, { is: 'alone' });
  expect(steps[0]?.experiment.arms[1]).toMatchObject({ ...own, pg: { ...mask.pg, observation: 1 } });
  expect(steps[1]?.experiment.arms[1]).toMatchObject({ ...own, ce: { ...mask.ce, observation: 0.1 } });
});
