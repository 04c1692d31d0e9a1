/** Gridworlds of all settings: what holds for any, and each variant by itself. Their floors have a file of their own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Environment, EnvironmentSettings } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { drawnSet } from '../../src/environments/replay';
import type { BoardScene } from '../../src/environments/scene';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE } from '../../src/foundation/roles';
import { checkContract, expertly, play, randomly, stream, successRate } from '../support/episodes';
import { FIRST_MOVE, randomMoves, SILENT, task } from '../support/gridworld';

/** Any settings that do not contradict each other. */
const anySettings = fc
  .record({
    size: fc.integer({ min: 4, max: 7 }),
    horizon: fc.integer({ min: 10, max: 20 }),
    minimumDistance: fc.integer({ min: 1, max: 3 }),
    observation: fc.constantFrom('opaque', 'coordinates', 'egocentric'),
    puzzle: fc.constantFrom('reach', 'key-door', 'boxes'),
    boxes: fc.integer({ min: 1, max: 2 }),
    walls: fc.constantFrom(0, 0.1, 0.2),
    holes: fc.constantFrom(0, 0.1),
    map: fc.constantFrom('fixed', 'told', 'hidden'),
    mapSeed: fc.integer({ min: 0, max: 9 }),
    slip: fc.constantFrom(0, 0.3),
    controls: fc.constantFrom('known', 'inverted', 'permuted'),
    noiseTokens: fc.integer({ min: 0, max: 2 }),
    noiseShare: fc.constantFrom(0, 0.2),
    heldOut: fc.constantFrom(0, 0.3),
    decoding: fc.constantFrom('legal', 'free'),
    malformed: fc.constantFrom('warning', 'end', 'penalty'),
  })
  .filter(({ puzzle, observation, slip }) => puzzle !== 'boxes' || (observation !== 'egocentric' && slip === 0));

function create(settings: EnvironmentSettings): Environment | null {
  try {
    return gridworld.create(settings);
  } catch {
    return null;
  }
}

describe('any gridworld', () => {
  it('keeps to the contract of environments, pads nothing, keeps its longest prompt, and warns of nothing legal', () => {
    let [made, warned] = [0, false];
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        made++;
        checkContract(environment, item, [settings.malformed === 'penalty' ? -0.1 * settings.horizon - 1e-9 : 0, 1]);
        // Any words where decoding is free, most of them malformed.
        const { recorder } = play(environment, task(environment, item), randomly(environment, stream(item)));
        const { tokens, roles } = recorder;
        expect(tokens.every((token, at) => roles[at] === ROLE.action || token > 0)).toBe(true);
        warned ||= roles.includes(ROLE.warning);
        if (settings.decoding === 'legal') expect(roles).not.toContain(ROLE.warning);
        const longest = environment.context - environment.maxTurns * (1 + environment.maxObservationTokens);
        expect(roles.filter((role) => role === ROLE.prompt).length).toBeLessThanOrEqual(longest);
      }),
      { numRuns: 150, seed: 11 },
    );
    expect(made).toBeGreaterThan(120);
    expect(warned).toBe(true);
  });

  it('never puts anything inside a wall or onto something else', () => {
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        const drawn = task(environment, item);
        const { recorder } = play(environment, drawn, randomMoves(item));
        const scenes = environment.scenes?.(drawn, recorder.tokens, recorder.roles) as BoardScene[];
        for (const { width, cells, agent, boxes } of scenes) {
          const places = [agent, ...boxes].map(([x, y]) => y * width + x);
          expect(new Set(places).size).toBe(places.length);
          for (const place of places) expect(['wall', 'door']).not.toContain(cells[place]);
          for (const place of places.slice(1)) expect(cells[place]).not.toBe('hole');
        }
        for (let at = 1; at < scenes.length; at++) {
          const [[x, y], [fromX, fromY]] = [scenes[at], scenes[at - 1]].map((scene) => (scene as BoardScene).agent) as [
            readonly [number, number],
            readonly [number, number],
          ];
          expect(Math.abs(x - fromX) + Math.abs(y - fromY)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 80, seed: 12 },
    );
  });

  it('can be solved by its expert wherever steps are certain', () => {
    let [solved, played] = [0, 0];
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create({ ...settings, slip: 0 });
        if (environment === null) return;
        const { world } = play(environment, task(environment, item), expertly);
        played++;
        if (world.isSuccess(1)) solved++;
        expect(world.progress?.(1)).toBe(1);
      }),
      { numRuns: 120, seed: 13 },
    );
    expect(solved / played).toBeGreaterThanOrEqual(0.99);
  });

  it('keeps held-out tasks out of training', () => {
    const environment = gridworld.create({ size: 4, horizon: 8, minimumDistance: 2, heldOut: 0.3 });
    expect(environment.hasHeldOut).toBe(true);
    const pairs = (split: 'train' | 'held-out') => {
      const random = new RandomStream(8, 2, 0, 0, 0);
      return new Set(Array.from({ length: 4000 }, () => environment.drawTask(random, split).slice(0, 2).join()));
    };
    const [train, heldOut] = [pairs('train'), pairs('held-out')];
    for (const pair of heldOut) expect(train.has(pair)).toBe(false);
    // 192 pairs of a 4×4 grid are at least 2 steps apart.
    expect(train.size + heldOut.size).toBe(192);
    expect(heldOut.size).toBeGreaterThan(35);
    expect(heldOut.size).toBeLessThan(80);
    expect(gridworld.create({}).hasHeldOut).toBe(false);
  });
});

