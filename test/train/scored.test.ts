/** A batch that was scored before the first step is not scored again in it: the same numbers to the bit, a forward pass less. */
import { describe, expect, it } from 'vitest';
import type { Arm, Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import type { Backend } from '../../src/tensor/backend';
import { callsOf } from '../../src/train/bench/apart';
import { standingIn } from '../../src/train/bench/counts';
import { Trainer } from '../../src/train/population/trainer';
import { availableBackends } from '../support/backends';
import { metricsOf } from '../support/trained';

const { experiment } = findPreset('gridworld-tiny') as { experiment: Experiment };
const [arm] = experiment.arms as [Arm];
const UPDATES = 2;

/** Trains, and counts the forward passes with log-probs that every update makes. */
async function train(made: Backend, changes: Partial<Arm>, halvings: number) {
  const scores = new Map<object, number>();
  let passes = 0;
  const backend = standingIn(made, {
    record(label, members, build) {
      const program = made.record(label, members, build);
      scores.set(program, callsOf(build).filter(({ name }) => name === 'maskedLogProb').length);
      return program;
    },
    run(...programs) {
      for (const program of programs) passes += scores.get(program) ?? 0;
      made.run(...programs);
    },
  });
  const arms = [{ ...arm, ...changes }];
  const given = { ...experiment, arms, batch: { groups: 8, groupSize: 4 }, seeds: 1, diagnosticsEvery: 0 };
  const trainer = new Trainer(backend, given, { halvings });
  await trainer.prepare();
  await metricsOf(trainer, UPDATES);
  const { microbatches } = trainer;
  return { tensors: (await trainer.snapshot()).tensors, microbatches, passes: passes / UPDATES / microbatches };
}

describe.each(availableBackends)('scores on $name', ({ create }) => {
  it.each([
    { what: 'a critic', changes: { advantageCredit: 'gae', valueCoefficient: 0.5 }, passes: [3, 2] },
    { what: 'a choice of tokens', changes: { entropyShare: 0.5 }, passes: [4, 2] },
    { what: 'minibatches', changes: { entropyShare: 0.5, minibatches: 2, innerEpochs: 1 }, passes: [6, 5] },
  ] as const)('of $what are the step’s forward pass', async ({ changes, passes }) => {
    const settings = { innerEpochs: 2, ...changes };
    const whole = await train(await create(), settings, 0);
    // Activations of one microbatch are overwritten by the next one's, so it makes every pass.
    const cut = await train(await create(), settings, 1);
    expect([cut.microbatches, whole.microbatches]).toEqual([2, 1]);
    expect([cut.passes, whole.passes]).toEqual(passes);
    expect(whole.tensors).toEqual(cut.tensors);
  });
});
