import { describe, expect, it } from 'vitest';
import type { Emission } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import type { BoardScene } from '../../src/environments/scene';
import { RandomStream, STREAM } from '../../src/foundation/philox';
import { ROLE, type Role } from '../../src/foundation/roles';

const settings = { size: 6, horizon: 12, minimumDistance: 3 };
const [UP, DOWN, LEFT, RIGHT] = [2, 3, 4, 5] as const;
const FIRST_CELL = 6;

/** Recorder of an environment's tokens, with one reused pair of lists. */
class Transcript implements Emission {
  readonly tokens: number[] = [];
  readonly roles: Role[] = [];
  readonly context: number;

  constructor(context = 99) {
    this.context = context;
  }

  emit(token: number, role: Exclude<Role, 'action'>): boolean {
    return this.write(token, role);
  }

  write(token: number, role: Role): boolean {
    if (this.tokens.length >= this.context) return false;
    this.tokens.push(token);
    this.roles.push(role);
    return true;
  }

  get cells(): number[] {
    return this.tokens.slice(2).map((token) => token - FIRST_CELL);
  }
}

/** Plays one episode in slot 0, one of `slots`. */
function play(start: number, goal: number, choose: (cell: number, turn: number) => number, options = settings) {
  const environment = gridworld.create(options);
  const world = environment.createWorld(1);
  const transcript = new Transcript(environment.context);
  world.reset(0, Int32Array.of(start, goal), transcript);
  let cell = start;
  let turns = 0;
  while (!world.isDone(0)) {
    const action = choose(cell, turns++);
    transcript.write(action, 'action');
    world.step(0, [action], transcript);
    cell = (transcript.tokens.at(-1) ?? 0) - FIRST_CELL;
  }
  return { environment, world, transcript, turns, cell };
}

