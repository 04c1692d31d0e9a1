/**
 * Results that the texts of presets tell are held by what was recorded. A text that nothing holds is a question or tells of the
 * world alone: record its preset (`npm run record -- ID`) or ask it as a claim (findings/) before telling what came of it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import '../../src/environments/own/here';
import { environments } from '../../src/environments/registry';
import type { SharedResult } from '../../src/experiment/conclude/result';
import { verdictOn } from '../../src/experiment/conclude/verdicts';
import type { Experiment } from '../../src/experiment/experiment';
import type { Finding } from '../../src/experiment/findings/finding';
import { decodeLink } from '../../src/experiment/link/link';
import { openWorldsOf } from '../../src/experiment/ownWorld';
import { EXPECTATIONS } from '../../src/experiment/presets/expectations/expectations';
import { type Preset, presets } from '../../src/experiment/presets/presets';

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

/** Numbers of results: shares in percent and decimals with two places or a sign. */
const numbersIn = (text: string): string[] =>
  text.replaceAll('95% interval', '').match(/[−+]?\d+(\.\d\d(?!\d)|%)|[−+]\d+\.\d+/g) ?? [];

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

/** Numbers of all judged findings about a world. */
function found(world: string): number[] {
  const isOf = (name: string): boolean =>
    experimentsOf.get(name)?.some(({ environment }) => environment.id === world) === true;
  const own = [...findings].filter(([name, { comparisons }]) => comparisons !== null && isOf(name));
  return own.flatMap(([, { conditions, comparisons }]) => [
    ...Object.values(conditions).flatMap(({ values }) => spread(values)),
    ...(comparisons ?? []).flatMap(({ unpaired, paired }) =>
      [unpaired, paired].flatMap(({ mean, low, high }) => [mean, low, high]),
    ),
  ]);
}

/** Numbers of a world or of its settings, which are no results. */
const OF_WORLD: Readonly<Record<string, readonly string[]>> = { 'noisy-tv': ['1.85'], 'world-calculator': ['0.01'] };

/** Texts that other tests hold word by word: the failures' and those of the policies that come along. */
const isHeldElsewhere = ({ id }: Preset): boolean =>
  id.replace('failure-', '') in failures || id.endsWith('-from-files');

test.each(presets.filter((preset) => !isHeldElsewhere(preset)))(
  '$id tells no number that was not recorded',
  (preset) => {
    const { id, claim, experiment } = preset;
    const held = new Set(
      [...recorded(id), ...found(experiment.environment.id)].flatMap(written).concat(OF_WORLD[id] ?? []),
    );
    expect(numbersIn(`${claim} ${EXPECTATIONS[id]}`).filter((number) => !held.has(number))).toEqual([]);
  },
);

test.each(Object.keys(environments).filter((world) => verdictOn(world) !== undefined))(
  'the verdict on %s has no number that was not recorded',
  (world) => {
    const held = new Set(found(world).flatMap(written));
    expect(numbersIn(verdictOn(world) ?? '').filter((number) => !held.has(number))).toEqual([]);
    expect(numbersIn(verdictOn(world) ?? '').length).toBeGreaterThan(1);
  },
);

test.each(presets.filter(({ finding }) => finding !== undefined))('$id is asked under Findings', (preset) => {
  const { finding = '', experiment } = preset;
  const worlds = experimentsOf.get(finding)?.map(({ environment }) => environment.id);
  expect(worlds).toContain(experiment.environment.id);
});
