// Files of formulas and worlds are foreign input: their names and texts are taken only where they can be one's.
import { expect, test } from 'vitest';
import { soundTexts } from '../../src/storage/texts';
import { FORMULAS, shelfName, TextShelf, WORLDS } from '../../src/store/desk/textShelf';

const shelf = new TextShelf(FORMULAS, () => Promise.reject(new Error('not asked')));

test.each([
  ['My loss (2).loss', 'loss = -logp\r\n', { name: 'my-loss-2', text: 'loss = -logp' }],
  ['Verlust.λ.loss', '\tloss = 1 # é\n', { name: 'verlust', text: '\tloss = 1 # é' }],
  ['.loss', 'loss = 1', { name: 'from-file', text: 'loss = 1' }],
])('%s', async (name, text, expected) => {
  expect(await shelf.read(new File([text], name))).toEqual(expected);
  expect(shelf.store.getState().problem).toBeNull();
});

test.each([
  ['binary.loss', new Uint8Array([0xff, 0xfe, 0]), 'no text'],
  ['zero.loss', 'loss = \u0000', 'no text'],
  ['long.loss', 'x'.repeat(4097), '4096'],
  ['huge.loss', 'x'.repeat(20_000), 'too large'],
])('%s is refused', async (name, content, why) => {
  expect(await shelf.read(new File([content], name))).toBeNull();
  expect(shelf.store.getState().problem).toContain(why);
});

test('what is kept is read only where it is a formula, newest first', () => {
  const [old, young] = [1, 2].map((date) => ({ name: `at-${date}`, text: 'loss = logp', date }));
  const strange = [null, 3, { ...young, name: 'A B' }, { ...young, text: 'x'.repeat(5000) }, { ...young, more: 1 }];
  expect(soundTexts([old, ...strange, young], FORMULAS)).toEqual([young, old]);
});

test('a browser that keeps nothing says so', async () => {
  await shelf.keep('mine', 'loss = logp');
  expect(shelf.store.getState().problem).toContain('not asked');
});

test('a world may be longer, and is called after its title', async () => {
  const worlds = new TextShelf(WORLDS, () => Promise.reject(new Error('not asked')));
  const text = 'x'.repeat(5000);
  expect(await worlds.read(new File([text], 'Frozen lake.js'))).toEqual({ name: 'frozen-lake', text });
  expect(await worlds.read(new File(['x'.repeat(30_000)], 'long.js'))).toBeNull();
  expect(worlds.store.getState().problem).toContain('has more than 24576 characters');
  expect(shelfName('Sokoban: mistakes that cannot be undone')).toBe('sokoban-mistakes-that-cannot-be');
  expect(shelfName('λ')).toBe('');
});
