/** Episodes of a world that is being written, as the page plays them. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Elsewhere } from '../../../src/environments/environment';
import { checkWorld } from '../../../src/environments/own/examine/check';
import { environmentOf, factsOf } from '../../../src/environments/own/examine/facts';
import { openWorlds } from '../../../src/environments/own/here';
import { shippedWorlds } from '../../../src/environments/own/shipped';
import type { Episode, WorkshopEpisode } from '../../../src/environments/own/workshop/asked';
import { playEpisode, sendable } from '../../../src/environments/own/workshop/play';
import { isOffered } from '../../../src/experiment/arm/relevance';
import { openWorld, walkText } from '../../support/ownWorlds';

beforeAll(openWorlds);

const template = readFileSync('src/environments/own/template/walk.js', 'utf8');

function play(text: string, episode: Partial<Episode> = {}, settings = {}): WorkshopEpisode {
  return playEpisode({ text, settings }, { task: 1, split: 'train', player: 'hand', actions: [], ...episode });
}

describe('an episode', () => {
  it('by hand: the prompt, then each action with its answer, reward, floor and picture', () => {
    const begun = play(walkText(), { actions: [] });
    expect(begun.turns).toEqual([
      {
        action: null,
        said: [
          { word: '<bos>', role: 'prompt' },
          { word: expect.stringMatching(/^c\d$/), role: 'prompt' },
        ],
        reward: 0,
        floor: null,
      },
    ]);
    expect(begun).toMatchObject({ legal: ['left', 'right'], most: 1, expert: ['right'], isDone: false, maxTurns: 12 });
    const { turns, scenes, isDone, isSuccess, legal, expert } = play(walkText(), {
      actions: [['left'], ['right'], ['right'], ['right'], ['right'], ['right']],
    });
    expect(turns.at(-1)).toMatchObject({ action: ['right'], reward: 1, floor: 0 });
    expect(turns.at(-1)?.said.map(({ role }) => role)).toEqual(['action', 'observation']);
    expect(scenes).toHaveLength(turns.length);
    expect({ isDone, isSuccess, legal, expert }).toEqual({ isDone: true, isSuccess: true, legal: [], expert: null });
  });

  it('ends at an action that the world no longer takes, and plays on from there', () => {
    const text = walkText().replaceAll("'left'", "'west'");
    expect(play(text, { actions: [['right'], ['left'], ['right']] }).turns).toHaveLength(2);
  });

  it('is the same again for the same task, and another for another', () => {
    const random = (task: number): string => JSON.stringify(play(walkText(), { task, player: 'random' }).turns);
    expect(random(3)).toBe(random(3));
    expect(new Set([1, 2, 3, 4, 5, 6].map(random)).size).toBeGreaterThan(1);
  });

  it('takes several words for an action, and the stop word is nobody’s to say', () => {
    const text = shippedWorlds.get('countdown') ?? '';
    const { most, legal, expert, turns } = play(text);
    expect(most).toBeGreaterThan(1);
    expect(legal).not.toContain('<enter>');
    const next = play(text, { actions: [expert ?? []] });
    expect(next.turns).toHaveLength(turns.length + 1);
    expect(next.turns.at(-1)?.said.map(({ word }) => word)).toContain('<enter>');
  });

  it('says what went wrong, with the line, and keeps the turns before it', () => {
    const step = "(state, action) => (action === 'left' ? nowhere : { state, say: ['c0'] })";
    const { turns, scenes, mistake } = play(walkText({ step }), { actions: [['right'], ['left']] });
    expect(turns).toHaveLength(2);
    expect(scenes).toHaveLength(2);
    expect(mistake).toMatchObject({ line: 11, text: expect.stringContaining('nowhere is not defined (line 11)') });
    const undrawn = play(walkText({ fields: "draw: () => ({ kind: 'board' })" }));
    expect(undrawn).toMatchObject({
      scenes: [],
      mistake: { text: expect.stringContaining('draw() gives no drawing') },
    });
    expect(() => play('export default 3')).toThrow('has no `export default');
  });

  it('passes over settings that the text does not have any more', () => {
    expect(play(walkText(), {}, { length: 3, gone: 1 }).turns).toHaveLength(1);
  });

  it.each([...shippedWorlds, ['the template', template] as const])(
    '%s: its expert plays to the end, drawn',
    (_, text) => {
      const { turns, scenes, isDone, mistake } = play(text, { player: 'expert' });
      expect({ isDone, mistake, drawn: scenes.length }).toEqual({ isDone: true, mistake: null, drawn: turns.length });
    },
  );
});

it('a report can be sent between Workers, with the world’s own settings', () => {
  const looking = checkWorld(walkText(), {}, 10);
  let step = looking.next();
  while (!step.done) step = looking.next();
  const sent = structuredClone(sendable(step.value));
  expect(sent.settings.map(({ key }) => key)).toEqual(['length', 'slip']);
  expect(sent.checks).toEqual(step.value.checks);
});

test('a thread that does not play a world knows whether it has an expert', async () => {
  for (const [text, has] of [
    [walkText(), true],
    [walkText().replace("expert: () => 'right',", ''), false],
  ] as const) {
    const told = environmentOf(factsOf(await openWorld(text)), {} as Elsewhere);
    expect(isOffered('reward.calls', told)).toBe(has);
  }
});
