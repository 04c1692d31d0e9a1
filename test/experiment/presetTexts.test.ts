/**
 * Results that the texts of presets tell are held by what was recorded. A text that nothing holds is a question or tells of the
 * world alone: record its preset (`npm run record -- ID`) or ask it as a claim (findings/) before telling what came of it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import type { Finding } from '../../src/experiment/findings/finding';
import known from '../../src/experiment/known.json';
import { decodeLink } from '../../src/experiment/link';
import { openWorldsOf } from '../../src/experiment/ownWorld';
import { type Preset, presets } from '../../src/experiment/presets';
import type { SharedResult } from '../../src/experiment/result';

const json = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const failures = json<Record<string, unknown>>('test/fixtures/measured/failures.json');
const findings = new Map<string, Finding>();
for (const name of readdirSync('findings')) {
  if (existsSync(`findings/${name}/experiment.json`)) findings.set(name, json(`findings/${name}/result.json`));
}
/** Experiments of a finding's conditions. */
const experimentsOf = new Map<string, readonly Experiment[]>();
for (const [name, { conditions }] of findings) {
  const experiments = Object.values(conditions).map(({ link }) => decodeLink(link));
  for (const experiment of experiments) await openWorldsOf(experiment);
  experimentsOf.set(name, experiments);
}

/** A sentence on what came of runs. Texts describe in the present tense. */
const OUTCOME =
  /\b(one|two|three|four|five|eight|sixteen|\d+) (fresh )?seeds\b|\b(ended|passed|succeeded|answered|rose|fell|gained|helped|suggested|lost|stayed|hardly moved)\b|\b(told|found) no\b|\bareas? under\b|\d% (to|against|and|or)\b|\d+\.\d+ \(/i;

const sentencesOf = (text: string): string[] => text.split(/(?<=[.?!])\s+(?=[A-Z])/);
const outcomesOf = (text: string): string[] =>
  sentencesOf(text).filter((sentence) => !sentence.endsWith('?') && OUTCOME.test(sentence));
const numbersIn = (text: string): string[] => text.match(/[−+]?\d+(\.\d+|%)/g) ?? [];

/** A number as texts write it. */
function written(value: number): string[] {
  const size = Math.abs(value).toFixed(2);
  return [size, `${value < 0 ? '−' : '+'}${size}`, `${Math.round(100 * value)}%`, String(Number(value.toPrecision(3)))];
}
const spread = (values: readonly number[]): number[] => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [mean, Math.min(...values), Math.max(...values)];
};

/** Numbers that were recorded of a preset as it is: areas of its seeds, and both ends of its curves. */
function recorded(id: string): number[] {
  const path = `src/store/recorded/${id}.json`;
  if (!existsSync(path)) return [];
  const ends = (curve: readonly (number | null)[]): number[] => [curve[0] ?? Number.NaN, curve.at(-1) ?? Number.NaN];
  return json<SharedResult>(path).arms.flatMap(({ area, successRate, observationCrossEntropy }) => [
    ...spread(area.map(Number)),
    ...ends(successRate),
    ...ends(observationCrossEntropy),
  ]);
}

/** Numbers of all judged findings that are made from a preset. */
function found(id: string): number[] {
  const isOf = (name: string): boolean => experimentsOf.get(name)?.some(({ preset }) => preset === id) === true;
  const own = [...findings].filter(([name, { comparisons }]) => comparisons !== null && isOf(name));
  return own.flatMap(([, { conditions, comparisons }]) => [
    ...Object.values(conditions).flatMap(({ values }) => spread(values)),
    ...(comparisons ?? []).flatMap(({ unpaired }) => [unpaired.mean, unpaired.low, unpaired.high]),
  ]);
}

/** Texts that other tests hold word by word: the search's, the failures' and those of the policies that come along. */
const searched = [...Object.values(known.atMask), ...Object.values(known.contrary)];
const isHeldElsewhere = ({ id }: Preset): boolean =>
  id.replace('failure-', '') in failures || id.endsWith('-from-files');
/** Statements that tell no result. */
const PLAIN = ['gridworld-small', 'gridworld-tiny'];

describe.each(presets.filter((preset) => !isHeldElsewhere(preset)))('the texts of $id', (preset) => {
  const { id, claim, expectation } = preset;
  const text = searched.reduce((rest, one) => rest.replace(one, ''), expectation);
  const holding = [...recorded(id), ...found(id)];

  test('ask where nothing was recorded', () => {
    const isHeld = holding.length > 0 || text !== expectation || PLAIN.includes(id);
    if (!isHeld) expect(claim).toMatch(/\?$/);
    if (holding.length === 0 && !PLAIN.includes(id)) expect(outcomesOf(`${claim} ${text}`)).toEqual([]);
  });

  test('tell no other numbers of results than those recorded', () => {
    const held = new Set(holding.flatMap(written));
    const told = outcomesOf(`${claim} ${text}`).flatMap((sentence) => numbersIn(sentence.replace(/\d+% interval/, '')));
    expect(told.filter((number) => !held.has(number))).toEqual([]);
  });
});

test.each(presets.filter(({ finding }) => finding !== undefined))('$id is asked under Findings', (preset) => {
  const { finding = '', experiment } = preset;
  const worlds = experimentsOf.get(finding)?.map(({ environment }) => environment.id);
  expect(worlds).toContain(experiment.environment.id);
});

test('a sentence that tells a result is known as one', () => {
  const told = [
    'Four seeds of 150 updates told no difference.',
    'The action mask ended between 27% and 94%.',
    'It gained next to nothing.',
    'Areas of 0.19 (0.13 to 0.26).',
  ];
  for (const sentence of told) expect(outcomesOf(sentence)).toEqual([sentence]);
  expect(outcomesOf('A random policy finds the goal in one of ten episodes. The floor is 1.85 nats.')).toEqual([]);
});
