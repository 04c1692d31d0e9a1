/**
 * Bounds of what a world in one file may tell, which a link may have brought: lists are counted before anything is done with each.
 */
import { describe, expect, it, test } from 'vitest';
import { readDescription } from '../../../src/environments/own/description';
import { conversation, ownScene } from '../../../src/environments/own/drawing';
import { NOWHERE, WorldError } from '../../../src/environments/own/examine/failure';
import { placed } from '../../../src/environments/own/examine/place';
import { OWN_LIMITS } from '../../../src/environments/own/reading';
import type { OwnSlots } from '../../../src/environments/own/slots';
import type { OwnWorld } from '../../../src/environments/own/world';
import { SILENT } from '../../../src/environments/replay';
import type { DrawingScene } from '../../../src/environments/scene';
import { openWorld, walkText } from '../../support/ownWorlds';

const listOf = <T>(length: number, one: T): T[] => Array.from({ length }, () => one);

describe('a description', () => {
  const told = (more: object) => () =>
    readDescription(
      JSON.stringify({ functions: ['task', 'start', 'step'], actions: ['go'], maxTurns: 1, heldOut: 0, ...more }),
      null,
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

describe('an answer', () => {
  const played = async (step: string, before = '') => {
    const slots = (await openWorld(walkText({ step, before }))).createWorld(1);
    slots.reset(0, Int32Array.of(3, 0), SILENT);
    slots.step(0, [2], SILENT);
    return slots.reward(0);
  };

  it('has no number so large that a sum of its squares is none in 32 bits', async () => {
    const told = (more: string) => played(`(state) => ({ state, say: 'c0', ${more} })`);
    expect(await told('reward: -1e15')).toBe(-1e15);
    await expect(told('reward: -1e16')).rejects.toThrow(/a reward of -10+, and the lab counts to/);
    await expect(told('floor: 1e308')).rejects.toThrow(/a floor of 1e\+308, and the lab counts to/);
  });

  it('has no reward beyond numbers where the text changed how answers are written', async () => {
    const before = `const { map } = Array.prototype;
Array.prototype.map = function (each) {
  const forge = (line) => (typeof line === 'string' ? line.replace('"reward":7', '"reward":1e999') : line);
  return map.call(map.call(this, each), forge);
};
`;
    await expect(played("(state) => ({ state, say: 'c0', reward: 7 })", before)).rejects.toThrow(
      /a reward of Infinity/,
    );
  });

  it('rolls no dice whose weights have no sum', async () => {
    await expect(
      played(`(state, action, random) => ({ state, say: 'c' + random.weighted([1e308, 1e308]) })`),
    ).rejects.toThrow(/the sum of the weights is too large/);
  });
});

describe('a drawing', () => {
  const drawn = (told: object) => () => ownScene(told, null, conversation([]), null);

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

  it('has no more letters than a page lays out at once, in scripts and marks of any kind', () => {
    const wide = '\u0301'.repeat(200);
    const cards = (count: number) => listOf(count, { title: wide, text: wide });
    const shape = { shape: 'text', x: 0, y: 0, text: wide };
    for (const told of [
      { kind: 'text', lines: [...listOf(30, wide), ...listOf(21, { text: wide })] },
      { kind: 'table', head: listOf(20, wide), rows: listOf(31, [wide]) },
      { kind: 'cards', cards: cards(26) },
      { kind: 'shapes', width: 1, height: 1, shapes: listOf(51, shape) },
    ]) {
      expect(drawn(told)).toThrow('draw() gives texts of more than 10,000 characters together');
    }
    expect(drawn({ kind: 'cards', cards: cards(25) })).not.toThrow();
  });

  it('is the end of a conversation that has more', () => {
    const said = Array.from({ length: 100 }, (_, turn) => [`› ${turn}`, 'x'.repeat(300)]).flat();
    const { drawing } = ownScene(null, null, conversation(said), null) as DrawingScene;
    if (drawing.kind !== 'text') throw new TypeError('A conversation is a text.');
    const texts = drawing.lines.map((line) => (typeof line === 'string' ? line : line.text));
    expect(texts[0]).toBe('…');
    expect(texts.slice(-2)).toEqual(['› 99', 'x'.repeat(200)]);
    expect(texts.join('').length).toBeLessThanOrEqual(10_000);
    expect(texts.join('').length).toBeGreaterThan(9700);
  });

  it('has no size that a browser cannot draw', () => {
    const shapes = (width: number, height: number, ...shapes: object[]) => ({ kind: 'shapes', width, height, shapes });
    const rect = { shape: 'rect', x: 0, y: 0, width: 0, height: 1 };
    expect(drawn(shapes(1, 1, rect))).not.toThrow();
    for (const told of [
      shapes(-5, 1),
      shapes(1, 0),
      shapes(1e-300, 1),
      shapes(1, 1, { ...rect, width: -1 }),
      shapes(1, 1, { shape: 'circle', x: 0, y: 0, radius: -1 }),
      { kind: 'board', width: 1, height: 1, cells: ['floor'], agent: [1e300, 0] },
      { kind: 'board', width: 1, height: 1, cells: ['floor'], agent: [0, 0], boxes: [[0, 1e300]] },
    ]) {
      expect(drawn(told)).toThrow(/^draw\(\) gives no drawing: .*Invalid value/);
    }
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

test('the line of a mistake is looked for in a time that goes with the text, not with its square', () => {
  const text = ' \\"'.repeat(25_000);
  const error = new WorldError(NOWHERE, '', { what: 'step() says “zzz”, which is not in words' });
  const before = process.cpuUsage();
  expect(placed(error, text)).toBe(error);
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(1000);
});
