/**
 * Beliefs of a run's policies are changed on request: in the cells asked for, one request like the next, and no number of it moves.
 */
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { changeBelief, type SteeredRun } from '../../src/train/looks/steer';
import { SessionPage } from '../support/sessionPage';
import { cpuTrainer, metricsOf } from '../support/trained';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const experiment: Experiment = { ...tiny, arms: tiny.arms.slice(0, 2) };
const [mask, model] = experiment.arms.map(({ id }) => id) as [string, string];
const anything = { seed: 0, ground: 0, present: null, believed: null };

async function train(): Promise<SteeredRun> {
  const trainer = await cpuTrainer(experiment);
  await metricsOf(trainer, 2);
  const run = { snapshot: await trainer.snapshot(), experiment, machines: [] };
  trainer.dispose();
  return run;
}

describe('a belief of a run', () => {
  test('is about two cells, those asked for where they are there', async () => {
    const run = await train();
    const any = await changeBelief(run, { ...anything, arm: model });
    expect(any).toMatchObject({ update: 2, ground: 0, grounds: 16, actions: ['up', 'down', 'left', 'right'] });
    expect(any.cells).toHaveLength(15);
    expect(any.present).not.toBe(any.believed);
    const [first, second] = any.cells.map(({ cell }) => cell) as [string, string];
    const asked = await changeBelief(run, { ...anything, arm: model, present: second, believed: first });
    expect(asked).toMatchObject({ present: second, believed: first });
    expect(asked.board.agent.join()).toBe(second);
    // What it does where it is made to believe it is, is what it does where it truly is.
    const back = await changeBelief(run, { ...anything, arm: model, present: first, believed: second });
    expect(back.tried.there).toEqual(asked.tried.before);
    // Places that are none of the task's: any will do.
    expect(await changeBelief(run, { ...anything, arm: model, present: '9,9', believed: '9,9' })).toEqual(any);
    expect((await changeBelief(run, { ...anything, arm: model, ground: 99 })).ground).toBe(15);
  });

  test('does not hang on what is asked beside it', async () => {
    const run = await train();
    const [one, other, again] = await Promise.all(
      [mask, model, mask].map((arm) => changeBelief(run, { ...anything, arm })),
    );
    expect(again).toEqual(one);
    expect(other?.tried.before).not.toEqual(one?.tried.before);
  });

  test('is refused where there is no such policy, and the next is answered', async () => {
    const run = await train();
    await expect(changeBelief(run, { ...anything, arm: 'nobody' })).rejects.toThrow('not those of its experiment');
    expect((await changeBelief(run, { ...anything, arm: mask })).update).toBe(2);
  });

  test('comes of a session between two updates', async () => {
    const page = new SessionPage('cpu', { ...experiment, updates: 3 });
    await expect(page.session.present()).rejects.toThrow('no policies at the moment');
    await page.session.prepare(true);
    await page.until(({ phase }) => phase === 'finished');
    const view = await changeBelief(await page.session.present(), { ...anything, arm: model });
    expect(view.update).toBe(3);
  });
});
