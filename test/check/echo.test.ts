/** Every case of echo.json on every backend. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare } from '../../src/check/compare';
import { checkEcho } from '../../src/check/echo';
import { messageTokenWeights } from '../../src/check/echo/tokenSelection';
import { parseFixtures } from '../../src/check/format';
import type { Backend } from '../../src/tensor/backend';
import { BACKENDS } from '../tensor/backends';

const fixtures = parseFixtures(readFileSync(new URL('../fixtures/echo.json', import.meta.url), 'utf8'));

test('The file has all cases', () => {
  expect(fixtures.length).toBe(48);
});

describe.each(BACKENDS.filter(({ name }) => name !== 'webgpu, tiled'))('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });

  test.each(fixtures)('$name', async (fixture) => {
    const comparisons = await checkEcho(backend, fixture);
    const { metrics = {}, ...outputs } = fixture.expected;
    const named = [...Object.keys(outputs), ...Object.keys(metrics)];
    expect(comparisons.map(({ output }) => output).sort()).toEqual(named.sort());
    expect(comparisons.flatMap((comparison) => compare(fixture.name, comparison).reasons)).toEqual([]);
  });
});

describe('The choice of tokens from messages', () => {
  const message = { role: 'tool', tokens: 3, sampled: false, isContent: [] };
  const answer = { ...message, role: 'assistant', sampled: true };

  test('begins after the first answer, and takes no answer', () => {
    expect(messageTokenWeights([message, answer, message], { tool: 0.1, assistant: 1 })).toEqual([
      0, 0, 0, 0, 0, 0, 0.1, 0.1, 0.1,
    ]);
    expect(messageTokenWeights([message, message], { tool: 0.1 })).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('takes the body only where it is marked for every token', () => {
    const partly = { ...message, isContent: [false, true] };
    const marked = { ...message, isContent: [false, true, false] };
    expect(messageTokenWeights([answer, marked, partly], { tool: 0.5 })).toEqual([0, 0, 0, 0, 0.5, 0, 0.5, 0.5, 0.5]);
  });

  test('knows only the roles it was given', () => {
    expect(messageTokenWeights([answer, { ...message, role: 'toString' }], {})).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