describe('the opaque map', () => {
  it('has a word for padding, the beginning, four moves and every cell, and says how long an episode can be', () => {
    const environment = gridworld.create(settings);
    expect(environment.words.slice(0, 6)).toEqual(['<pad>', '<bos>', 'up', 'down', 'left', 'right']);
    expect(environment.words).toHaveLength(42);
    expect(new Set(environment.words).size).toBe(42);
    for (const name of environment.words.slice(6)) expect(name).toMatch(/^[a-z][2-9]$/);
    expect(environment.context).toBe(27);
    expect(environment.legalSets).toEqual([[UP, DOWN, LEFT, RIGHT]]);
    expect(environment.createWorld(1).legalSet(0)).toBe(1);
  });

  it('names cells always the same way, and not by where they lie', () => {
    const words = gridworld.create(settings).words.slice(6);
    expect(gridworld.create(settings).words.slice(6)).toEqual(words);
    expect(words).not.toEqual([...words].sort());
    const sharesLetter = words.filter((name, cell) => cell % 6 > 0 && name[0] === words[cell - 1]?.[0]);
    expect(sharesLetter.length).toBeLessThan(8);
  });

  it('begins with the goal and the start as prompt', () => {
    const transcript = new Transcript();
    gridworld.create(settings).createWorld(2).reset(1, Int32Array.of(7, 30), transcript);
    expect(transcript.tokens).toEqual([1, FIRST_CELL + 30, FIRST_CELL + 7]);
    expect(transcript.roles).toEqual(['prompt', 'prompt', 'prompt']);
  });

  it.each([
    ['up', UP, 14, 8],
    ['down', DOWN, 14, 20],
    ['left', LEFT, 14, 13],
    ['right', RIGHT, 14, 15],
    ['up against the edge', UP, 3, 3],
    ['down against the edge', DOWN, 33, 33],
    ['left against the edge', LEFT, 12, 12],
    ['right against the edge', RIGHT, 17, 17],
    ['by a word that is no move', FIRST_CELL, 14, 14],
    ['by no word at all', 0, 14, 14],
  ])('moves %s', (_, action, from, to) => {
    const world = gridworld.create(settings).createWorld(1);
    const transcript = new Transcript();
    world.reset(0, Int32Array.of(from, from === 35 ? 0 : 35), transcript);
    world.step(0, [action], transcript);
    expect(transcript.tokens.at(-1)).toBe(FIRST_CELL + to);
    expect(transcript.roles.at(-1)).toBe('observation');
    expect(transcript.tokens).toHaveLength(4);
  });

  it('ends with reward 1 on the goal, which is still said', () => {
    const { world, transcript, turns } = play(0, 3, () => RIGHT);
    expect(turns).toBe(3);
    expect(transcript.cells.at(-1)).toBe(3);
    expect([world.isDone(0), world.isSuccess(0), world.reward(0)]).toEqual([true, true, 1]);
  });

  it('ends without reward at the horizon, having filled its context exactly', () => {
    const { environment, world, transcript, turns } = play(0, 35, () => UP);
    expect(turns).toBe(12);
    expect(transcript.tokens).toHaveLength(environment.context);
    expect([world.isDone(0), world.isSuccess(0), world.reward(0)]).toEqual([true, false, 0]);
  });

  it('counts reaching the goal on the last turn', () => {
    const { world } = play(0, 3, (_, turn) => (turn < 9 ? UP : RIGHT));
    expect(world.isSuccess(0)).toBe(true);
  });

  it('does nothing more once an episode is over, until it is begun again', () => {
    const { world } = play(0, 3, () => RIGHT);
    const transcript = new Transcript();
    world.step(0, [LEFT], transcript);
    expect(transcript.tokens).toEqual([]);
    expect(world.isSuccess(0)).toBe(true);
    world.reset(0, Int32Array.of(0, 3), transcript);
    expect(world.isDone(0)).toBe(false);
  });

  it('keeps its slots apart, and reads actions from typed arrays', () => {
    const world = gridworld.create(settings).createWorld(3);
    const transcripts = [0, 1, 2].map((slot) => {
      const transcript = new Transcript();
      world.reset(slot, Int32Array.of(slot * 6, 35), transcript);
      return transcript;
    });
    const action = Uint16Array.of(RIGHT);
    for (const slot of [2, 0, 2]) world.step(slot, action, transcripts[slot] as Transcript);
    expect(transcripts.map(({ cells }) => cells)).toEqual([[0, 1], [6], [12, 13, 14]]);
  });

  it('draws every pair far enough apart, all equally often, the same from the same numbers', () => {
    const environment = gridworld.create({ size: 3, horizon: 4, minimumDistance: 3 });
    const counts = new Map<string, number>();
    for (let item = 0; item < 12_000; item++) {
      const task = environment.drawTask(new RandomStream(1, STREAM.tasks, 0, 0, item));
      expect(environment.drawTask(new RandomStream(1, STREAM.tasks, 0, 0, item))).toEqual(task);
      counts.set(task.join(), (counts.get(task.join()) ?? 0) + 1);
    }
    // 4 corners have 3 cells each at distance 3 or 4 (the far corner and its 2 neighbours), and 4 edges have 2 each.
    expect(counts.size).toBe(20);
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 600) ** 2 / 600, 0);
    expect(chiSquare).toBeLessThan(43.8); // 99.9% quantile with 19 degrees of freedom
  });

  it('can always be solved by the scripted expert, by a shortest path', () => {
    const environment = gridworld.create(settings);
    const world = environment.createWorld(1);
    for (let start = 0; start < 36; start++) {
      for (let goal = 0; goal < 36; goal++) {
        const steps = Math.abs((start % 6) - (goal % 6)) + Math.abs(Math.floor(start / 6) - Math.floor(goal / 6));
        world.reset(0, Int32Array.of(start, goal), new Transcript());
        for (let turn = 0; turn < steps; turn++) {
          expect(world.isDone(0)).toBe(false);
          world.step(0, world.expert?.(0) ?? [], new Transcript());
        }
        expect(world.isSuccess(0)).toBe(true);
      }
    }
  });

  it('leaves nothing uncertain', () => {
    const { world } = play(0, 35, () => RIGHT);
    expect(world.entropyFloor?.(0)).toBe(0);
  });

  it('knows how often a random walk succeeds', () => {
    const environment = gridworld.create(settings);
    const episodes = 20_000;
    const world = environment.createWorld(1);
    const silent: Emission = { emit: () => true };
    const random = new RandomStream(7, STREAM.environment, 0, 0, 0);
    let successes = 0;
    for (let episode = 0; episode < episodes; episode++) {
      world.reset(0, environment.drawTask(random), silent);
      while (!world.isDone(0)) world.step(0, [UP + random.below(4)], silent);
      successes += world.reward(0);
    }
    // Four standard errors of a share near 0.1.
    expect(Math.abs(successes / episodes - (environment.randomSuccess ?? 0))).toBeLessThan(
      4 * Math.sqrt(0.09 / episodes),
    );
    expect(environment.randomSuccess).toBeCloseTo(0.09531, 5);
  });

  it('knows it exactly where it can be counted by hand', () => {
    // From corner to corner of a 3×3 grid in four turns: 6 shortest paths of 4^4.
    const { randomSuccess } = gridworld.create({ size: 3, horizon: 4, minimumDistance: 4 });
    expect(randomSuccess).toBeCloseTo(6 / 256, 14);
  });

  it('refuses a distance its grid does not have, and says which it has', () => {
    expect(() => gridworld.create({ size: 3, horizon: 4, minimumDistance: 5 })).toThrow(/at most 4/);
  });
});

