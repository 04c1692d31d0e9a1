// Recorded results of presets: when the page shows them, how it judges a run by them, and that the lab still gives the same
// numbers.
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { withBranch } from '../../src/experiment/arm/branch';
import type { SharedResult } from '../../src/experiment/conclude/result';
import { areaUnderCurve } from '../../src/experiment/conclude/statistics';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { EXPECTATIONS } from '../../src/experiment/presets/expectations/expectations';
import { findPreset, type Preset } from '../../src/experiment/presets/presets';
import { effectiveArms } from '../../src/experiment/timeline';
import { CPU_NAMES, cpuKindOf } from '../../src/foundation/cpuVariants';
import { ghostOf, type Sent } from '../../src/measured/sentResult';
import { createLabStore, type LabStore } from '../../src/store/lab';
import { followRecordings } from '../../src/store/recorded/recorded';
import { backendFor, sideOf } from '../../src/store/run/backendFor';
import { LAB_TIMEOUT, labResult } from '../support/lab';

const FOLDER = 'src/store/recorded';
const small = findPreset('gridworld-small') as Preset;
const { experiment } = small;
const read = (file: string): SharedResult => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'));
const recording = read(`${experiment.preset}.json`);

let store: LabStore;
beforeEach(() => {
  store = createLabStore();
  store.setState({ edited: experiment });
});

const shown = () => vi.waitFor(() => expect(store.getState().sent?.result).toEqual(recording), 60_000);
const gone = () => vi.waitFor(() => expect(store.getState()).toMatchObject({ sent: null, ghost: null }), 60_000);

test('recordings are all of the plain CPU: “automatic” takes it for them', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  expect(files).toContain('gridworld.json');
  for (const file of files) expect(cpuKindOf(read(file).device), file).toBe('cpu');
});

test('“automatic” goes without fused multiply-add where the result at hand was measured without', () => {
  const tiny = (findPreset('gridworld-tiny') as Preset).experiment;
  const sent = (of: Experiment, device: string): Sent => {
    const result = { ...recording, device };
    return { from: 'link', result, experiment: of, ghost: ghostOf(result, '') };
  };
  expect(backendFor('auto', experiment, null)).toBe('auto-plain');
  expect(backendFor('auto', { ...experiment, seed: 5 }, null)).toBe('auto');
  expect(backendFor('auto', tiny, sent(tiny, 'CPU (WebAssembly SIMD, 2 workers)'))).toBe('auto-plain');
  expect(backendFor('auto', tiny, sent(experiment, 'CPU (WebAssembly SIMD, 2 workers)'))).toBe('auto');
  expect(backendFor('auto', experiment, sent(experiment, CPU_NAMES['cpu-fused']))).toBe('auto');
  expect(sideOf(tiny, sent(tiny, CPU_NAMES.cpu))).toBe('cpu');
  expect(sideOf(tiny, sent(tiny, CPU_NAMES['cpu-fused']))).toBe('cpu');
  expect(sideOf(tiny, sent(tiny, 'Apple M2'))).toBe('gpu');
  // A preset with a recorded result is raced for, and so is what differs from what was sent.
  expect(sideOf(tiny, { ...sent(tiny, CPU_NAMES.cpu), from: 'recording' })).toBeNull();
  expect(sideOf(tiny, sent(experiment, CPU_NAMES.cpu))).toBeNull();
  for (const choice of ['cpu', 'cpu-fused', 'webgpu'] as const)
    expect(backendFor(choice, experiment, null)).toBe(choice);
});

