/** The entropy floor of a gridworld's observations: derived by hand, and counted over many episodes. */
import { describe, expect, it } from 'vitest';
import type { EnvironmentSettings } from '../../src/environments/environment';
import { gridworld } from '../../src/environments/gridworld/gridworld';
import { RandomStream } from '../../src/foundation/philox';
import { play } from '../support/episodes';
import { FIRST_MOVE, randomMoves, SILENT, task } from '../support/gridworld';

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
