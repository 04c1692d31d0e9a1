/** Branches as experiments: what a branch inherits, and what the arms and their changes tell of branches. */
import { expect, test } from 'vitest';
import { branchesOf, isInherited, withBranch, withHeirs } from '../../src/experiment/arm/branch';
import type { Change, Experiment } from '../../src/experiment/experiment';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';

import { findPreset } from '../../src/experiment/presets/presets';
import { effectiveArms } from '../../src/experiment/timeline';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const change = (update: number, arm: string, setting: string, value: number): Change => ({
  update,
  arm,
  setting,
  value,
});
const run: Experiment = {
  ...preset,
  updates: 200,
  timeline: [
    change(20, 'world-model', 'ce.observation', 0.5),
    change(30, '*', 'learningRate', 0.002),
    change(120, 'world-model', 'entropyCoefficient', 0.05),
    change(150, '*', 'ce.observation', 0.9),
    change(160, 'world-model', 'ce.observation', 0.8),
  ],
};
const named = { id: 'arm-4', name: 'World model, λ 0.2' };
const branched = withBranch(run, named, { parent: 'world-model', update: 100, setting: 'ce.observation', value: 0.2 });

const unnamed = (experiment: Experiment, id: string, update: number) => {
  const arm = effectiveArms(experiment, update).find((one) => one.id === id);
  return { ...arm, id: '', name: '' };
};

test('stands after its parent and is as its parent until its change acts', () => {
  expect(branched.arms.map(({ id }) => id)).toEqual(['action-mask', 'world-model', 'arm-4', 'no-mask']);
  for (const update of [0, 19, 20, 30, 99]) {
    expect(unnamed(branched, 'arm-4', update)).toEqual(unnamed(branched, 'world-model', update));
  }
});

test('differs from then on in that setting alone, whatever its parent is changed to later', () => {
  for (const update of [100, 120, 150, 160, 199]) {
    const parent = unnamed(branched, 'world-model', update);
    const branch = unnamed(branched, 'arm-4', update);
    expect(branch).toEqual({ ...parent, ce: { ...parent.ce, observation: 0.2 } });
  }
});

test('leaves every other arm as it was at every update', () => {
  for (const update of [0, 20, 100, 150, 199]) {
    for (const { id } of run.arms) expect(unnamed(branched, id, update)).toEqual(unnamed(run, id, update));
  }
});

test('travels in a link', () => {
  expect(decodeLink(encodeLink(branched))).toEqual(branched);
});

test('is found by its changes: where it parts from the arm that it was alike for longest', () => {
  expect([...branchesOf(branched)]).toEqual([['arm-4', { parent: 'world-model', update: 100 }]]);
  const again = withBranch(
    branched,
    { id: 'arm-5', name: 'Again' },
    { parent: 'arm-4', update: 130, setting: 'learningRate', value: 0.01 },
  );
  expect(branchesOf(again).get('arm-5')).toEqual({ parent: 'arm-4', update: 130 });
});

test('is no branch if it differs from the beginning, or never', () => {
  expect(branchesOf(run).size).toBe(0);
  const alike = {
    ...run,
    arms: [...run.arms, { ...(run.arms[1] as (typeof run.arms)[0]), id: 'arm-4', name: 'Copy' }],
  };
  expect(branchesOf({ ...alike, timeline: [] }).size).toBe(0);
  const early = withBranch(run, named, { parent: 'world-model', update: 0, setting: 'ce.observation', value: 0.2 });
  expect(branchesOf(early).size).toBe(0);
});

test('shares what it has from its parent: those changes are one thing', () => {
  const branches = branchesOf(branched);
  const shown = branched.timeline.filter((one) => !isInherited(branches, one));
  expect(shown.map(({ update, arm }) => `${update} ${arm}`)).not.toContain('20 arm-4');
  expect(shown).toContainEqual(change(100, 'arm-4', 'ce.observation', 0.2));
  const [first] = branched.timeline as [Change];
  expect(withHeirs(branched, first).map(({ arm }) => arm)).toEqual(['world-model', 'arm-4']);
  const later = branched.timeline.find(({ update, arm }) => update === 120 && arm === 'world-model') as Change;
  expect(withHeirs(branched, later)).toEqual([later]);
});
