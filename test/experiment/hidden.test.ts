// Parts of the page that a link hides: written, read back, refused by name; and the addresses of embedded parts.
import { expect, test } from 'vitest';
import { HIDEABLES, withHidden } from '../../src/experiment/link/hidden';
import { decodeRunLink } from '../../src/experiment/link/link';
import { firstPreset } from '../../src/experiment/presets/presets';
import { arrive } from '../../src/store/edit/arrival';
import { findPart } from '../../src/ui/frame/embed/shownPart';
import { embedLink, embedOf } from '../../src/ui/model/embedAddress';

const LINK = 'https://lab.example/unmask/#preset=gridworld&seeds=2';
const fragmentOf = (link: string) => link.slice(link.indexOf('#'));

test('parts a link hides are read back in order, and leave the experiment as it was', () => {
  const plain = decodeRunLink(fragmentOf(LINK));
  expect(plain.hidden).toEqual([]);
  expect(withHidden(LINK, [])).toBe(LINK);
  const { hidden, experiment } = decodeRunLink(fragmentOf(withHidden(LINK, ['settings', 'arms'])));
  expect(hidden).toEqual(['settings', 'arms']);
  expect(experiment).toEqual(plain.experiment);
  expect(decodeRunLink(fragmentOf(withHidden(LINK, HIDEABLES))).hidden).toEqual(HIDEABLES);
});

test.each([
  ['settings,everything', /cannot hide “everything”/],
  ['arms,arms', /names “arms” twice/],
  ['', /cannot hide “”/],
])('hide=%s is refused by name, and hides nothing', (value, words) => {
  const arrival = arrive(`#preset=gridworld&hide=${value}`);
  expect(arrival.notice?.kind).toBe('broken-link');
  expect(arrival.notice?.text).toMatch(words);
  expect(arrival.hidden).toEqual([]);
});

test('the address of an embedded part holds the experiment untouched', () => {
  const address = embedLink(`${LINK.replace('#', '?embed=old#')}`, 'chart-successRate');
  expect(address).toBe('https://lab.example/unmask/?embed=chart-successRate#preset=gridworld&seeds=2');
  expect(embedOf(new URL(address).search)).toBe('chart-successRate');
  expect(embedOf('')).toBeNull();
});

test('a part is an arm by its id or a chart by its metric, and else nothing', () => {
  const { arms } = firstPreset.experiment;
  expect(findPart('world-model', arms).arm?.name).toBe('World model');
  expect(findPart('chart-entropy', arms).chart?.title).toBe('Entropy');
  expect(findPart('chart-world-model', arms)).toEqual({ arm: undefined, chart: undefined });
  expect(findPart('chart-constructor', arms)).toEqual({ arm: undefined, chart: undefined });
});
