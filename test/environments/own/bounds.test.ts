/** Bounds of what a world in one file may tell, which a link may have brought: lists are counted before anything is done with each. */
import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../src/environments/own/described';
import { ownScene } from '../../../src/environments/own/drawing';
import { OWN_LIMITS } from '../../../src/environments/own/reading';
import type { OwnSlots } from '../../../src/environments/own/slots';
import type { OwnWorld } from '../../../src/environments/own/world';
import { SILENT } from '../../../src/environments/replay';
import { openWorld, walkText } from '../../support/ownWorlds';

const listOf = <T>(length: number, one: T): T[] => Array.from({ length }, () => one);

describe('a description', () => {
  const told = (more: object) => () =>
    readDescription(
      JSON.stringify({ functions: ['task', 'start', 'step'], actions: ['go'], maxTurns: 1, heldOut: 0, ...more }),
    );
  /** No word at all: what looks at it before it counts says so. */
  const words = listOf(OWN_LIMITS.words + 1, 7);

  it.each<[string, object, RegExp]>([
    ['words', { words }, /more than 2000 words in words/],
    ['actions', { actions: words }, /more than 2000 words in actions/],
    ['tools', { tools: words }, /more than 2000 words in tools/],
    ['sets', { actions: Object.fromEntries(words.map((word, at) => [`set${at}`, [word]])) }, /1 to 32 sets/],
  ])('has no more %s than a world needs', (_, more, refusal) => {
    expect(told(more)).toThrow(refusal);
  });

  it('has no more choices of a setting', async () => {
    const settings = `{ length: { default: 5, min: 3, max: 9 }, slip: { default: 0, min: 0, max: 0.5 },
      kind: { default: 'a', choices: Array.from({ length: 65 }, () => 'a') } }`;
    await expect(openWorld(walkText({ settings }))).rejects.toThrow(/settings\.kind has more than 64 choices/);
  });
});

describe('a drawing', () => {
  const drawn = (told: object) => () => ownScene(told, null, [], null);

  it('has no more cells, lines, cards or shapes than can be drawn at each turn', () => {
    const row = listOf(32, 'x');
    expect(drawn({ kind: 'table', rows: listOf(32, row) })).not.toThrow();
    expect(drawn({ kind: 'table', rows: [...listOf(32, row), ['x']] })).toThrow(/more than 1024 cells/);
    // A number where a row, a line, a card or a shape belongs is not looked at before they are counted.
    for (const told of [
      { kind: 'table', rows: listOf(401, 7) },
      { kind: 'text', lines: listOf(401, {}) },
      { kind: 'cards', cards: listOf(401, 7) },
      { kind: 'shapes', width: 1, height: 1, shapes: listOf(401, 7) },
    ]) {
      expect(drawn(told)).toThrow(/Invalid length/);
    }
    expect(drawn({ kind: 'board', width: 32, height: 32, cells: listOf(1024, 'floor'), agent: [0, 0] })).not.toThrow();
  });

  it('has no longer names of fields than a line of a message takes', () => {
    const told = { kind: 'text', lines: [], [`\u202e${'y'.repeat(1e6)}`]: 1 };
    expect(drawn(told)).toThrow(/^draw\(\) gives no drawing: \ufffdy+…: .{1,250}\.$/);
  });
});

describe('dice', () => {
  const rolling = (rolls: number): Promise<OwnWorld> =>
    openWorld(
      walkText({
        step: `(state, action, random) => {
        for (let roll = 0; roll < ${rolls}; roll++) random.below(2);
        return { state, say: ['c1'] };
      }`,
      }),
    );
  const lines = (environment: OwnWorld, call: (world: OwnSlots) => void): number => {
    const world = environment.createWorld(1);
    world.reset(0, Int32Array.of(1, 0), SILENT);
    world.step(0, [2], SILENT);
    const { asked } = environment;
    call(world);
    return environment.asked - asked;
  };

  it('that fall in more ways than a floor is computed over have none, and are not all asked for', async () => {
    const told = (environment: OwnWorld) => lines(environment, (world) => expect(world.entropyFloor(0)).toBeNaN());
    expect(told(await rolling(40))).toBeLessThan(1024);
  });

  it('are remembered while they are few', async () => {
    const again = (environment: OwnWorld) =>
      lines(environment, (world) => {
        world.reset(0, Int32Array.of(1, 0), SILENT);
        world.step(0, [2], SILENT);
      });
    expect(again(await rolling(1024))).toBe(0);
    expect(again(await rolling(1025))).toBe(1);
  });
});
