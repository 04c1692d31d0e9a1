import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { armSettings, defaultArm, type Experiment, withArmSetting } from '../../src/experiment/experiment';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { LONGEST_LINK } from '../../src/experiment/link/linkReader';
import { findObjective, withObjective } from '../../src/experiment/objectives/objectivePresets';
import { parseExperiment } from '../../src/experiment/parse';
import { defaultPreset, findPreset, firstPreset, presets } from '../../src/experiment/presets/presets';
import { isNumberSetting, type Setting, type SettingValue } from '../../src/experiment/settings/setting';
import { LabError } from '../../src/foundation/errors';
import { anyExperiment } from './arbitrary';

const base = firstPreset.experiment;
const [actionMask, worldModel, noMask] = base.arms as [
  Experiment['arms'][0],
  Experiment['arms'][0],
  Experiment['arms'][0],
];

describe('a link', () => {
  it('of a preset is its name alone', () => {
    for (const { id, experiment } of presets) {
      expect(encodeLink(experiment)).toBe(`preset=${id}`);
      expect(decodeLink(`#preset=${id}`)).toEqual(experiment);
    }
    expect(decodeLink('')).toEqual(defaultPreset.experiment);
    // Links published before the default changed.
    expect(decodeLink('seeds=3')).toEqual(decodeLink('preset=gridworld&seeds=3'));
  });

  it('says in words what differs', () => {
    const experiment: Experiment = {
      ...base,
      title: 'A smaller map, & less',
      seeds: 8,
      environment: { id: 'gridworld', settings: { ...base.environment.settings, size: 5 } },
      policy: { ...base.policy, positions: 'rotary' },
      arms: [actionMask, withArmSetting(worldModel, 'ce.observation', 0.2), noMask],
      timeline: [
        { update: 120, arm: 'world-model', setting: 'ce.observation', value: 0.05 },
        { update: 200, arm: '*', setting: 'learningRate', value: 1e-4 },
      ],
    };
    const link =
      'preset=gridworld&title=A%20smaller%20map,%20%26%20less&seeds=8&policy.positions=rotary&environment.size=5' +
      '&arms.world-model.ce.observation=0.2' +
      '&changes=120:world-model:ce.observation:0.05;200:*:learningRate:0.0001';
    expect(encodeLink(experiment)).toBe(link);
    expect(decodeLink(link)).toEqual(experiment);
  });

  it('says which arms there are when they are others, and what a new one begins from', () => {
    const mine = { ...withArmSetting(worldModel, 'clipHigh', 0.28), id: 'mine', name: 'Mine' };
    const plain = defaultArm('plain', 'plain');
    const experiment = { ...base, arms: [mine, actionMask, plain] };
    const link =
      'preset=gridworld&arms=mine,action-mask,plain&arms.mine.from=world-model&arms.mine.name=Mine' +
      '&arms.mine.clipHigh=0.28';
    expect(encodeLink(experiment)).toBe(link);
    expect(decodeLink(link)).toEqual(experiment);
  });

  it('carries an arm renamed, and one duplicated', () => {
    const renamed = { ...base, arms: [{ ...actionMask, name: 'Baseline' }, worldModel, noMask] };
    expect(encodeLink(renamed)).toBe('preset=gridworld&arms.action-mask.name=Baseline');
    const copied = { ...base, arms: [actionMask, { ...actionMask, id: 'again' }] };
    expect(decodeLink(encodeLink(copied))).toEqual(copied);
  });

  it('names an arm’s objective, and then only what differs from it', () => {
    const dapo = withObjective(worldModel, findObjective('dapo'));
    const changed = { ...dapo, clipLow: 0.1, surrogate: 'cispo' as const };
    const experiment: Experiment = {
      ...base,
      arms: [actionMask, changed, noMask],
      timeline: [
        { update: 7, arm: 'no-mask', setting: 'objective', value: 'echo' },
        { update: 9, arm: '*', setting: 'surrogate', value: 'sapo' },
        { update: 9, arm: '*', setting: 'klStraightThrough', value: true },
      ],
    };
    const link =
      'preset=gridworld&arms.world-model.objective=dapo&arms.world-model.surrogate=cispo&arms.world-model.clipLow=0.1' +
      '&changes=7:no-mask:objective:echo;9:*:surrogate:sapo;9:*:klStraightThrough:true';
    expect(encodeLink(experiment)).toBe(link);
    expect(decodeLink(link)).toEqual(experiment);
    expect(decodeLink('preset=gridworld&arms.no-mask.objective=gspo').arms[2]).toEqual(
      withObjective(noMask, findObjective('gspo')),
    );
  });

  it('gives back exactly the experiment it was made from', () => {
    const property = fc.property(anyExperiment, (experiment) => {
      const link = encodeLink(experiment);
      expect(link).toMatch(/^[\x21-\x7e]*$/);
      expect(link).not.toContain('#');
      expect(decodeLink(link)).toEqual(experiment);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('survives programs that write links as forms do', () => {
    const experiment = { ...base, title: 'One + one', updates: 7 };
    expect(decodeLink(new URLSearchParams(encodeLink(experiment)).toString())).toEqual(experiment);
  });

  it('has room for the longest valid experiment', () => {
    const longestValue = (setting: Setting): SettingValue => {
      if (setting.type === 'boolean') return !setting.default;
      if (isNumberSetting(setting)) {
        const long = Math.min(setting.max, Math.max(setting.min, 0.123 + Number.EPSILON * 3));
        return setting.type === 'integer' ? setting.max : long;
      }
      if (setting.type === 'file') return 'f'.repeat(64);
      const others = setting.choices.filter((choice) => choice !== setting.default);
      return others.reduce((longest, choice) => (choice.length > longest.length ? choice : longest));
    };
    const arms = Array.from({ length: 8 }, (_, index) => {
      const id = `${index}`.padEnd(32, 'x');
      // A placebo excludes several other settings, and this world has neither right answers nor tools.
      const left = ['placebo', 'reward.information', 'reward.agreement', 'reward.variety'];
      const settings = armSettings.filter(({ path }) => !left.includes(path));
      return settings.reduce(
        (changed, setting) => withArmSetting(changed, setting.path, longestValue(setting)),
        defaultArm(id, '漢'.repeat(60)),
      );
    });
    const timeline = Array.from({ length: 200 }, (_, index) => ({
      update: 99_000 + index,
      arm: arms[0]?.id ?? '*',
      setting: 'entropyCoefficient',
      value: 1.2345678901234566e-7,
    }));
    const experiment = parseExperiment({ ...base, title: '漢'.repeat(120), arms, timeline, seeds: 1 });
    const link = encodeLink(experiment);
    expect(link.length).toBeLessThan(LONGEST_LINK * 0.8);
    expect(decodeLink(link)).toEqual(experiment);
  });
});

describe('a link from anyone', () => {
  const refusal = (fragment: string): LabError => {
    try {
      decodeLink(fragment);
    } catch (error) {
      if (error instanceof LabError) return error;
      throw error;
    }
    throw new Error(`${fragment.slice(0, 80)} was accepted`);
  };

  it.each([
    [
      'an unknown setting',
      'preset=gridworld&arms.world-model.ce.observations=1',
      /arms\.world-model\.ce\.observations/,
    ],
    ['a setting of no arm', 'arms=action-mask&arms.world-model.clipLow=0.1', /arms\.world-model\.clipLow/],
    ['a setting of another environment', 'environment.colour=3', /environment\.colour/],
    ['a prototype key', '__proto__=1', /__proto__/],
    ['a prototype key within', 'arms.__proto__.pg.action=1', /arms\.__proto__/],
    ['an inherited key', 'constructor.prototype.seeds=1', /constructor\.prototype/],
    ['a key twice', 'seeds=1&seeds=2', /twice/],
    ['a key in two spellings', 'seeds=1&%73eeds=2', /twice/],
    ['a key without a value', 'seeds', /no value/],
    ['a value without a key', '=3', /no value/],
    ['a broken percent sign', 'title=100%', /percent/],
    ['bytes that are no text', 'title=%ff%fe', /percent/],
    ['NaN', 'seeds=NaN', /number/],
    ['infinity', 'arms.action-mask.learningRate=Infinity', /number/],
    ['a value off the list', 'policy.activation=tanh', /policy\.activation.*tanh.*relu, gelu/],
    ['a number beyond all', 'arms.action-mask.learningRate=1e999', /number/],
    ['hexadecimal', 'seeds=0x10', /number/],
    ['an empty number', 'seeds=', /number/],
    ['blanks for a number', 'seeds=%20', /number/],
    ['a preset that is not there', 'preset=toString', /no preset/],
    ['an arm from nowhere', 'arms=a&arms.a.from=b', /arms\.a\.from/],
    ['an arm twice', 'arms=a,a', /twice/],
    ['a change without a value', 'changes=1:*:clipLow', /changes/],
    ['a change with too much', 'changes=1:*:clipLow:0.1:2', /changes/],
    ['too many arms', `arms=${Array.from({ length: 40_500 }, (_, i) => i.toString(36)).join(',')}`, /more than 8 arms/],
    [
      'too many changes',
      `changes=${Array.from({ length: 201 }, (_, i) => `${i}:*:clipLow:0`).join(';')}`,
      /more than 200 entries/,
    ],
    ['a change of nothing', 'changes=;', /changes/],
    ['a choice that is none', 'arms.no-mask.surrogate=trpo', /surrogate.*trpo.*ppo, reinforce, cispo/],
    ['an objective that is none', 'arms.no-mask.objective=toString', /objective.*one of: lab, grpo/],
    ['a flag that is none', 'arms.no-mask.klStraightThrough=1', /true or false/],
    ['a change to a choice that is none', 'changes=1:*:surrogate:trpo', /changes.*ppo, reinforce/],
    ['a change to no number', 'changes=1:*:clipLow:1e999', /number/],
  ])('is refused for %s, which is named', (_, fragment, message) => {
    const error = refusal(fragment);
    expect(error.code).toBe('invalid-link');
    expect(error.message).toMatch(message);
    expect(error.advice).toMatch(/\.$/);
  });

  it.each([
    ['too many seeds', 'seeds=33'],
    ['an environment that is not there', 'environment=__proto__'],
    ['an arm with an impossible name', 'arms=__proto__'],
    ['an arm without a name', 'arms='],
    ['a change of a prototype', 'changes=1:*:__proto__:0'],
    ['a title of control characters', 'title=%00'],
  ])('is refused for %s when the experiment is judged', (_, fragment) => {
    expect(refusal(fragment).code).toBe('invalid-experiment');
  });

  it('of a newer version is refused as such', () => {
    expect(refusal('v=2&preset=gridworld&new.thing=1').message).toMatch(
      /version 2; this lab reads version 1.*newer lab/,
    );
    expect(decodeLink('v=1&preset=gridworld')).toEqual(base);
  });

  it('is refused when it is too long, without repeating it', () => {
    const error = refusal(`title=${'x'.repeat(LONGEST_LINK)}`);
    expect(error.message.length).toBeLessThan(200);
    expect(refusal(`${'k'.repeat(60_000)}=1`).message.length).toBeLessThan(300);
  });

  it('leaves the presets as they are', () => {
    const before = structuredClone(findPreset('gridworld'));
    decodeLink('preset=gridworld&environment.size=4&arms.world-model.pg.action=0&policy.width=32');
    expect(findPreset('gridworld')).toEqual(before);
  });
});