describe('free decoding', () => {
  const create = (malformed: string) => gridworld.create({ decoding: 'free', malformed, size: 4, horizon: 5 });
  const complain = (malformed: string) => {
    const environment = create(malformed);
    expect(drawnSet(environment.createWorld(1), 0)).toBe(0);
    return play(environment, task(environment, 1), () => [0]);
  };

  it.each([
    ['warning', 5, 0],
    ['end', 1, 0],
    ['penalty', 5, -0.5],
  ])('answers a malformed action with a warning (%s)', (malformed, warnings, reward) => {
    const { recorder, floors, world } = complain(malformed);
    expect(recorder.roles.filter((role) => role === ROLE.warning)).toHaveLength(warnings);
    expect(recorder.roles).not.toContain(ROLE.observation);
    expect(recorder.words().at(-1)).toBe('malformed');
    expect(world.reward(1)).toBeCloseTo(reward, 12);
    expect(floors.every((floor) => floor === 0)).toBe(true);
  });
});

describe('key and door', () => {
  // The prompt names goal, key, door and start; a wall column with the door divides the board.
  const settings = { size: 5, horizon: 16, puzzle: 'key-door', map: 'hidden' };

  it('opens only to who has the key', () => {
    const environment = gridworld.create(settings);
    for (let item = 0; item < 40; item++) {
      const drawn = task(environment, item);
      const { recorder } = play(environment, drawn, expertly);
      const { tokens, roles } = recorder;
      expect(roles.indexOf(ROLE.action)).toBe(5);
      const said = recorder.words();
      expect(said.indexOf('took-key')).toBeGreaterThan(0);
      expect(said.indexOf('opened')).toBeGreaterThan(said.indexOf('took-key'));
      expect(said.at(-1)).toBe('arrived');
      const scenes = environment.scenes?.(drawn, tokens, roles) as BoardScene[];
      expect(scenes[0]?.cells.filter((cell) => cell === 'wall')).toHaveLength(4);
      expect(scenes[0]?.cells).toContain('door');
      expect(scenes.at(-1)?.cells).toContain('open-door');
      expect(scenes.some(({ carrying }) => carrying === 'key')).toBe(true);
    }
  });

  it('is seldom solved by chance', () => {
    // 3% in a study of the same world.
    expect(gridworld.create(settings).randomSuccess).toBeGreaterThan(0.005);
    expect(gridworld.create(settings).randomSuccess).toBeLessThan(0.06);
  });
});