describe('the board', () => {
  const scenesOf = (task: Int32Array, tokens: ArrayLike<number>, roles: ArrayLike<number>) =>
    (gridworld.create(settings).scenes?.(task, tokens, roles) ?? []) as BoardScene[];

  it('is replayed from the task and the tokens: one scene for the prompt and one for each turn', () => {
    const { transcript } = play(0, 8, (_, turn) => [UP, RIGHT, DOWN, RIGHT][turn] ?? UP);
    const roles = transcript.roles.map((role) => ROLE[role]);
    const scenes = scenesOf(Int32Array.of(0, 8), transcript.tokens, roles);
    expect(scenes.map(({ agent }) => agent)).toEqual([
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 1],
      [2, 1],
    ]);
    expect(scenes.map(({ action }) => action)).toEqual([null, 'up', 'right', 'down', 'right']);
    expect(scenes.every(({ cells }) => cells.indexOf('goal') === 8)).toBe(true);
    expect(scenes[0]).toMatchObject({ kind: 'board', width: 6, height: 6, boxes: [], carrying: null });
  });

  it('says where a move goes that hidden controls turn round', () => {
    const turned = gridworld.create({ ...settings, controls: 'inverted' });
    const random = new RandomStream(1, 0, 0, 0, 0);
    const roles = [ROLE.prompt, ROLE.action, ROLE.observation];
    const moves = Array.from({ length: 80 }, () => {
      const scenes = (turned.scenes?.(turned.drawTask(random), [1, UP, FIRST_CELL], roles) ?? []) as BoardScene[];
      const [before, after] = scenes.map(({ agent }) => agent[1]);
      return { action: scenes[1]?.action, rows: (after ?? 0) - (before ?? 0) };
    });
    const rowsOf = (action: string) => new Set(moves.filter((move) => move.action === action).map(({ rows }) => rows));
    // At an edge it stays where it is.
    expect(rowsOf('up')).toEqual(new Set([-1, 0]));
    expect(rowsOf('up goes down')).toEqual(new Set([1, 0]));
    expect(moves.every(({ action }) => action === 'up' || action === 'up goes down')).toBe(true);
  });

  it('draws nothing where there is nothing', () => {
    expect(scenesOf(new Int32Array(0), [], [])).toEqual([]);
    expect(scenesOf(Int32Array.of(0, 8), [1, 14, 6], [0, 0, 0])).toHaveLength(1);
  });
});
