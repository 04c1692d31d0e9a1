/** A user's world on its way into the page: said to be somebody's, and what is wrong with it told. */
import { describe, expect, it } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { encodeLink } from '../../src/experiment/link/link';
import { withWorld } from '../../src/experiment/ownWorld';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import { openedInWorld, spokenTitles } from '../../src/store/desk/oneFileWorlds';
import { fromLink, readExperimentFile, shareFile } from '../../src/store/edit/arrival';
import { walkText } from '../support/ownWorlds';

const small = findPreset('gridworld-tiny')?.experiment ?? defaultPreset.experiment;
const own = withWorld(small, walkText());

describe('a link with a world of one’s own', () => {
  it('says whose the world is', async () => {
    await openWorlds();
    const said = (experiment: typeof small) => fromLink(`#${encodeLink(experiment)}`).notice?.text;
    expect(said(own)).toMatch(/Its world is a program that whoever made the link wrote/);
    expect(said(small)).not.toMatch(/Its world/);
    const shipped = findPreset('world-bandit')?.experiment ?? small;
    expect(said(shipped)).not.toMatch(/whoever made the link/);
  });

  it('that is wrong says so, with the line', async () => {
    await openWorlds();
    const { notice } = fromLink(`#${encodeLink(withWorld(small, 'export default {\n  title: = };'))}`);
    expect(notice).toMatchObject({ kind: 'broken-link', text: expect.stringMatching(/SyntaxError.*\(line 2\)/) });
  });

  it('comes as a file as well', async () => {
    const { experiment } = await readExperimentFile(new Blob([shareFile(own, [])]));
    expect(experiment.environment).toEqual(own.environment);
    await expect(readExperimentFile(new Blob(['null']))).rejects.toThrow(/holds no experiment/);
  });
});

it('is chosen in English too, by a policy that begins from a language model', async () => {
  await openWorlds();
  const titles = new Map(await spokenTitles());
  expect([...titles.keys()]).toEqual(expect.arrayContaining(['@english/calculator', '@english/gridworld']));
  expect([...titles.keys()]).not.toContain('@english/listener');
  for (const world of titles.keys()) {
    const chosen = await openedInWorld(() => small, world);
    expect(chosen.environment).toEqual({ id: 'own', settings: { world } });
    expect(chosen.policy.model).toBe('stories260k');
  }
});
