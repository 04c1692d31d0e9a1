import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Arm,
  armSettings,
  type Change,
  defaultArm,
  type Experiment,
  experimentSettings,
  getArmSetting,
  liveSettings,
  withArmSetting,
} from '../../src/experiment/experiment';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { firstPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import type { RoleWeights } from '../../src/foundation/roles';
import { anyExperiment } from './arbitrary';

const base = firstPreset.experiment;
const problemsOf = (change: object) => checkExperiment({ ...structuredClone(base), ...change }).problems;
const pathsOf = (change: object) => [...new Set(problemsOf(change).map(({ path }) => path))];

describe('the settings', () => {
  it('give the experiment its type', () => {
    expectTypeOf<Experiment['policy']>().toEqualTypeOf<{
      model: string;
      adapterRank: number;
      adapterAlpha: number;
      adapterMaps: 'q, v' | 'attention' | 'all';
      adapterReference: 'beginning' | 'model';
      layers: number;
      width: number;
      heads: number;
      positions: 'learned' | 'rotary';
      activation: 'relu' | 'gelu';
      initialisation: 'normal' | 'fan-in' | 'gpt-2';
      initialScale: number;
    }>();
    expectTypeOf<Arm['pg']>().toEqualTypeOf<RoleWeights>();
    expectTypeOf<Arm['learningRate']>().toEqualTypeOf<number>();
    expectTypeOf<Change>().toEqualTypeOf<{
      update: number;
      arm: string;
      setting: string;
      value: number | boolean | string;
    }>();
  });

  it('have defaults and sliders within their hard limits, and steps a slider can take', () => {
    for (const setting of [...experimentSettings, ...armSettings]) {
      if (setting.type !== 'integer' && setting.type !== 'number') continue;
      const [low, high] = setting.soft;
      expect(setting.default, setting.path).toBeGreaterThanOrEqual(setting.min);
      expect(setting.default, setting.path).toBeLessThanOrEqual(setting.max);
      expect(low, setting.path).toBeGreaterThanOrEqual(setting.min);
      expect(high, setting.path).toBeLessThanOrEqual(setting.max);
      expect(low, setting.path).toBeLessThan(high);
      expect(setting.step, setting.path).toBeGreaterThan(setting.scale === 'log' ? 1 : 0);
      if (setting.scale === 'log') expect(low, setting.path).toBeGreaterThan(0);
    }
  });

  it('explain themselves in one sentence, and say why they need a restart if they do', () => {
    for (const { path, help, restart } of [...experimentSettings, ...armSettings]) {
      expect(help, path).toMatch(/^[A-Z].*\.$/);
      if (restart !== null) expect(restart, path).toMatch(/training starts again\.$/);
    }
  });

  it('of an arm can all change while training, but for what the batch is laid out by and how it began', () => {
    const rest = armSettings.map(({ path }) => path).filter((path) => !liveSettings.includes(path));
    expect(rest).toEqual([
      'placebo',
      'staleness',
      'staleUnit',
      'warmStart',
      'startPolicy',
      'referencePolicy',
      'fixedPolicy',
    ]);
    expect(liveSettings).toContain('ce.observation');
    expect(liveSettings).toContain('learningRate');
  });

  it('are read and written by path, without touching the original', () => {
    const arm = defaultArm('a', 'A');
    const changed = withArmSetting(arm, 'ce.observation', 0.3);
    expect(getArmSetting(changed, 'ce.observation')).toBe(0.3);
    expect(getArmSetting(arm, 'ce.observation')).toBe(0);
    expect(changed).toEqual({ ...arm, ce: { ...arm.ce, observation: 0.3 } });
  });
});

describe('an experiment', () => {
  it('needs a title that can be seen', () => {
    for (const title of ['', '   ', '\u2003']) expect(pathsOf({ title })).toEqual(['title']);
    expect(pathsOf({ title: ' x ' })).toEqual([]);
  });

  it('takes defaults for what is left out', () => {
    const { preset, title, version, environment } = base;
    const sparse = { version, preset, title, environment: { id: environment.id }, arms: [{ id: 'a', name: 'A' }] };
    expect(parseExperiment(sparse)).toEqual({ ...base, arms: [defaultArm('a', 'A')] });
  });

  it('stays as it is when it is read again', () => {
    fc.assert(
      fc.property(anyExperiment, (experiment) => {
        expect(parseExperiment(experiment)).toEqual(experiment);
      }),
      {
        numRuns: 50,
      },
    );
  });

  it.each([
    ['an unknown setting', { colour: 'red' }, 'colour'],
    ['NaN', { seeds: Number.NaN }, 'seeds'],
    ['infinity', { updates: Number.POSITIVE_INFINITY }, 'updates'],
    ['a fraction where a whole number belongs', { seeds: 1.5 }, 'seeds'],
    ['a seed of 33 bits', { seed: 2 ** 32 }, 'seed'],
    ['too many updates', { updates: 100_001 }, 'updates'],
    ['an unknown preset', { preset: 'nonsense' }, 'preset'],
    ['no arms', { arms: [] }, 'arms'],
    ['nine arms', { arms: Array.from({ length: 9 }, (_, i) => defaultArm(`a${i}`, 'A')), seeds: 1 }, 'arms'],
    ['65 members', { arms: base.arms, seeds: 22 }, 'seeds'],
    ['too many trajectories', { batch: { groups: 129, groupSize: 8 } }, 'batch'],
    ['adapters of noise', { policy: { ...base.policy, adapterRank: 8 } }, 'policy.adapterRank'],
    ['a width that is no multiple of 16', { policy: { ...base.policy, width: 72, heads: 2 } }, 'policy.width'],
    ['heads that do not divide the width', { policy: { ...base.policy, heads: 3 } }, 'policy.heads'],
    ['heads too wide', { policy: { ...base.policy, width: 256, heads: 2 } }, 'policy.heads'],
    ['an unknown activation', { policy: { ...base.policy, activation: 'tanh' } }, 'policy.activation'],
    ['an unknown environment', { environment: { id: 'toString', settings: {} } }, 'environment.id'],
    [
      'an unknown environment setting',
      { environment: { id: 'gridworld', settings: { colour: 3 } } },
      'environment.colour',
    ],
    ['a grid too large', { environment: { id: 'gridworld', settings: { size: 9 } } }, 'environment.size'],
    ['a distance no grid has', { environment: { id: 'gridworld', settings: { minimumDistance: 13 } } }, 'environment'],
    ['two arms of one id', { arms: [base.arms[0], base.arms[0]] }, 'arms.action-mask'],
    ['an arm id with capitals', { arms: [{ id: 'Mask', name: 'Mask' }] }, 'arms.0.id'],
    ['a name with a line break', { arms: [{ id: 'a', name: 'A\nB' }] }, 'arms.0.name'],
    ['a misspelt weight', { arms: [{ id: 'a', name: 'A', pg: { actions: 1 } }] }, 'arms.0.pg.actions'],
    ['a title with half a character', { title: 'x\ud800' }, 'title'],
    ['another version', { version: 2 }, 'version'],
  ])('refuses %s and says where', (_, change, path) => {
    expect(pathsOf(change)).toEqual([path]);
  });

  it.each([
    ['an arm that is not there', { update: 1, arm: 'nobody', setting: 'clipLow', value: 0.1 }, /no arm nobody/],
    ['a setting that needs a restart', { update: 1, arm: '*', setting: 'policy.width', value: 64 }, /no setting/],
    ['a prototype key', { update: 1, arm: '*', setting: '__proto__', value: 1 }, /no setting/],
    [
      'a value beyond the limits',
      { update: 1, arm: '*', setting: 'learningRate', value: 2 },
      /between 0 and 1, not at 2/,
    ],
    ['a fraction of an epoch', { update: 1, arm: '*', setting: 'innerEpochs', value: 1.5 }, /whole/],
  ])('refuses a change of %s', (_, change, message) => {
    const problems = problemsOf({ timeline: [change] });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(message);
  });

  it('refuses two changes of one setting, arm and update, and more than 200 changes', () => {
    const change = { update: 1, arm: '*', setting: 'clipLow', value: 0.1 };
    expect(problemsOf({ timeline: [change, { ...change, value: 0.3 }] })).toHaveLength(1);
    const many = Array.from({ length: 201 }, (_, update) => ({ ...change, update }));
    expect(pathsOf({ timeline: many })).toEqual(['timeline']);
    expect(pathsOf({ timeline: many.slice(1) })).toEqual([]);
  });

  it('refuses policies that would not fit in memory together', () => {
    const policy = { ...base.policy, layers: 8, width: 512, heads: 8 };
    expect(pathsOf({ policy })).toContain('policy');
    expect(pathsOf({ policy, seeds: 1, batch: { groups: 4, groupSize: 8 } })).not.toContain('batch');
  });

  it('refuses what is no experiment at all, in words', () => {
    for (const value of [null, undefined, 7, 'x', [], {}, JSON.parse('{"__proto__": {"version": 1}}')]) {
      expect(() => parseExperiment(value)).toThrow(LabError);
    }
    expect(() => parseExperiment({ ...base, seeds: 0, updates: 0 })).toThrow(
      /seeds: Seeds must lie.*updates: .*begin from/,
    );
  });
});
