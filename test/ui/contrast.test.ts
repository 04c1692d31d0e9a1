// Contrast of every pair of text and background, computed from the tokens in theme.css for both themes (WCAG 2.2, 1.4.3: at
// least 4.5:1). Automatic checkers cannot judge the hatched veil; here its text is compared with both of its colours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../src/ui/theme.css'), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name, light, dark]) => [
    name ?? '',
    { light: light ?? '', dark: dark ?? '' },
  ]),
);

const arms = Array.from({ length: 8 }, (_, index) => `arm-${index + 1}`);
const swept = Array.from({ length: 8 }, (_, index) => `sweep-${index + 1}`);
const textOn: readonly [text: string, background: string][] = [
  ['ink', 'paper'],
  ['ink', 'raised'],
  ['soft-ink', 'paper'],
  ['soft-ink', 'raised'],
  ['paper', 'ink'],
  ['policy-ink', 'policy'],
  ['predict-ink', 'predict'],
  ['imitate-ink', 'imitate'],
  ['thought-ink', 'thought'],
  ['own', 'paper'],
  ['own', 'raised'],
  ['own-ink', 'own'],
  ['caution', 'paper'],
  ['alarm', 'paper'],
  ['veil-ink', 'veil'],
  ['veil-ink', 'veil-stripe'],
  ...arms.map((arm): [string, string] => [arm, 'paper']),
  ...arms.map((arm): [string, string] => [arm, 'raised']),
  ...swept.map((arm): [string, string] => [arm, 'paper']),
  ...swept.map((arm): [string, string] => [arm, 'raised']),
];

/** Boundaries of controls and chips, for which WCAG 1.4.11 demands 3:1. */
const shapeOn: readonly [shape: string, background: string][] = [
  ['control', 'paper'],
  ['policy', 'paper'],
  ['thought', 'paper'],
  ...['policy', 'predict-line', 'imitate-line', 'own', 'control'].map((line): [string, string] => [line, 'raised']),
];

function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(first: string, second: string): number {
  const [bright, dim] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  test.each(textOn)('%s on %s reads at 4.5:1 or more', (text, background) => {
    expect(contrast(tokens.get(text)?.[theme] ?? '', tokens.get(background)?.[theme] ?? '')).toBeGreaterThanOrEqual(
      4.5,
    );
  });

  test.each(shapeOn)('%s is seen on %s at 3:1 or more', (shape, background) => {
    expect(contrast(tokens.get(shape)?.[theme] ?? '', tokens.get(background)?.[theme] ?? '')).toBeGreaterThanOrEqual(3);
  });
});

test.each(['light', 'dark'] as const)('imitation has a colour of its own in the %s theme', (theme) => {
  const channels = (name: string) =>
    [1, 3, 5].map((at) => Number.parseInt(tokens.get(name)?.[theme].slice(at, at + 2) ?? '', 16));
  const imitate = channels('imitate');
  for (const other of [...arms, 'policy', 'predict', 'own', 'thought', 'caution', 'alarm']) {
    const apart = Math.hypot(...channels(other).map((value, at) => value - (imitate[at] ?? 0)));
    expect(apart, other).toBeGreaterThan(60);
  }
});

test.each(['light', 'dark'] as const)(
  'a sweep’s colours stand further from the %s paper the larger the value',
  (theme) => {
    const paper = tokens.get('paper')?.[theme] ?? '';
    const contrasts = swept.map((name) => contrast(tokens.get(name)?.[theme] ?? '', paper));
    expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b));
  },
);

test('the formula gives the extremes of the standard', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6);
  expect(contrast('#777777', '#777777')).toBe(1);
});
