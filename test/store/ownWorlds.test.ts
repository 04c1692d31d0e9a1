/** A user's world on its way into the page: said to be somebody's, and what is wrong with it told. */
import { describe, expect, it } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { encodeLink } from '../../src/experiment/link/link';
import { withWorld } from '../../src/experiment/ownWorld';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
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
