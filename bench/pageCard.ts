/**
 * The picture that a link to the lab shows elsewhere: the first experiment as it was recorded, as a card. `npm run pictures -- card`
 * makes it; the PNG says of which SVG it is, so that a test sees when it is to be made again.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { strToU8 } from 'fflate';
import type { SharedResult } from '../src/experiment/conclude/result';
import { defaultPreset } from '../src/experiment/presets/presets';
import { crc32 } from '../src/foundation/crc32';
import { cardOf } from '../src/ui/frame/share/card';
import { formatPercent } from '../src/ui/kit/format';
import { spreadLabels } from '../src/ui/kit/plot/labels';
import { stillOf } from '../src/ui/kit/plot/still';
import { armColours } from '../src/ui/model/armColour';
import { sentVerdict } from '../src/ui/model/arms/verdict';

export const PAGE_CARD = 'src/ui/card.png';
export const CARD_SIZE = { width: 1200, height: 630 };

/** Pixels of a still, and how much larger it is drawn within the card's chart. */
const [STILL_WIDTH, STILL_HEIGHT, LARGER] = [400, 220, 1.1];

export function pageCard(): string {
  const { experiment } = defaultPreset;
  const recorded: SharedResult = JSON.parse(
    readFileSync(`src/store/recorded/${experiment.preset}.json`, 'utf8'),
  ) as SharedResult;
  const colours = armColours(experiment.arms);
  const series = recorded.arms.map(({ id, name, successRate }) => ({
    ...{ id, name, kind: 'mean' as const, colour: colours.get(id)?.stroke ?? '' },
    points: recorded.at.map((at, i) => ({ at, value: successRate[i] ?? null })),
  }));
  const still = stillOf({
    title: 'Success rate',
    description: '',
    across: {
      domain: [0, recorded.updates],
      ticks: [0, 50, 100, 150, 200],
      write: String,
      words: String,
      name: 'updates',
    },
    up: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], write: formatPercent },
    series,
    format: formatPercent,
  });
  // The plot lies between 8 and 176 of the still's pixels.
  const ends = series.map(({ points }) => LARGER * (176 - 168 * (points.at(-1)?.value ?? 0)) + 24);
  const heights = spreadLabels(ends, 24, 24, 240);
  const names = series.map(
    ({ name, colour, points }, i) =>
      `<text x="${STILL_WIDTH * LARGER + 8}" y="${((heights[i] ?? 0) + 5).toFixed(1)}" font-size="18" fill="${colour}">${name}, ${formatPercent(points.at(-1)?.value ?? 0)}</text>`,
  );
  const height = Math.ceil(STILL_HEIGHT * LARGER) + 24;
  const chart =
    `<svg width="720" height="${height}"><text x="16" y="16" font-size="15" font-weight="600" fill="#1d1f24">Success rate on practised questions</text>` +
    `<g transform="translate(16 24) scale(${LARGER})">${still}</g>${names.join('')}</svg>`;
  const svg = cardOf({
    title: experiment.title,
    verdict: sentVerdict(recorded, experiment),
    note: '',
    address: 'Train tiny agents in a browser tab',
    chart,
  });
  return inLight(svg);
}

/** The stylesheet's colours of the light theme in place of their names. */
function inLight(svg: string): string {
  const theme = readFileSync('src/ui/theme.css', 'utf8');
  return svg.replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
    const [, colour] = new RegExp(`${name}: light-dark\\((#\\w+)`).exec(theme) ?? [];
    if (colour === undefined) throw new Error(`theme.css has no ${name}.`);
    return colour;
  });
}

const digestOf = (svg: string): string => createHash('sha256').update(svg).digest('hex');
const KEYWORD = 'Source';
/** Bytes before a PNG's second chunk: its signature and its header. */
const HEAD = 33;

/** The PNG with the digest of what it was made of, as a chunk of text. */
export function withSource(png: Uint8Array, svg: string): Uint8Array {
  const content = strToU8(`tEXt${KEYWORD}\0${digestOf(svg)}`);
  const chunk = new Uint8Array(content.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, content.length - 4);
  chunk.set(content, 4);
  view.setUint32(content.length + 4, crc32(content));
  return Uint8Array.from([...png.subarray(0, HEAD), ...chunk, ...png.subarray(HEAD)]);
}

/** True if the PNG was made of this SVG. */
export const isMadeOf = (png: Uint8Array, svg: string): boolean =>
  new TextDecoder('latin1').decode(png.subarray(HEAD, HEAD + 128)).includes(`${KEYWORD}\0${digestOf(svg)}`);
