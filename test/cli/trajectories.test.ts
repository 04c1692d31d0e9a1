// Trajectories as JSONL: the numbers of each line are those of the training.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writeTrajectories } from '../../src/cli/run/trajectories';
import { findPreset } from '../../src/experiment/presets/presets';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { Trainer } from '../../src/train/population/trainer';
import { sharedFolder } from '../support/folder';

const preset = findPreset('gridworld-tiny');
if (preset === undefined) throw new Error('There is no preset gridworld-tiny.');
const { experiment } = preset;
const FILE = sharedFolder()('trajectories.jsonl');

test('every trajectory of the last update is a line, with OpenEnv’s roles, masks, weights and log-probs', async () => {
  const trainer = new Trainer(await createCpuBackend(), experiment);
  await trainer.prepare();
  await expect(writeTrajectories(FILE, trainer, experiment)).rejects.toThrow(/No update/);
  const { metrics } = await trainer.runUpdate();
  await metrics;
  await writeTrajectories(FILE, trainer, experiment);
  const lines = (await readFile(FILE, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { groups, groupSize } = experiment.batch;
  expect(lines).toHaveLength(groups * groupSize * experiment.seeds * experiment.arms.length);
  const line = lines.find(({ meta }) => {
    return meta.arm === 'world-model' && meta.seed === 1 && meta.group === 1 && meta.trajectory === 2;
  });
  const inspections = await trainer.inspect({ seed: 1, group: 1, trajectory: 2 });
  const inspected = inspections?.find(({ arm }) => arm.id === 'world-model');
  expect(line.input_ids).toEqual(Array.from(inspected?.tokens ?? []));
  expect(line.log_probs[0]).toBeNull();
  const last = line.input_ids.length - 1;
  expect(line.log_probs[last]).toBeCloseTo(inspected?.numbers.logProb[last] ?? 0, 5);
  expect(line.reward).toBe(inspected?.rewards[2]);
  expect(line.meta).toMatchObject({ world_model_coeff: 0.1, environment: 'gridworld', update: 0 });

  // Texts split into the tokens again, and each token's mask fits its segment's role.
  const roles = line.segments.flatMap(({ role, text }: { role: string; text: string }) =>
    text.split(' ').map(() => role),
  );
  expect(roles).toHaveLength(line.input_ids.length);
  const masks = { action: line.action_mask, env_output: line.obs_mask, warning: line.warning_mask };
  for (const [role, mask] of Object.entries(masks)) expect(mask).toEqual(roles.map((one: string) => one === role));
  expect(line.segments[0].role).toBe('context');
  expect(line.messages.map(({ role }: { role: string }) => role).slice(0, 3)).toEqual(['user', 'assistant', 'tool']);
  line.world_model_weights.forEach((weight: number | null, index: number) => {
    if (weight !== null) expect(weight > 0).toBe(roles[index] === 'env_output');
  });
  trainer.dispose();
});