describe('boxes', () => {
  it('have to be pushed, and take at least the smallest distance', () => {
    for (const boxes of [1, 2]) {
      const environment = gridworld.create({ size: 5, puzzle: 'boxes', boxes, horizon: 20, minimumDistance: 4 });
      for (let item = 0; item < 20; item++) {
        const { world, recorder, actions } = play(environment, task(environment, item), expertly);
        expect(world.isSuccess(1)).toBe(true);
        expect(actions.length).toBeGreaterThanOrEqual(4);
        expect(recorder.words()).toContain('arrived');
      }
    }
  });
});

describe('slippery ground', () => {
  const settings = { size: 4, horizon: 20, minimumDistance: 3, slip: 2 / 3, holes: 0.2, mapSeed: 3 };

  it('slides to the two sides as often as it should', () => {
    const environment = gridworld.create({ size: 7, slip: 0.6, minimumDistance: 1 });
    const counts = [0, 0, 0, 0];
    const world = environment.createWorld(1);
    const episodes = 3000;
    for (let item = 0; item < episodes; item++) {
      const drawn = task(environment, item);
      drawn.set([24, 48]);
      const tokens: number[] = [];
      world.reset(0, drawn, SILENT);
      world.step(0, [FIRST_MOVE], { emit: (token) => tokens.push(token) > 0 });
      const cell = (tokens[0] as number) - 6;
      const way = [17, 31, 23, 25].indexOf(cell);
      counts[way] = (counts[way] ?? 0) + 1;
    }
    expect(counts[1]).toBe(0);
    for (const [way, chance] of [
      [0, 0.4],
      [2, 0.3],
      [3, 0.3],
    ] as const) {
      const error = Math.sqrt((chance * (1 - chance)) / episodes);
      expect(Math.abs((counts[way] as number) / episodes - chance)).toBeLessThan(4 * error);
    }
  });

  it('is crossed by the expert far more often than by chance, though never surely', () => {
    const environment = gridworld.create(settings);
    const solved = successRate(environment, expertly, 200);
    expect(solved).toBeGreaterThan(2 * (environment.randomSuccess ?? 1));
    expect(solved).toBeLessThan(1);
  });

  it('knows how often a random walk succeeds all the same', () => {
    const environment = gridworld.create(settings);
    const episodes = 6000;
    const solved = successRate(environment, randomly(environment, stream(6)), episodes);
    const expected = environment.randomSuccess ?? 0;
    expect(Math.abs(solved - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / episodes));
  });
});

describe('settings that contradict each other', () => {
  it.each([
    [{ puzzle: 'boxes', observation: 'egocentric' }, /egocentric/],
    [{ puzzle: 'boxes', slip: 0.5 }, /slippery/],
    [{ puzzle: 'key-door', size: 3 }, /room/],
  ])('are refused: %o', (settings, message) => {
    expect(() => gridworld.create(settings)).toThrow(message);
  });
});

describe('settings whose tasks are rare', () => {
  const walled = { size: 4, puzzle: 'key-door', map: 'hidden', horizon: 14 };

  it.each([
    [
      { size: 8, minimumDistance: 1, horizon: 20, heldOut: 0.0006 },
      /Only 2 of 2,500 tasks drawn are held out.*larger held-out share/,
    ],
    [{ ...walled, minimumDistance: 12 }, /Only 1 of 2,500 maps/],
  ])('are refused rather than failing at some later draw: %o', (settings, message) => {
    expect(() => gridworld.create(settings)).toThrow(message);
  });

  it.each([
    [{ size: 8, minimumDistance: 1, horizon: 20, heldOut: 0.003 }],
    [{ ...walled, minimumDistance: 11, horizon: 48 }],
  ])('give one at every draw where they are not refused: %o', (settings) => {
    const environment = gridworld.create(settings);
    for (let i = 0; i < 100; i++) {
      const drawn = environment.drawTask(
        new RandomStream(1, 0, 0, i, 0),
        environment.hasHeldOut ? 'held-out' : 'train',
      );
      expect(drawn.length).toBeGreaterThan(1);
    }
  });
});
