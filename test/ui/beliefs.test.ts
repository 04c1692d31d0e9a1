/** What is said of a changed belief follows from its probabilities. */
import { expect, test } from 'vitest';
import type { BeliefView } from '../../src/train/looks/shown';
import {
  actionSign,
  beliefWords,
  cellName,
  depthsOf,
  meanOfRandom,
  steeredAt,
  strengthsOf,
} from '../../src/ui/places/understand/why/inside/beliefs';

type Tried = BeliefView['tried'];
type Steered = Tried['steered'][number];

const UP = [0.7, 0.2, 0.1];
const DOWN = [0.1, 0.8, 0.1];
const LEFT = [0.1, 0.2, 0.7];
const steered = (change: Partial<Steered>): Steered => ({
  blocks: 1,
  strength: 1,
  after: DOWN,
  random: [UP, DOWN, UP, UP],
  elsewhere: LEFT,
  ...change,
});
const view = (tried: Partial<Tried>): BeliefView => ({
  update: 3,
  ground: 0,
  grounds: 16,
  board: {
    kind: 'board',
    width: 1,
    height: 1,
    cells: ['floor'],
    agent: [0, 0],
    boxes: [],
    carrying: null,
    controls: null,
    action: null,
  },
  cells: [],
  present: '0,0',
  believed: '1,0',
  actions: ['up', 'down', 'left'],
  tried: { before: UP, there: DOWN, steered: [], ...tried },
});

test('it went along, stayed, or went elsewhere', () => {
  expect(beliefWords(view({}), steered({}))).toBe(
    'Its likeliest action goes from “up” to “down”, as where it truly is there. Of 4 pushes of the same length in random directions 1 lead to “down”; one towards a third cell does not.',
  );
  expect(beliefWords(view({}), steered({ after: UP, elsewhere: DOWN }))).toMatch(
    /^Its likeliest action stays “up”; where it truly is there it is “down”.* third cell does\.$/,
  );
  expect(beliefWords(view({}), steered({ after: LEFT }))).toMatch(
    /^Its likeliest action goes from “up” to “left”, and not to “down”/,
  );
});

test('where both places ask for the same, nothing is claimed', () => {
  expect(beliefWords(view({ there: UP }), steered({ after: UP }))).toMatch(
    /^Its likeliest action is “up” in both places, and does so still/,
  );
  expect(beliefWords(view({ there: UP }), steered({}))).toMatch(/and now “down”/);
});

test('places in the policy and strengths are those that were tried', () => {
  const tried = [0, 1].flatMap((blocks) => [1, 3].map((strength) => steered({ blocks, strength })));
  const asked = view({ steered: tried });
  expect(depthsOf(asked)).toEqual([0, 1]);
  expect(strengthsOf(asked)).toEqual([
    ['1', 'the whole way'],
    ['3', 'three times'],
  ]);
  expect(steeredAt(asked, { blocks: 0, strength: 3 })).toBe(tried[1]);
  // A shallower policy than before: its deepest place.
  expect(steeredAt(asked, { blocks: 2, strength: 1 })).toBe(tried[2]);
  expect(steeredAt(asked, { blocks: 0, strength: 2 })).toBeUndefined();
});

test('means, names and signs', () => {
  expect(meanOfRandom(steered({ random: [UP, DOWN] }))).toEqual(
    [0.4, 0.5, 0.1].map((value) => expect.closeTo(value, 12)),
  );
  expect(cellName([2, 0])).toBe('column 3, row 1');
  expect(['up', 'right', 'wait'].map(actionSign)).toEqual(['↑', '→', 'wa']);
});
