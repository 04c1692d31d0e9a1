import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoardScene, Emission, Environment, EnvironmentSettings } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld';
import { RandomStream } from '../../src/foundation/philox';
import { ROLE, type Role } from '../../src/foundation/roles';

const SILENT: Emission = { emit: () => true };
const FIRST_MOVE = 2;

interface Episode {
  tokens: number[];
  roles: Role[];
  floors: number[];
  reward: number;
  success: boolean;
  refused: boolean;
}

/** Plays one episode; `choose` gives the next action. */
function play(
  environment: Environment,
  task: Int32Array,
  choose: (turn: number) => readonly number[],
  world = environment.createWorld(1),
): Episode {
  const tokens: number[] = [];
  const roles: Role[] = [];
  const floors: number[] = [];
  let refused = false;
  const write = (token: number, role: Role): boolean => {
    if (tokens.length >= environment.context) {
      refused = true;
      return false;
    }
    tokens.push(token);
    roles.push(role);
    return true;
  };
  world.reset(0, task, { emit: write });
  for (let turn = 0; !world.isDone(0); turn++) {
    const action = choose(turn);
    for (const token of action) write(token, 'action');
    world.step(0, action, { emit: write });
    floors.push(world.entropyFloor?.(0) ?? Number.NaN);
  }
  return { tokens, roles, floors, reward: world.reward(0), success: world.isSuccess(0), refused };
}

const task = (environment: Environment, item: number): Int32Array =>
  environment.drawTask(new RandomStream(5, 2, 0, 0, item));

const randomMoves = (item: number) => {
  const random = new RandomStream(6, 4, 0, 0, item);
  return () => [FIRST_MOVE + random.below(4)];
};

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
  it('replays to the same tokens, keeps to its roles and its context, and bounds its reward', () => {
    let made = 0;
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        made++;
        const drawn = task(environment, item);
        expect(task(environment, item)).toEqual(drawn);
        const random = new RandomStream(7, 4, 0, 0, item);
        const free = settings.decoding === 'free';
        const actions = Array.from({ length: environment.maxTurns }, () => [
          free ? random.below(environment.words.length) : FIRST_MOVE + random.below(4),
        ]);
        const choose = (turn: number) => actions[turn] as number[];
        const first = play(environment, drawn, choose);
        const again = play(environment, drawn, choose, environment.createWorld(3));
        expect(again).toEqual(first);
        expect(first.refused).toBe(false);
        expect(
          first.tokens.every(
            (token, at) => first.roles[at] === 'action' || (token > 0 && token < environment.words.length),
          ),
        ).toBe(true);
        expect(first.roles[0]).toBe('prompt');
        expect(first.roles.lastIndexOf('prompt')).toBeLessThan(first.roles.indexOf('action'));
        expect(first.roles.filter((role) => role === 'action').length).toBe(first.floors.length);
        expect(first.reward).toBeLessThanOrEqual(1);
        expect(first.reward).toBeGreaterThanOrEqual(
          settings.malformed === 'penalty' ? -0.1 * settings.horizon - 1e-9 : 0,
        );
        for (const floor of first.floors) if (!Number.isNaN(floor)) expect(floor).toBeGreaterThanOrEqual(0);
        const longest = environment.context - environment.maxTurns * (1 + environment.maxObservationTokens);
        expect(first.roles.filter((role) => role === 'prompt').length).toBeLessThanOrEqual(longest);
      }),
      { numRuns: 150, seed: 11 },
    );
    expect(made).toBeGreaterThan(120);
  });

  it('never puts anything inside a wall or onto something else', () => {
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        const drawn = task(environment, item);
        const { tokens, roles } = play(environment, drawn, randomMoves(item));
        const scenes = environment.scenes?.(
          drawn,
          tokens,
          roles.map((role) => ROLE[role]),
        ) as BoardScene[];
        expect(scenes).toHaveLength(1 + roles.filter((role) => role === 'action').length);
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
        const world = environment.createWorld(1);
        const episode = play(environment, task(environment, item), () => world.expert?.(0) ?? [], world);
        played++;
        if (episode.success) solved++;
        expect(world.progress?.(0)).toBe(1);
      }),
      { numRuns: 120, seed: 13 },
    );
    expect(solved / played).toBeGreaterThanOrEqual(0.99);
  });

  it('has a potential between 0 and 1', () => {
    fc.assert(
      fc.property(anySettings, fc.nat(1000), (settings, item) => {
        const environment = create(settings);
        if (environment === null) return;
        const world = environment.createWorld(1);
        const move = randomMoves(item);
        const check = () => {
          expect(world.progress?.(0)).toBeGreaterThanOrEqual(0);
          expect(world.progress?.(0)).toBeLessThanOrEqual(1);
          return move();
        };
        play(environment, task(environment, item), check, world);
      }),
      { numRuns: 40, seed: 14 },
    );
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
    expect(environment.createWorld(1).legalSet(0)).toBe(0);
    return { ...play(environment, task(environment, 1), () => [0]), words: environment.words };
  };

  it.each([
    ['warning', 5, 0],
    ['end', 1, 0],
    ['penalty', 5, -0.5],
  ])('answers a malformed action with a warning (%s)', (malformed, warnings, reward) => {
    const { tokens, roles, words, floors, ...episode } = complain(malformed);
    expect(roles.filter((role) => role === 'warning')).toHaveLength(warnings);
    expect(roles).not.toContain('observation');
    expect(words[tokens.at(-1) as number]).toBe('malformed');
    expect(episode.reward).toBeCloseTo(reward, 12);
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
      const world = environment.createWorld(1);
      const { tokens, roles } = play(environment, drawn, () => world.expert?.(0) ?? [], world);
      expect(roles.slice(0, 6)).toEqual(['prompt', 'prompt', 'prompt', 'prompt', 'prompt', 'action']);
      const said = tokens.map((token) => environment.words[token]);
      expect(said.indexOf('took-key')).toBeGreaterThan(0);
      expect(said.indexOf('opened')).toBeGreaterThan(said.indexOf('took-key'));
      expect(said.at(-1)).toBe('arrived');
      const scenes = environment.scenes?.(
        drawn,
        tokens,
        roles.map((role) => ROLE[role]),
      ) as BoardScene[];
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
        const world = environment.createWorld(1);
        const { tokens, success, floors } = play(
          environment,
          task(environment, item),
          () => world.expert?.(0) ?? [],
          world,
        );
        expect(success).toBe(true);
        expect(floors.length).toBeGreaterThanOrEqual(4);
        expect(tokens.map((token) => environment.words[token])).toContain('arrived');
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
    const world = environment.createWorld(1);
    let solved = 0;
    for (let item = 0; item < 200; item++) {
      if (play(environment, task(environment, item), () => world.expert?.(0) ?? [], world).success) solved++;
    }
    expect(solved / 200).toBeGreaterThan(2 * (environment.randomSuccess ?? 1));
    expect(solved / 200).toBeLessThan(1);
  });

  it('knows how often a random walk succeeds all the same', () => {
    const environment = gridworld.create(settings);
    const world = environment.createWorld(1);
    const episodes = 6000;
    let solved = 0;
    for (let item = 0; item < episodes; item++) {
      if (play(environment, task(environment, item), randomMoves(item), world).success) solved++;
    }
    const expected = environment.randomSuccess ?? 0;
    expect(Math.abs(solved / episodes - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / episodes));
  });
});

