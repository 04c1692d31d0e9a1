/** Texts of worlds for tests: a small one to change, and what it is made of. */

import type { EnvironmentSettings } from '../../src/environments/environment';
import { openWorlds } from '../../src/environments/own/here';
import { type OwnWorld, ownWorld } from '../../src/environments/own/world';

/** Parts of the text below. */
export interface Parts {
  readonly settings: string;
  readonly words: string;
  readonly fields: string;
  readonly task: string;
  readonly start: string;
  readonly step: string;
  /** Lines before the export. */
  readonly before: string;
}

/** A walk on a line of cells to its end; a step may slip. Line 10 is start(), line 11 step(). */
export function walkText(parts: Partial<Parts> = {}): string {
  const {
    settings = '{ length: { default: 5, min: 3, max: 9 }, slip: { default: 0, min: 0, max: 0.5 } }',
    words = "Array.from({ length }, (_, i) => 'c' + i)",
    fields = 'heldOut: 0.3, told: true',
    task = '(random) => ({ from: random.below(length - 1) })',
    start = "({ from }) => ({ state: { at: from }, say: ['c' + from] })",
    step = `(state, action, random) => {
        const way = (action === 'right') === !random.chance(slip) ? 1 : -1;
        const at = Math.min(length - 1, Math.max(0, state.at + way));
        return { state: { at }, say: ['c' + at], done: at === length - 1, success: at === length - 1 };
      }`,
    before = '',
  } = parts;
  return `${before}export default {
  title: 'Walk',
  summary: 'Reach the end of the line.',
  settings: ${settings},
  create({ length, slip }) {
    return {
      words: ${words}, actions: ['left', 'right'], maxTurns: 12, longest: { prompt: 1, answer: 1 },
      ${fields},
      task: ${task},
      start: ${start},
      step: ${step},
      expert: () => 'right',
    };
  },
};
`;
}

/** A mistake that gridworld-tiny's first seed meets in update 13, when a state was kept after the tenth. */
export const MISTAKE = 'if (number === 60) number.forEach(at);';

/** A walk whose tasks have numbers. Line 12 is the mistake. */
export function numberedWalk(mistake = '// Nothing is wrong.'): string {
  return walkText({
    fields: 'heldOut: 0',
    task: '(random) => ({ from: random.below(length - 1), number: random.below(400) })',
    start: "({ from, number }) => ({ state: { at: from, number }, say: ['c' + from] })",
    step: `({ at, number }, action) => {
        ${mistake}
        const next = Math.min(length - 1, Math.max(0, at + (action === 'right' ? 1 : -1)));
        return { state: { at: next, number }, say: ['c' + next], success: next === length - 1 };
      }`,
  });
}

export async function openWorld(text: string, settings: EnvironmentSettings = {}): Promise<OwnWorld> {
  await openWorlds();
  return ownWorld(text, settings);
}
