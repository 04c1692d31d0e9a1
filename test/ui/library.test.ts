/** The gallery: a card of everything that the lists have, found by words, and each leading somewhere. */
import { expect, test } from 'vitest';
import { environments } from '../../src/environments/registry';
import { decodeRunLink } from '../../src/experiment/link/link';
import { presets } from '../../src/experiment/presets/presets';
import { whereabouts } from '../../src/ui/model/place';
import { cardsWith, KINDS } from '../../src/ui/places/library/cards';
import { CARDS } from '../../src/ui/places/library/findings/data';
import { LESSON_IDS } from '../../src/ui/places/library/lessons/titles';

const all = cardsWith('');
const idsOf = (kind: keyof typeof KINDS): string[] => all.filter((card) => card.kind === kind).map(({ id }) => id);

test('each experiment, finding, lesson and world has one card, and methods and losses have theirs', () => {
  expect(idsOf('experiment')).toEqual(presets.map(({ id }) => id));
  expect(idsOf('finding')).toEqual(CARDS.map(({ name }) => name));
  expect(idsOf('lesson')).toEqual(LESSON_IDS);
  expect(idsOf('world')).toEqual(Object.keys(environments));
  expect(idsOf('loss')).toContain('DPO');
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    expect(new Set(idsOf(kind)).size, kind).toBe(idsOf(kind).length);
  }
});

test('each leads to a place that is there, with an experiment that can be read', () => {
  for (const { id, fragment } of all) {
    const { place, name, experiment } = whereabouts(fragment);
    expect(place !== 'lab' || name === '' || fragment === '#lab', id).toBe(true);
    if (experiment !== '') expect(() => decodeRunLink(experiment), id).not.toThrow();
  }
});

test('words are looked for in names, lines and facts, all of them', () => {
  expect(cardsWith('SHOP catalogue').map(({ id }) => id)).toContain('shop');
  expect(cardsWith('gspo').some(({ kind }) => kind === 'method')).toBe(true);
  expect(cardsWith('shop nonesuch')).toEqual([]);
});
