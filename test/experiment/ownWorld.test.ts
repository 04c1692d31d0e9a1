/** The text of a world is part of the experiment: it is in its link, in its file, and in a mixture. */
import { beforeAll, describe, expect, it } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { packText, unpackText, WORLD_TEXT } from '../../src/experiment/link/packedText';
import { withWorld } from '../../src/experiment/ownWorld';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import { createEnvironment } from '../../src/train/population/shape';
import { walkText } from '../support/ownWorlds';

const TEXT = walkText();
const preset = (id: string) => findPreset(id)?.experiment ?? defaultPreset.experiment;
const small = preset('gridworld-tiny');

describe('an experiment with a world of one’s own, before its sandbox is open', () => {
  it('is checked but for what only the world can judge', () => {
    const strange = withWorld(small, 'no world at all');
    expect(checkExperiment(strange).problems).toEqual([]);
    expect(() => createEnvironment(strange)).toThrow(/not loaded yet/);
    const setting = { ...small, environment: { id: 'own', settings: { world: TEXT, 'Not-A-Key': 1 } } };
    expect(checkExperiment(setting).problems).toMatchObject([{ path: 'environment.Not-A-Key' }]);
    const long = withWorld(small, 'x'.repeat(30_000));
    expect(checkExperiment(long).problems).toMatchObject([{ path: 'environment.world' }]);
  });
});

describe('an experiment with a world of one’s own', () => {
  beforeAll(openWorlds);

  it('cannot relabel by hindsight, now or later, and says so', () => {
    const [arm, ...others] = small.arms;
    const now = { ...withWorld(small, TEXT), arms: [{ ...arm, hindsight: 0.5 }, ...others] };
    expect(checkExperiment(now).problems).toMatchObject([
      { path: `arms.${arm?.id}.hindsight`, message: expect.stringMatching(/which task a failed episode/) },
    ]);
    const later = { ...withWorld(small, TEXT), timeline: [{ update: 3, arm: '*', setting: 'hindsight', value: 0.5 }] };
    expect(checkExperiment(later).problems).toMatchObject([{ path: 'arms.*.hindsight' }]);
    expect(checkExperiment({ ...small, arms: now.arms }).problems).toEqual([]);
  });

  it('has the world’s words and settings, and says what is wrong with it', () => {
    const experiment = parseExperiment(withWorld(small, TEXT));
    expect(createEnvironment(experiment).words).toContain('c4');
    const problems = (settings: Record<string, number | string>) =>
      checkExperiment({ ...small, environment: { id: 'own', settings } }).problems.map(({ message }) => message);
    expect(problems({ world: TEXT, length: 50 })).toEqual([expect.stringContaining('length cannot be 50')]);
    expect(problems({ world: 'export default 3;' })).toEqual([expect.stringContaining('no `export default')]);
    expect(problems({})).toEqual([expect.stringContaining('no text of a world')]);
  });

  it('is the same after a link, with its settings', () => {
    const settings = { world: TEXT, length: 4, slip: 0.25, decoding: 'free' };
    const experiment = parseExperiment({ ...small, environment: { id: 'own', settings } });
    const link = encodeLink(experiment);
    expect(link).toMatch(/environment=own&environment\.world=1~[\w-]+&environment\.length=4/);
    expect(link.length).toBeLessThan(900);
    expect(decodeLink(link)).toEqual(experiment);
    const other = parseExperiment({ ...experiment, environment: { id: 'own', settings: { world: `${TEXT}//` } } });
    expect(decodeLink(encodeLink(other))).toEqual(other);
  });

  it('in a mixture is a part with a weight and settings of its own', () => {
    const mixed = withWorld(preset('mixture'), TEXT);
    const settings = { ...mixed.environment.settings, own: 2, 'own-length': 7, shop: 0 };
    const experiment = parseExperiment({ ...mixed, environment: { id: 'mixture', settings } });
    expect(decodeLink(encodeLink(experiment))).toEqual(experiment);
    const { parts, words } = createEnvironment(experiment);
    expect(parts?.map(({ id, weight }) => [id, weight])).toEqual([
      ['gridworld', 1],
      ['calculator', 1],
      ['own', 2],
    ]);
    expect(words).toContain('c6');
    const without = parseExperiment({ ...mixed, environment: { id: 'mixture', settings: { own: 3 } } });
    expect(createEnvironment(without).parts?.map(({ id }) => id)).toEqual(['gridworld', 'calculator']);
  });

  it('refuses links that no lab wrote', () => {
    const start = 'preset=gridworld-tiny&environment=own&environment.';
    const link = (value: string) => () => decodeLink(`${start}world=${value}`);
    expect(link('2~AAAA')).toThrow(/holds a world that cannot be read.*version/);
    expect(link('1~!!!')).toThrow(/holds a world that cannot be read/);
    expect(link(packText(' '.repeat(60_000), WORLD_TEXT))).toThrow(/more than 24576 characters/);
    expect(() => decodeLink(`${start}world=${packText(TEXT, WORLD_TEXT)}&environment.size=3`)).toThrow(
      /no setting size/,
    );
    expect(() => decodeLink('preset=gridworld-tiny&environment.world=0~AAAA')).toThrow(
      /“environment.world” is no setting/,
    );
  });

  it('writes its text so that this and every later lab reads it', () => {
    // Version 1 as it was first written: links hold it for good.
    expect(unpackText('0~ZXhwb3J0', WORLD_TEXT)).toBe('export');
    expect(unpackText(packText(TEXT, WORLD_TEXT), WORLD_TEXT)).toBe(TEXT);
  });
});
