/** Addresses of places: read, written again, and those of links made before. */
import { expect, test, vi } from 'vitest';
import { HIDEABLES } from '../../src/experiment/link/hidden';
import { leave, useLessonBefore } from '../../src/ui/model/lessonBefore';
import {
  AREAS,
  BEHIND_GEAR,
  fragmentOf,
  isHidden,
  labLink,
  PLACE_IDS,
  whereabouts,
  withFragment,
} from '../../src/ui/model/place';

const LINK = '#preset=gridworld-tiny&title=a%26b%2Fwhy&hide=settings';

test('an address says place and experiment, and reads as it was written', () => {
  for (const experiment of ['', '#v=1&preset=shop', LINK]) {
    for (const place of PLACE_IDS) {
      for (const name of place === 'lab' ? [''] : ['', 'log_prob/masked', 'why-mask', 'with-it/ce.observation']) {
        const at = { place, name, experiment };
        expect(whereabouts(fragmentOf(at))).toEqual(at);
      }
    }
  }
  expect(fragmentOf({ place: 'why', name: '', experiment: '#preset=shop' })).toBe('#why&preset=shop');
});

test.each([
  ['#preset=gridworld', 'lab', '', '#preset=gridworld'],
  ['#v=1&preset=gridworld', 'lab', '', '#v=1&preset=gridworld'],
  ['#kernels', 'kernels', '', ''],
  ['#kernels/log_prob/masked', 'kernels', 'log_prob/masked', ''],
  ['#training', 'training', '', ''],
  ['#belief', 'sure', '', ''],
  ['#arms', 'lab', '', ''],
  ['#understand&preset=shop', 'why', '', '#preset=shop'],
  ['#build', 'world', '', ''],
  ['', 'lab', '', ''],
  ['#', 'lab', '', ''],
])('%s means what it meant', (link, place, name, experiment) => {
  expect(whereabouts(link)).toEqual({ place, name, experiment });
});

test.each([`#kernels/${'x'.repeat(81)}`, '#nowhere', '#why=1', '#toString', '#Why', '#why?preset=shop', '#%E0%A4%A'])(
  '%s is a broken link',
  (link) => {
    expect(whereabouts(link)).toEqual({ place: 'lab', name: '', experiment: link });
  },
);

test('what a link hides is no place, and the lab always is', () => {
  expect(isHidden('sure', ['belief'])).toBe(true);
  expect(isHidden('sure', ['why', 'training'])).toBe(false);
  const shown = PLACE_IDS.filter((place) => !isHidden(place, HIDEABLES));
  expect(shown, 'Give the place `hiddenBy` in src/ui/model/place.ts').toEqual(['lab']);
});

test('every place is in one area or behind the gear, and an area is the first of its places that is not hidden', () => {
  const all = [...Object.values(AREAS).flatMap(({ places }) => places), ...BEHIND_GEAR];
  expect(all.toSorted()).toEqual(PLACE_IDS.toSorted());
  expect(Object.keys(AREAS)).toHaveLength(5);
  const counts = Object.values(AREAS).map(({ places }) => places.length);
  expect(Math.max(...counts), 'A phone of 320 pixels shows four places of an area').toBeLessThanOrEqual(4);
  expect(whereabouts('#understand', ['why', 'belief']).place).toBe('training');
  expect(whereabouts('#runs', ['runs']).place).toBe('runs');
});

test('a lesson is remembered in the lab alone, and until that is left', () => {
  const [lesson, after] = [{ id: 'mask', title: 'What a mask is' }, () => useLessonBefore.getState().lesson];
  vi.stubGlobal('location', new URL('https://lab.example/#preset=shop'));
  leave(lesson);
  expect(after()).toEqual(lesson);
  location.hash = '#runs';
  leave(null);
  expect(after()).toBeNull();
  leave(lesson);
  expect(after()).toBeNull();
  vi.unstubAllGlobals();
});

test('a link in another page’s frame leads to the lab where it is, whatever its path begins with', () => {
  vi.stubGlobal('location', new URL('https://lab.example//other.example/?embed=lesson-mask#preset=shop'));
  expect(withFragment('#lessons/mask')).toBe('https://lab.example//other.example/?embed=lesson-mask#lessons/mask');
  expect(labLink('#lessons/mask')).toBe('https://lab.example//other.example/#lessons/mask');
  expect(labLink('')).toBe('https://lab.example//other.example/');
  vi.unstubAllGlobals();
});