describe('a recording', () => {
  test('is drawn behind the charts while its preset is on screen, of whatever length', async () => {
    followRecordings(store);
    await shown();
    const points = store.getState().ghost?.curves.points('successRate', { limit: 500 }).points;
    expect(points?.map(({ mean }) => mean[1])).toEqual(recording.arms[1]?.successRate);
    store.setState({ edited: { ...experiment, seed: 5 } });
    await gone();
    store.setState({ edited: { ...experiment, updates: 12, title: 'Mine' } });
    await shown();
  });

  test('stays through a run that began as the preset, whatever is edited meanwhile', async () => {
    followRecordings(store);
    await shown();
    const timeline = [{ update: 3, arm: '*', setting: 'learningRate', value: 0.01 }];
    store.setState({ phase: 'running', running: { ...experiment, timeline }, edited: { ...experiment, seed: 5 } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await shown();
    store.setState({ phase: 'finished' });
    await gone();
  });

  test('stays when an arm branches, while it trains and when it has ended', async () => {
    followRecordings(store);
    await shown();
    const change = { parent: 'world-model', update: 9, setting: 'ce.observation', value: 0 };
    const running = withBranch(experiment, { id: 'arm-9', name: 'Branch' }, change);
    const arms = effectiveArms(running, 20);
    store.setState({ phase: 'running', running, told: arms, edited: { ...running, arms } });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await shown();
    expect(store.getState().ghost?.label).toBe('as recorded');
    store.setState({ phase: 'finished' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await shown();
  });

  test('stays for the arms that are the preset’s when others are added, renamed, changed or removed', async () => {
    followRecordings(store);
    await shown();
    const [mask, model, ...others] = experiment.arms as [Arm, Arm, ...Arm[]];
    const drawn = () => {
      const { sent, ghost } = store.getState();
      const whole = new Map(recording.arms.map((arm) => [arm.id, arm]));
      expect(sent?.result.arms).toEqual(sent?.result.arms.map(({ id }) => whole.get(id)));
      return [sent?.result.arms, ghost?.arms].map((arms) => arms?.map(({ id }) => id).join(' '));
    };
    const all = recording.arms.map(({ id }) => id).join(' ');
    const keeps = (arms: readonly Arm[], ids: string) => {
      store.setState({ edited: { ...experiment, arms: [...arms] } });
      return vi.waitFor(() => expect(drawn()).toEqual([ids, ids]), 60_000);
    };
    await keeps([mask, model, ...others, { ...mask, id: 'arm-9', name: 'Mine' }], all);
    await keeps([{ ...mask, name: 'Masked' }, model, ...others], all);
    await keeps([mask, { ...model, ce: { ...model.ce, observation: 0.5 } }], mask.id);
    await keeps([model], model.id);
    // None of its own is left, and no run of other tasks or seeds is the recorded one.
    store.setState({ edited: { ...experiment, arms: [{ ...mask, id: 'arm-9' }] } });
    await gone();
    await keeps([mask], mask.id);
    store.setState({ edited: { ...experiment, arms: [mask], seed: 5 } });
    await gone();
  });

  test('of some arms is nothing that a run is judged by, and chooses no backend', async () => {
    followRecordings(store);
    await shown();
    const edited = { ...experiment, arms: experiment.arms.slice(0, 1) };
    store.setState({ edited });
    await vi.waitFor(() => expect(store.getState().sent?.result.arms).toHaveLength(1), 60_000);
    const { sent } = store.getState();
    expect(sent?.experiment).toEqual(experiment);
    expect(backendFor('auto', edited, sent)).toBe('auto');
  });

  test('gives way to a result that came with a link, and to a run that is pinned', async () => {
    const other = { from: 'link', result: recording, experiment, ghost: ghostOf(recording, 'sent') } as const;
    store.setState({ sent: other, ghost: other.ghost });
    followRecordings(store);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(store.getState()).toMatchObject({ sent: other, ghost: other.ghost });
    store.setState({ sent: null, edited: { ...experiment, updates: 7 } });
    await shown();
    expect(store.getState().ghost).toBe(other.ghost);
  });
});

test.each(readdirSync(FOLDER).filter((file) => file.endsWith('.json')))(
  '%s holds every arm, seed and update of its preset',
  (file) => {
    const preset = findPreset(file.replace('.json', ''))?.experiment;
    const { arms, updates, at } = read(file);
    expect(updates).toBe(preset?.updates);
    expect(arms.map(({ id }) => id)).toEqual(preset?.arms.map(({ id }) => id));
    for (const { area, successRate } of arms) {
      expect(area).toHaveLength(preset?.seeds ?? 0);
      expect(area).not.toContain(null);
      expect(successRate).toHaveLength(at.length);
    }
    expect(at.at(-1)).toBe(updates - 1);
  },
);

test(
  'the lab still gives what was recorded',
  async () => {
    const seeds = recording.arms[1]?.area.length ?? 0;
    // A point is the mean of the updates up to its own.
    const window = (recording.at[0] ?? 0) + 1;
    type Run = { arms: { seeds: { curve: Record<string, number[]> }[] }[] };
    const args = ['--backend', 'cpu', '--arms', 'world-model', '--updates', String(window)];
    const { arms } = await labResult<Run>('run', experiment.preset, ...args);
    const curves = arms[0]?.seeds.map(({ curve }) => curve) ?? [];
    expect(curves).toHaveLength(seeds);
    for (const metric of ['successRate', 'observationCrossEntropy'] as const) {
      const means = curves.map((curve) => areaUnderCurve(curve[metric] ?? []) ?? Number.NaN);
      const mean = means.reduce((sum, value) => sum + value, 0) / seeds;
      expect(Number(mean.toPrecision(3))).toBe(recording.arms[1]?.[metric][0]);
    }
  },
  LAB_TIMEOUT,
);

test('what the smaller gridworld says of itself was recorded', () => {
  const area = (id: string): string => {
    const seeds = recording.arms.find((arm) => arm.id === id)?.area.map(Number) ?? [];
    const mean = seeds.reduce((sum, value) => sum + value, 0) / seeds.length;
    return `${mean.toFixed(2)} (${Math.min(...seeds).toFixed(2)} to ${Math.max(...seeds).toFixed(2)})`;
  };
  expect(EXPECTATIONS[small.id]).toContain(
    `${area('world-model')} for the world model and ${area('action-mask')} for the action mask`,
  );
});
