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

/** Parts of the world of texts below. */
export interface TextParts {
  readonly settings: string;
  readonly fields: string;
  readonly start: string;
  readonly step: string;
  readonly expert: string;
}

/** A world of texts: three sentences to somebody who asks for a dog, a cat or a hat in each. Line 9 is start(), line 10 step(). */
export function askText(parts: Partial<TextParts> = {}): string {
  const {
    settings = '{}',
    fields = "stop: 'sentence', maxTokens: 24, heldOut: 0",
    start = `(things) => ({ state: { things, told: 0, held: 0 }, say: 'Lily told Tom a story. "Tell me about the ' + things[0] + '!"' })`,
    step = `({ things, told, held }, said) => {
        const holds = said.toLowerCase().match(/[a-z]+/g)?.includes(things[told]) === true;
        const next = { things, told: told + 1, held: held + (holds ? 1 : 0) };
        const reward = holds ? 1 / 3 : 0;
        if (next.told === 3) return { state: next, reward, done: true, success: next.held === 3 };
        return { state: next, say: ' "Tell me about the ' + things[next.told] + '!"', reward };
      }`,
    expert = "({ things, told }) => ' The ' + things[told] + ' was happy.'",
  } = parts;
  return `export default {
  text: true,
  title: 'Asked',
  summary: 'Take up what is asked.',
  settings: ${settings},
  create() {
    return { maxTurns: 3, longest: { prompt: 40, answer: 24 }, ${fields},
      task: (random) => random.shuffle(['dog', 'cat', 'hat']),
      start: ${start},
      step: ${step},
      expert: ${expert},
    };
  },
};
`;
}
