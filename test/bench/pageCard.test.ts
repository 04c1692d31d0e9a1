// The picture that links to the page show elsewhere: made of what is recorded now, small, of the size that the page tells.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CARD_SIZE, isMadeOf, PAGE_CARD, pageCard, withSource } from '../../bench/pageCard';

test('it is as npm run pictures -- card makes it', () => {
  const svg = pageCard();
  const png = readFileSync(PAGE_CARD);
  expect(isMadeOf(png, svg)).toBe(true);
  expect(isMadeOf(png, `${svg} `)).toBe(false);
  expect(isMadeOf(withSource(new Uint8Array(64), 'another'), svg)).toBe(false);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([CARD_SIZE.width, CARD_SIZE.height]);
  expect(svg).toContain(`viewBox="0 0 ${CARD_SIZE.width} ${CARD_SIZE.height}"`);
  expect(png.length).toBeLessThan(100_000);
  const page = readFileSync('index.html', 'utf8');
  expect(page).toContain(`property="og:image" content="/${PAGE_CARD}"`);
  expect(page).toContain(`property="og:image:width" content="${CARD_SIZE.width}"`);
});
