import { describe, expect, it } from 'vitest';
import type { Arm, Change } from '../../src/experiment/experiment';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { parseExperiment } from '../../src/experiment/parse';
import { firstPreset } from '../../src/experiment/presets/presets';
import { effectiveArms, recordChanges } from '../../src/experiment/timeline';

const base = firstPreset.experiment;
const change = (update: number, arm: string, value: number, setting = 'ce.observation'): Change => ({
  update,
  arm,
  setting,
  value,
});
const weights = (timeline: Change[], update: number) =>
  effectiveArms({ ...base, timeline }, update).map((arm) => arm.ce.observation);

describe('the timeline', () => {
  it('acts from the update it names, not before, and until the next change', () => {
    const timeline = [change(10, 'world-model', 0.2), change(20, 'world-model', 0.3)];
    expect(weights(timeline, 9)).toEqual([0, 0.1, 0]);
    expect(weights(timeline, 10)).toEqual([0, 0.2, 0]);
    expect(weights(timeline, 19)).toEqual([0, 0.2, 0]);
    expect(weights(timeline, 1000)).toEqual([0, 0.3, 0]);
  });

  it('acts in the order of updates, in whatever order it was written', () => {
    const timeline = [change(20, 'world-model', 0.3), change(10, 'world-model', 0.2)];
    expect(weights(timeline, 30)).toEqual([0, 0.3, 0]);
  });

  it('changes all arms at once, after which one may differ again in the same update', () => {
    expect(weights([change(5, '*', 0.4)], 5)).toEqual([0.4, 0.4, 0.4]);
    expect(weights([change(5, '*', 0.4), change(5, 'no-mask', 0.5)], 5)).toEqual([0.4, 0.4, 0.5]);
  });

  it('brings all of an objective’s settings but those that need a restart, and lets what follows differ', () => {
    const timeline: Change[] = [
      { update: 5, arm: 'world-model', setting: 'clipHigh', value: 0.5 },
      { update: 5, arm: 'world-model', setting: 'objective', value: 'gspo' },
      { update: 5, arm: 'world-model', setting: 'clipLow', value: 0.1 },
      { update: 8, arm: 'no-mask', setting: 'objective', value: 'placebo' },
    ];
    const [, world, none] = effectiveArms({ ...base, timeline }, 8);
    const gspo = withObjective(base.arms[1] as Arm, findObjective('gspo'));
    expect(world).toEqual({ ...gspo, clipLow: 0.1 });
    expect(none).toEqual({ ...withObjective(base.arms[2] as Arm, findObjective('placebo')), placebo: false });
  });

  it('leaves the experiment as it is', () => {
    const before = structuredClone(base);
    effectiveArms({ ...base, timeline: [change(0, '*', 0.4)] }, 0);
    expect(base).toEqual(before);
  });

  it('remembers one change for each setting, arm and update: the last', () => {
    const once = recordChanges([], [change(5, 'no-mask', 0.1), change(5, 'no-mask', 0.2)]);
    expect(once).toEqual([change(5, 'no-mask', 0.2)]);
    expect(recordChanges(once, [change(5, '*', 0.3)])).toEqual([change(5, '*', 0.3)]);
    expect(recordChanges(once, [change(5, 'no-mask', 0.3, 'clipLow')])).toHaveLength(2);
  });

  it('is kept in the order of updates and stays valid', () => {
    const timeline = recordChanges(
      [change(7, '*', 0.1)],
      [change(3, '*', 0.2), change(9, 'no-mask', 1, 'innerEpochs')],
    );
    expect(timeline.map(({ update }) => update)).toEqual([3, 7, 9]);
    expect(parseExperiment({ ...base, timeline }).timeline).toEqual(timeline);
  });

  it('is full after 200 changes, and says what to do', () => {
    const full = Array.from({ length: 200 }, (_, update) => change(update, '*', 0.1));
    expect(recordChanges(full, [change(0, '*', 0.2)])).toHaveLength(200);
    expect(() => recordChanges(full, [change(200, '*', 0.2)])).toThrow(/at most 200.*Start again/);
  });
});
