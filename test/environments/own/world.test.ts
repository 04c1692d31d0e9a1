/** A world in one file does what a built-in one does: the same from the same task, floors, splits, drawings, decoding. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coinEntropy, Dice } from '../../../src/environments/dice';
import { exhibit } from '../../../src/environments/exhibit';
import { mixture } from '../../../src/environments/mixture/mixture';
import { targetsCalled, targetsIn } from '../../../src/environments/probes';
import { drawnSet } from '../../../src/environments/replay';
import { ROLE } from '../../../src/foundation/roles';
import { play, randomly, stream } from '../../support/episodes';
import { openWorld, walkText } from '../../support/ownWorlds';

describe('a world in one file', () => {
  it('is an environment with its words, actions, bounds and settings', async () => {
    const environment = await openWorld(walkText(), { length: 4 });
    expect(environment.words).toEqual(['<pad>', '<bos>', 'left', 'right', 'c0', 'c1', 'c2', 'c3', 'malformed']);
    expect(environment.kinds).toEqual(['marks', 'marks', 'actions', 'actions', ...Array(4).fill('words'), 'marks']);
    expect(environment).toMatchObject({
      legalSets: [[2, 3]],
      maxTurns: 12,
      maxActionTokens: 1,
      stopToken: -1,
      context: 26,
    });
    expect(environment.hasHeldOut).toBe(true);
  });

  it('plays the same from the same task, whatever was remembered before', async () => {
    const text = walkText({ before: '// remembered\n' });
    const portrait = async (episodes: number) => {
      const environment = await openWorld(text, { slip: 0.3 });
      const random = stream(9);
      const all = Array.from({ length: episodes }, () => {
        const { recorder, floors, world } = play(
          environment,
          environment.drawTask(random),
          randomly(environment, random),
        );
        return [recorder.words(), floors, world.reward(1)];
      });
      return { all, asked: environment.asked };
    };
    const first = await portrait(40);
    const second = await portrait(40);
    expect(second.all).toEqual(first.all);
    expect(second.asked).toBe(first.asked);
    const forgotten = await openWorld(`${text}// another text\n`, { slip: 0.3 });
    const random = stream(9);
    for (const [words] of first.all) {
      const { recorder } = play(forgotten, forgotten.drawTask(random), randomly(forgotten, random));
      expect(recorder.words()).toEqual(words);
    }
  });

  it('asks the sandbox once for each way of each action in each state', async () => {
    const environment = await openWorld(walkText({ before: '// counted\n' }), { slip: 0.3 });
    const random = stream(5);
    const tasks = Array.from({ length: 20 }, () => environment.drawTask(random));
    const playAll = () => tasks.map((task) => play(environment, task, randomly(environment, random)));
    for (let round = 0; round < 5; round++) playAll();
    const { asked } = environment;
    playAll();
    expect(environment.asked).toBe(asked);
    // 4 states from which one walks on, 2 actions, 2 ways each, a beginning for each task, and the ways once more for a floor.
    expect(asked).toBeLessThanOrEqual(20 + 2 * 16);
  });

  it('draws the dice that the lab draws', async () => {
    const rolls = '[random.below(2), random.below(7), random.below(1000), random.weighted([1, 0, 2.5, 4])]';
    const environment = await openWorld(
      walkText({
        words: "Array.from({ length: 1000 }, (_, i) => 'n' + i)",
        fields: 'heldOut: 0',
        start: "() => ({ state: { at: 0 }, say: ['n0'] })",
        step: `(state, action, random) => ({ state, say: ${rolls}.map((n) => 'n' + n) })`,
      }).replace('answer: 1', 'answer: 4'),
    );
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, isLeft) => {
        const random = stream(seed);
        const task = environment.drawTask(random);
        const { recorder } = play(environment, task, () => [isLeft ? 2 : 3]);
        const dice = new Dice();
        const expected = Array.from({ length: 12 }, (_, turn) => {
          dice.seek(task[0] ?? 0, turn + 1);
          const drawn = [dice.below(2), dice.below(7), dice.below(1000)];
          const mark = dice.unit() * 7.5;
          return [...drawn, mark < 1 ? 0 : mark < 3.5 ? 2 : 3].map((n) => `n${n}`);
        });
        const said = recorder.words().filter((_, at) => recorder.roles[at] === ROLE.observation);
        expect(said).toEqual(expected.flat());
      }),
      { numRuns: 30 },
    );
  });

  it('has the exact floor of what the dice decide', async () => {
    const environment = await openWorld(walkText(), { slip: 0.2, length: 9 });
    const { floors } = play(environment, environment.drawTask(stream(1)), () => [3]);
    for (const floor of floors) expect(floor).toBeCloseTo(coinEntropy(0.2), 12);
    const certain = await openWorld(walkText());
    expect(new Set(play(certain, certain.drawTask(stream(1)), randomly(certain, stream(2))).floors)).toEqual(
      new Set([0]),
    );
    const untold = await openWorld(walkText({ fields: 'heldOut: 0' }));
    expect(play(untold, untold.drawTask(stream(1)), () => [3]).floors.every(Number.isNaN)).toBe(true);
  });

  it('holds tasks out by what they are, not by their seeds', async () => {
    const text = walkText({ task: '(random) => ({ from: random.below(4), wind: random.below(3) })' });
    const told = text.replace('say: [', 'say: [').replace('state: { at: from }', 'state: { at: from }');
    const environment = await openWorld(
      told.replace('({ from }) => ({ state: { at: from }', '({ from, wind }) => ({ state: { at: from, wind }'),
    );
    const of = (split: 'train' | 'held-out'): Set<string> => {
      const random = stream(4);
      const begun = Array.from({ length: 200 }, () => {
        const drawing = environment.scenes(environment.drawTask(random, split), [], []);
        const world = environment.createWorld(1);
        world.reset(0, environment.drawTask(random, split), { emit: () => true });
        return [drawing, (world as unknown as { state(slot: number): { text: string } }).state(0).text];
      });
      return new Set(begun.map(([, state]) => String(state)));
    };
    const [trained, held] = [of('train'), of('held-out')];
    expect([...trained].filter((state) => held.has(state))).toEqual([]);
    expect(trained.size + held.size).toBe(12);
    expect(held.size).toBeGreaterThan(0);
  });

  it('has free decoding, in which what is no action is malformed', async () => {
    const environment = await openWorld(walkText(), { decoding: 'free', malformed: 'penalty', penalty: 0.25 });
    const actions = [[4], [3], [3], [0], [3], [3], [3], [3]];
    const { recorder, world } = play(
      environment,
      environment.drawTask(stream(1)),
      (_, __, turn) => actions[turn] ?? [3],
    );
    expect(drawnSet(world, 1)).toBe(0);
    expect(recorder.roles.filter((role) => role === ROLE.warning).length).toBeGreaterThan(0);
    expect(world.reward(1)).toBeLessThan(1);
    expect(world.isSuccess(1)).toBe(true);
  });

  it('may have actions of several words, and several sets of them', async () => {
    const text = `export default {
  title: 'Say it',
  summary: 'Repeat two words.',
  create: () => ({
    words: ['ready', 'right', 'wrong'],
    actions: { begin: ['start'], say: { words: ['a', 'b'], most: 2 } },
    legal: (state) => (state.begun ? 'say' : 'begin'),
    maxTurns: 2,
    longest: { prompt: 2, answer: 1 },
    heldOut: 0,
    task: (random) => ({ wanted: [random.pick(['a', 'b']), random.pick(['a', 'b'])] }),
    start: ({ wanted }) => ({ state: { wanted, begun: false }, say: wanted }),
    step(state, action) {
      if (!state.begun) return { state: { ...state, begun: true }, say: 'ready' };
      const success = action.join() === state.wanted.join();
      return { state, say: success ? 'right' : 'wrong', done: true, success };
    },
    expert: (state) => (state.begun ? state.wanted : 'start'),
    draw: (state) => ({ kind: 'text', lines: [state.wanted.join(' '), { text: state.begun ? 'begun' : 'not yet', tone: 'soft' }] }),
  }),
};
`;
    const environment = await openWorld(text);
    expect(environment).toMatchObject({ maxActionTokens: 3, context: 1 + 2 + 2 * 4 });
    expect(environment.words[environment.stopToken]).toBe('<enter>');
    const task = environment.drawTask(stream(8));
    const { recorder, world, actions } = play(environment, task, (one, slot) => one.expert?.(slot) ?? []);
    expect(actions.map((action) => action.length)).toEqual([1, 3]);
    expect(world.isSuccess(1)).toBe(true);
    expect(world.reward(1)).toBe(1);
    const scenes = environment.scenes(task, recorder.tokens, recorder.roles);
    expect(scenes).toHaveLength(3);
    expect(scenes[1]).toMatchObject({ kind: 'drawing', action: 'start', drawing: { kind: 'text' } });
    const shortened = play(environment, task, (_, __, turn) => (turn === 0 ? [2] : [3, 3]));
    expect(shortened.world.isDone(1)).toBe(true);
  });

  it('draws what was said where it has no drawing, and a board as the lab’s own', async () => {
    const environment = await openWorld(walkText());
    const task = environment.drawTask(stream(1));
    const { recorder } = play(environment, task, () => [3]);
    const last = environment.scenes(task, recorder.tokens, recorder.roles).at(-1);
    expect(last).toMatchObject({ kind: 'drawing', action: 'right' });
    const board = `cells: Array.from({ length }, () => 'floor'), width: length, height: 1, agent: [state.at, 0]`;
    const drawn = await openWorld(walkText({ fields: `draw: (state) => ({ kind: 'board', ${board} })` }));
    const [first] = drawn.scenes(drawn.drawTask(stream(1)), [], []);
    expect(first).toMatchObject({ kind: 'board', width: 5, boxes: [], controls: null });
    const wrong = await openWorld(walkText({ fields: "draw: () => ({ kind: 'board', html: '<b>' })" }));
    expect(() => wrong.scenes(wrong.drawTask(stream(1)), [], [])).toThrow(/draw\(\) gives no drawing.*line 8/);
  });
});

describe('progress of a world in one file', () => {
  it('are asked for where they are wanted, and bounded', async () => {
    const environment = await openWorld(walkText({ fields: 'heldOut: 0, progress: (state) => state.at / 3' }));
    const world = environment.createWorld(1);
    world.reset(0, environment.drawTask(stream(1)), { emit: () => true });
    const { asked } = environment;
    const at = Number(JSON.parse(world.stateText(0)).at);
    expect(world.progress?.(0)).toBeCloseTo(Math.min(1, at / 3), 12);
    expect(world.progress?.(0)).toBeCloseTo(Math.min(1, at / 3), 12);
    expect(environment.asked).toBe(asked + 1);
    const without = await openWorld(walkText());
    expect(without.createWorld(1).progress).toBeUndefined();
    const wrong = await openWorld(walkText({ fields: "heldOut: 0, progress: () => 'far'" }));
    const placed = wrong.createWorld(1);
    placed.reset(0, wrong.drawTask(stream(1)), { emit: () => true });
    expect(() => placed.progress?.(0)).toThrow(/progress\(\) returns something that is no number \(line 8\)/);
  });

  it('may have a word for what it counts', async () => {
    const named = await openWorld(walkText({ fields: "heldOut: 0, progress: () => 0, milestones: 'cells walked'" }));
    expect(named.milestoneWords).toBe('cells walked');
    expect((await openWorld(walkText())).milestoneWords).toBeUndefined();
    await expect(openWorld(walkText({ fields: 'heldOut: 0, milestones: 3' }))).rejects.toThrow(/milestones is missing/);
  });
});

describe('probes of a world in one file', () => {
  it('look for what the world tells of its state', async () => {
    const environment = await openWorld(
      walkText({ fields: "heldOut: 0, probe: ({ at }) => ({ half: at < 2 ? 'left' : 'right', cell: at })" }),
    );
    const task = environment.drawTask(stream(1));
    const { recorder } = play(environment, task, () => [3]);
    const scenes = environment.scenes(task, recorder.tokens, recorder.roles);
    const targets = targetsIn(scenes);
    const half = targets.find(({ id }) => id === 'own:half');
    expect(scenes.map((scene) => half?.value(scene)).at(-1)).toBe('right');
    expect(targets.map(({ id }) => id).slice(-2)).toEqual(['own:half', 'own:cell']);
    expect(targetsCalled(new Set(['own:cell', 'cell'])).map(({ name }) => name)).toEqual(['the cell it is on', 'cell']);
    const wrong = await openWorld(walkText({ fields: "heldOut: 0, probe: () => ({ '<b>': 1 })" }));
    expect(() => wrong.scenes(wrong.drawTask(stream(1)), [], [])).toThrow(/probe\(\) gives no names/);
  });
});

describe('the exhibit of a world that cannot be played', () => {
  it('is what is wrong with it', async () => {
    const wrong = await openWorld(walkText({ step: '() => nowhere' }));
    const lines = [expect.stringMatching(/nowhere is not defined/), expect.stringMatching(/Correct/)];
    expect(exhibit(wrong)).toMatchObject({ scenes: [{ kind: 'drawing', drawing: { lines } }], kinds: ['drawing'] });
    expect(exhibit(await openWorld(walkText())).scenes.length).toBeGreaterThan(1);
  });
});

describe('a mixture with a world in one file', () => {
  it('plays it beside worlds of longer and shorter actions', async () => {
    await openWorld(walkText());
    const settings = { gridworld: 1, calculator: 1, own: 2, 'own-world': walkText(), 'own-slip': 0.2 };
    const environment = mixture.create(settings);
    const random = stream(6);
    const seen = new Set<string>();
    for (let episode = 0; episode < 60; episode++) {
      const task = environment.drawTask(random);
      const { recorder, world } = play(environment, task, randomly(environment, random));
      expect(world.isDone(1)).toBe(true);
      const part = environment.parts?.[environment.environmentOf?.(task) ?? -1]?.id ?? '';
      if (part === 'own') expect(recorder.words()[1]).toMatch(/^c\d$/);
      seen.add(part);
    }
    expect([...seen].sort()).toEqual(['calculator', 'gridworld', 'own']);
  });
});
