// Numbers in the documents and in the experiments of failures are the measured ones (test/fixtures/README.md).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findEnvironment } from '../../src/environments/registry';
import { FAILURES } from '../../src/experiment/conclude/health';
import { EXPECTATIONS } from '../../src/experiment/presets/expectations/expectations';
import { findPreset } from '../../src/experiment/presets/presets';

/** Measurements of an arm, one number a seed. */
interface Measured {
  readonly failing: number;
  readonly values: readonly number[];
  readonly success: readonly number[];
}

const measured: Record<string, [failing: Measured, cured: Measured]> = JSON.parse(
  readFileSync('test/fixtures/measured/failures.json', 'utf8'),
);
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n');
const rows = linesOf('docs/failures.md');

const percent = (share: number): string => (share > 0.995 ? 'over 99' : String(Math.round(100 * share)));
const times = (value: number): string => value.toFixed(1);

function span(values: readonly number[], write: (value: number) => string, joined: string, unit: string): string {
  const [low, high] = [write(Math.min(...values)), write(Math.max(...values))];
  return `${low === high ? low : `${low}${joined}${high}`}${unit}`;
}
const shares = (values: readonly number[]): string => span(values, percent, '–', '%');

describe.each(FAILURES.map((failure) => [failure.id, failure] as const))('%s', (id, { unit }) => {
  const [failing, cured] = measured[id] as [Measured, Measured];
  const row = rows.find((line) => line.startsWith(`| \`failure-${id}\``)) ?? '';
  const [judged = '', success = ''] = row.split('|').slice(2);

  test('fails in at least half of its seeds, and is cured in all', () => {
    expect(2 * failing.failing).toBeGreaterThanOrEqual(failing.values.length);
    expect(cured.failing).toBe(0);
  });

  test('has its row in docs/failures.md', () => {
    const write = (values: readonly number[]) => (unit === 'share' ? shares(values) : span(values, times, ' to ', ''));
    // A return that rises with success is no reward hacking, so the cured arm has no value.
    const healed = unit === 'reward' ? 'none' : write(cured.values);
    expect(judged.trim()).toMatch(new RegExp(`: ${write(failing.values)} · ${healed}$`));
    expect(success.trim()).toBe(`${shares(failing.success)} · ${shares(cured.success)}`);
  });

  test('has its numbers in its text', () => {
    const told = (EXPECTATIONS[`failure-${id}`] ?? '').match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
    const ends = (values: readonly number[]) => [Math.min(...values), Math.max(...values)];
    const write = unit === 'share' ? percent : times;
    const values = [...ends(failing.values), ...(unit === 'reward' || unit === 'times' ? [] : ends(cured.values))];
    const wanted = [...values.map(write), ...[...ends(failing.success), ...ends(cured.success)].map(percent)].map(
      (text) => Number.parseFloat(text.replace('over ', '')),
    );
    // Success near 0 is told in words.
    for (const number of wanted.filter((value) => value > 0)) expect(told).toContain(number);
  });
});

test('what is said of probes was measured', () => {
  const moments: { members: { arm: string; probes: { accuracy: number[]; untrained: number[] }[] }[] }[] = JSON.parse(
    readFileSync('test/fixtures/measured/probes.json', 'utf8'),
  );
  const ofLastLayer = (id: string, of: 'accuracy' | 'untrained'): string => {
    const members = moments.flatMap(({ members }) => members).filter(({ arm }) => arm === id);
    return span(
      members.map(({ probes }) => probes[0]?.[of].at(-1) ?? Number.NaN),
      percent,
      ' to ',
      '%',
    );
  };
  const looks = linesOf('docs/decisions/looks.md');
  const sentence = looks.slice(looks.findIndex((line) => line.includes('Does the policy come to know'))).slice(0, 4);
  expect(sentence.join(' ').match(/\d+ to \d+%/g)).toEqual([
    ofLastLayer('world-model', 'accuracy'),
    ofLastLayer('action-mask', 'accuracy'),
    ofLastLayer('action-mask', 'untrained'),
  ]);
});

describe('how often a random policy succeeds', () => {
  const chanceIn = (id: string): number => {
    const { environment } = findPreset(id)?.experiment ?? {};
    return findEnvironment(environment?.id ?? '')?.create(environment?.settings ?? {}).randomSuccess ?? Number.NaN;
  };

  test.each([
    ['Gridworld', 'gridworld'],
    ['Calculator', 'calculator-without-tool'],
    ['Web shop', 'shop'],
    ['Terminal', 'terminal'],
  ])('is in the row of the %s', (name, id) => {
    const row = linesOf('docs/worlds.md').find((line) => line.startsWith(`| ${name} `)) ?? '';
    const told = /([\d.]+)%(?: of episodes)? +\|$/.exec(row)?.[1] ?? '';
    const decimals = told.split('.')[1]?.length ?? 0;
    expect(told).toBe((100 * chanceIn(id)).toFixed(decimals));
  });

  test('is in the shop’s text', () => {
    const told = Number(/one episode in (\d+)/.exec(EXPECTATIONS.shop ?? '')?.[1]);
    expect(told * chanceIn('shop')).toBeCloseTo(1, 1);
  });
});