describe('the entropy floor', () => {
  it('is n ln 16 with n noise tokens', () => {
    const environment = gridworld.create({ noiseTokens: 2 });
    const { floors } = play(environment, task(environment, 0), randomMoves(0));
    for (const floor of floors) expect(floor).toBeCloseTo(2 * Math.log(16), 12);
  });

  it('is that of the slip: two sides and straight on, fewer in a corner', () => {
    const environment = gridworld.create({ size: 3, slip: 0.6, minimumDistance: 1, horizon: 6 });
    const world = environment.createWorld(1);
    const nats = (...chances: number[]) => chances.reduce((sum, chance) => sum - chance * Math.log(chance), 0);
    const first = (start: number, move: number) => {
      const drawn = task(environment, 0);
      drawn.set([start, start === 8 ? 0 : 8]);
      world.reset(0, drawn, SILENT);
      world.step(0, [FIRST_MOVE + move], SILENT);
      return world.entropyFloor?.(0);
    };
    expect(first(4, 0)).toBeCloseTo(nats(0.4, 0.3, 0.3), 12);
    // From the upper left corner upwards: the agent stays, bumping into either edge, or slides to the right.
    expect(first(0, 0)).toBeCloseTo(nats(0.7, 0.3), 12);
  });

  it.each([
    ['opaque', Math.log(4)],
    // Column, then row given the column: the column stays the same half of the time.
    ['coordinates', 1.5 * Math.log(2)],
  ])('is the posterior over hidden controls: %s', (observation, least) => {
    const environment = gridworld.create({ controls: 'permuted', observation, size: 5, minimumDistance: 1 });
    const world = environment.createWorld(1);
    const drawn = task(environment, 3);
    drawn.set([12, 0]);
    world.reset(0, drawn, SILENT);
    const floors = [0, 0, 1].map((move) => {
      world.step(0, [FIRST_MOVE + move], SILENT);
      return world.entropyFloor?.(0) ?? Number.NaN;
    });
    // Away from edges: the first move goes one of four ways, the same move the same way; another one of the other three.
    const isColumn = observation === 'opaque' || Math.abs((floors[0] as number) - least) < 1e-9;
    expect(floors[0]).toBeCloseTo(isColumn ? least : 2.5 * Math.log(2), 12);
    expect(floors[1]).toBeCloseTo(0, 12);
    if (observation === 'opaque') expect(floors[2]).toBeCloseTo(Math.log(3), 12);
  });

  it('falls to nothing once inverted controls are known', () => {
    const environment = gridworld.create({ controls: 'inverted', size: 5, minimumDistance: 3, horizon: 10 });
    const { floors } = play(environment, task(environment, 1), () => [FIRST_MOVE]);
    const [first, ...others] = floors;
    expect([0, Math.log(2)]).toContain(Number(first?.toFixed(15)) === 0 ? 0 : Math.log(2));
    expect(Math.max(...others)).toBeLessThan(0.7);
    expect(floors.at(-1)).toBeCloseTo(0, 12);
  });

  it.each<[string, EnvironmentSettings]>([
    ['noisy cells on ice', { noiseShare: 0.3, slip: 0.4 }],
    ['noisy cells and hidden controls', { noiseShare: 0.3, controls: 'inverted' }],
    ['the egocentric view', { observation: 'egocentric', walls: 0.15, mapSeed: 2 }],
    ['egocentric views on ice', { observation: 'egocentric', slip: 0.4 }],
    ['noisy coordinates on ice', { observation: 'coordinates', noiseShare: 0.2, slip: 0.2 }],
    ['ice with holes', { slip: 0.5, holes: 0.12, mapSeed: 1, noiseShare: 0.3 }],
  ])(
    'agrees with counting over simulated episodes: %s',
    (_, options) => {
      const settings: EnvironmentSettings = { size: 3, horizon: 3, minimumDistance: 1, ...options };
      const environment = gridworld.create(settings);
      const world = environment.createWorld(1);
      // The first two turns with fixed moves and a fixed prompt; how often each observation follows is counted.
      const moves = [3, 1];
      const counts = new Map<string, Map<string, number>>();
      const floors = new Map<string, { sum: number; count: number }>();
      const random = new RandomStream(21, 2, 0, 0, 0);
      const episodes = 20_000;
      const pair = task(environment, 0).slice(0, 2);
      for (let episode = 0; episode < episodes; episode++) {
        const said: number[] = [];
        const drawn = environment.drawTask(random);
        // Only one prompt, so there is enough to count; the egocentric view hides the pair, which stays random.
        if (settings.observation !== 'egocentric') drawn.set(pair);
        world.reset(0, drawn, { emit: (token) => said.push(token) > 0 });
        for (const move of moves) {
          if (world.isDone(0)) break;
          const before = said.join();
          const from = said.length;
          world.step(0, [FIRST_MOVE + move], { emit: (token) => said.push(token) > 0 });
          const after = said.slice(from).join();
          const row = counts.get(before) ?? new Map<string, number>();
          row.set(after, (row.get(after) ?? 0) + 1);
          counts.set(before, row);
          const floor = floors.get(before) ?? { sum: 0, count: 0 };
          floor.sum += world.entropyFloor?.(0) ?? Number.NaN;
          floor.count++;
          floors.set(before, floor);
        }
      }
      let compared = 0;
      for (const [before, row] of counts) {
        const total = [...row.values()].reduce((sum, count) => sum + count, 0);
        if (total < 40 * row.size || total < 300) continue;
        let entropy = (row.size - 1) / (2 * total); // Miller and Madow's correction
        let square = 0;
        for (const count of row.values()) {
          entropy -= (count / total) * Math.log(count / total);
          square += (count / total) * Math.log(count / total) ** 2;
        }
        const error = Math.sqrt(Math.max(0, square - entropy ** 2) / total);
        const { sum, count } = floors.get(before) as { sum: number; count: number };
        expect(Math.abs(sum / count - entropy)).toBeLessThan(4.5 * error + 0.02);
        compared++;
      }
      expect(compared).toBeGreaterThan(3);
    },
    30_000,
  );

  it('is that of noise alone where the state is known: every token a mixture with its own alphabet', () => {
    const environment = gridworld.create({ observation: 'coordinates', size: 5, noiseShare: 0.3 });
    const { floors } = play(environment, task(environment, 0), randomMoves(0));
    const nats = (chance: number) => -chance * Math.log(chance);
    for (const floor of floors) expect(floor).toBeCloseTo(2 * (nats(0.7 + 0.06) + 4 * nats(0.06)), 12);
  });

  it('is not known where the map is neither fixed nor told', () => {
    for (const settings of [
      { map: 'hidden', walls: 0.2 },
      { observation: 'egocentric', map: 'told', walls: 0.2 },
    ]) {
      const environment = gridworld.create(settings);
      expect(play(environment, task(environment, 0), randomMoves(0)).floors[0]).toBeNaN();
    }
    const told = gridworld.create({ map: 'told', walls: 0.2 });
    expect(play(told, task(told, 0), randomMoves(0)).floors[0]).toBe(0);
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
