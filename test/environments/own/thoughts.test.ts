/** Thoughts before actions in a user's world: what a file may say of them, and who sees them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { checkWorld } from '../../../src/environments/own/examine/check';
import { openWorlds } from '../../../src/environments/own/here';
import { textFor } from '../../../src/environments/own/shipped';
import { playEpisode } from '../../../src/environments/own/workshop/play';
import { actionsOf, turnsOf } from '../../../src/environments/replay';
import type { StepReply } from '../../../src/environments/served/contract';
import { labWorld } from '../../../src/environments/served/labWorld';
import { defaultArm } from '../../../src/experiment/experiment';
import { ROLE, type Role, rolesIn } from '../../../src/foundation/roles';
import { trajectoryLine } from '../../../src/measured/trajectoryRecord';
import { openWorld, walkText } from '../../support/ownWorlds';

beforeAll(openWorlds);

const rolesOf = (...roles: readonly Role[]): number[] => roles.map((role) => ROLE[role]);
const thinking = (thoughts: string): string => walkText({ fields: `heldOut: 0.3, told: true, thoughts: ${thoughts}` });
const known = "{ words: ['hm', 'so'], most: 3, end: 'so' }";

describe('a file', () => {
  it('has words of thoughts of its own, a legal set for them, and room in the context', async () => {
    const plain = await openWorld(walkText());
    const world = await openWorld(thinking(known));
    const [hm, so] = ['hm', 'so'].map((word) => world.words.indexOf(word));
    expect(plain.thoughts).toBeUndefined();
    expect(world.kinds.filter((kind) => kind === 'thoughts')).toHaveLength(2);
    expect(world.legalSets).toEqual([plain.legalSets[0], [hm, so]]);
    expect(world.thoughts).toEqual({ legalSet: 2, most: 3, end: so });
    expect(world.context).toBe(plain.context + 3 * world.maxTurns);
    expect(rolesIn(plain)).not.toContain('thought');
    expect(rolesIn(world)).toContain('thought');
  });

  it.each([
    ["{ words: ['hm'], most: 3, end: 'so' }", /thoughts\.end.*must be one of thoughts\.words/],
    ["{ words: ['so'], most: 0, end: 'so' }", /thoughts\.most/],
    ["{ words: ['so'], most: 33, end: 'so' }", /thoughts\.most/],
    ["{ words: 'so', most: 3, end: 'so' }", /thoughts\.words must be a list of words/],
    ["'so'", /thoughts\.words must be a list of words/],
  ])('that says thoughts: %s is refused in words', async (thoughts, message) => {
    await expect(openWorld(thinking(thoughts))).rejects.toThrow(message);
  });

  it('whose expert thinks what is no thought fails the checks', () => {
    const text = textFor('@sum').replace("...digits, 'so'], most", "'so'], most");
    let report = checkWorld(text, {}, 20);
    for (let step = report.next(); ; step = report.next()) {
      if (step.done !== true) continue;
      expect(step.value.checks.filter(({ ok }) => ok === false)).toMatchObject([
        { text: expect.stringMatching(/think\(\)/) },
      ]);
      break;
    }
    report = checkWorld(textFor('@sum'), {}, 20);
    for (let step = report.next(); ; step = report.next()) {
      if (step.done !== true) continue;
      expect(step.value.checks.find(({ id }) => id === 'thoughts')?.text).toMatch(/up to 5 of 6 words.*“so”/);
      break;
    }
  });
});

describe('a turn', () => {
  it('begins with its thoughts, and its action is what follows them', () => {
    const roles = rolesOf(
      'prompt',
      'thought',
      'thought',
      'action',
      'observation',
      'action',
      'warning',
      'thought',
      'action',
    );
    const tokens = roles.map((_, t) => t);
    expect(turnsOf(roles)).toEqual([
      { begin: 1, action: 3, answer: 4, end: 5 },
      { begin: 5, action: 5, answer: 6, end: 7 },
      { begin: 7, action: 8, answer: 9, end: 9 },
    ]);
    expect(actionsOf(tokens, roles)).toEqual([[3], [5], [8]]);
  });

  it('of the expert and of chance is played with thoughts in the editor, one by hand without', () => {
    const told = (player: 'hand' | 'random' | 'expert', actions: readonly string[][] = []): Role[] => {
      const played = playEpisode({ text: textFor('@sum'), settings: {} }, { task: 1, split: 'train', player, actions });
      expect(played.mistake).toBeNull();
      return played.turns[1]?.said.map(({ role }) => role) ?? [];
    };
    expect(told('expert')).toEqual(['thought', 'thought', 'thought', 'thought', 'action', 'observation']);
    expect(told('random')[0]).toBe('thought');
    expect(told('hand', [['3']])).toEqual(['action', 'observation']);
  });
});

describe('others', () => {
  it('that act in a served world may send thoughts before the action', async () => {
    const environment = await openWorld(textFor('@sum'));
    const { create } = labWorld({ id: 'own', title: 'Sums', summary: 'Sums.', environment });
    const answer = (text: string): unknown => {
      const episode = create();
      episode.reset(3, null, {});
      const { observation } = episode.step({ text }, {}) as StepReply;
      return (observation as { text: string }).text;
    };
    expect(answer('so 2')).toBe(answer('2'));
    expect(answer('1 4 so 2')).toBe(answer('2'));
    expect(answer('1 4 2')).toMatch(/^malformed: It names several actions \(1, 4, 2\)/);
  });

  it('that read trajectories are told which tokens were thought, where there are any', () => {
    const line = (...roles: readonly Role[]) =>
      JSON.parse(
        trajectoryLine(
          {
            arm: defaultArm('a', 'A'),
            seed: 0,
            update: 0,
            group: 0,
            trajectory: 0,
            tokens: roles.map((_, t) => t),
            roles: rolesOf(...roles),
            numbers: new Proxy({} as never, { get: () => roles.map(() => 0) }),
            rewards: [0],
            successes: [0],
          },
          roles.map((role) => role),
          'own',
        ),
      );
    const thought = line('prompt', 'thought', 'action', 'observation');
    expect(thought.thought_mask).toEqual([false, true, false, false]);
    expect(thought.action_mask).toEqual([false, false, true, false]);
    expect(thought.segments.map(({ role }: { role: string }) => role)).toEqual([
      'context',
      'thought',
      'action',
      'env_output',
    ]);
    expect(thought.messages[1]).toMatchObject({ role: 'assistant', name: 'thought' });
    expect(thought.meta.loss_weights.policy).toMatchObject({ action: 1, thought: 1 });
    const acted = line('prompt', 'action', 'observation');
    expect(acted).not.toHaveProperty('thought_mask');
    expect(acted.meta.loss_weights.policy).not.toHaveProperty('thought');
  });
});
