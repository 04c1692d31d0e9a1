/** Schedules of an arm: what it trains in an update, and how it samples. */
import { describe, expect, it } from 'vitest';
import { phaseAt, scheduledArm } from '../../src/experiment/arm/schedule';
import { type Arm, defaultArm } from '../../src/experiment/experiment';

const base = defaultArm('a', 'A');
const NONE = { prompt: 0, action: 0, observation: 0, warning: 0, thought: 0 };
const arm: Arm = {
  ...base,
  ce: { ...base.ce, observation: 0.3, action: 0.1 },
  klCoefficient: 0.05,
  valueCoefficient: 0.5,
};
const phases = (changes: Partial<Arm>, updates: number) =>
  Array.from({ length: updates }, (_, update) => phaseAt({ ...arm, ...changes }, update));

describe('An arm without schedules', () => {
  it('is the same in every update', () => {
    for (const update of [0, 1, 1000]) expect(scheduledArm(arm, update)).toBe(arm);
  });
});

describe('World model and policy in turn', () => {
  it('trains the world model alone in every k-th update', () => {
    expect(phases({ worldModelEvery: 3 }, 6)).toEqual(['all', 'all', 'world-model', 'all', 'all', 'world-model']);
    const between = { worldModelEvery: 2, worldModelBetween: 'policy' } as const;
    expect(phases(between, 4)).toEqual(['policy', 'world-model', 'policy', 'world-model']);
  });

  it('has no loss of the policy’s then, and else none of the world’s', () => {
    const inTurn: Arm = { ...arm, worldModelEvery: 2, worldModelBetween: 'policy' };
    const silent = { pg: NONE, klCoefficient: 0, entropyCoefficient: 0, valueCoefficient: 0 };
    expect(scheduledArm(inTurn, 1)).toEqual({ ...inTurn, ...silent });
    expect(scheduledArm(inTurn, 0)).toEqual({ ...inTurn, ce: { ...NONE, action: 0.1, thought: base.ce.thought } });
  });
});

describe('The critic’s warm-up', () => {
  it('comes first, where a critic is trained, and every other loss has no weight', () => {
    const warm: Arm = {
      ...arm,
      criticWarmUp: 2,
      worldModelEvery: 2,
      losses: [{ name: 'more', text: 'loss = -entropy', place: 'added', on: { ...NONE, action: 1 }, values: {} }],
    };
    expect(phases(warm, 4)).toEqual(['critic', 'critic', 'all', 'world-model']);
    expect(phases({ ...warm, valueCoefficient: 0 }, 2)).toEqual(['all', 'world-model']);
    const { pg, ce, losses, klCoefficient, valueCoefficient } = scheduledArm(warm, 1);
    expect([pg, ce, losses[0]?.on]).toEqual([NONE, NONE, NONE]);
    expect([klCoefficient, valueCoefficient]).toEqual([0, 0.5]);
  });
});

it('The temperature goes to its final value in equal steps, and stays', () => {
  const annealed: Arm = { ...arm, temperature: 1.5, annealing: 4, finalTemperature: 0.5 };
  expect([0, 1, 2, 4, 9].map((update) => scheduledArm(annealed, update).temperature)).toEqual([1.5, 1.25, 1, 0.5, 0.5]);
});
