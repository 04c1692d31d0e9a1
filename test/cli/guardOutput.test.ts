/** No command writes over what it reads, nor over a file of another kind than it writes. */
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { guardOutput } from '../../src/cli/guardOutput';
import { exportCommand } from '../../src/cli/policy/export';
import { POLICY_FILE } from '../../src/cli/policy/policyFile';
import { writeTrajectories } from '../../src/cli/run/trajectories';
import { scaleCommand } from '../../src/cli/scale';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import { freshFolder, heardErrors } from '../support/folder';
import { walkText } from '../support/ownWorlds';
import { leaveRun, takeAndLeave } from '../support/runFolders';
import { ScriptedTraining } from '../support/scriptedTraining';

const experiment = parseExperiment({ ...findPreset('gridworld-tiny')?.experiment, updates: 1 });
const CHECKPOINT = 'checkpoint.safetensors';

const at = freshFolder();
heardErrors();
const file = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

describe('lab run --trajectories', () => {
  test('spares the files that it reads, behind links too', async () => {
    const world = file('world.js', walkText());
    symlinkSync(world, at('link'));
    for (const trajectories of [world, at('link'), at('.', 'world.js')]) {
      await expect(takeAndLeave('gridworld-tiny', { world, trajectories })).rejects.toThrow(
        /would destroy what this command/,
      );
    }
    const loss = file('mine.loss', 'loss = logp');
    await expect(takeAndLeave('gridworld-tiny', { loss: [`action-mask=${loss}`], trajectories: loss })).rejects.toThrow(
      /would destroy/,
    );
    expect(readFileSync(world, 'utf8')).toBe(walkText());
    expect(readFileSync(loss, 'utf8')).toBe('loss = logp');
  });

  test('spares its run’s files, those too that are not there yet', async () => {
    const out = at('run');
    await expect(takeAndLeave('gridworld-tiny', { out, trajectories: join(out, 'result.json') })).rejects.toThrow(
      /destroy/,
    );
    await leaveRun(experiment, out);
    const trajectories = join(out, CHECKPOINT);
    await expect(takeAndLeave(undefined, { resume: out, trajectories })).rejects.toThrow(/would destroy/);
    await expect(takeAndLeave(undefined, { resume: out, out: at('other'), trajectories })).rejects.toThrow(
      /would destroy/,
    );
  });

  test('spares what holds no trajectories, also where it came while it trained; trajectories are replaced', async () => {
    const notes = file('notes.md', '# Mine\n');
    const words = /notes.md already, and it is not a file of trajectories. Choose another file, or delete/;
    await expect(takeAndLeave('gridworld-tiny', { trajectories: notes })).rejects.toThrow(words);
    await expect(writeTrajectories(notes, new ScriptedTraining(experiment), experiment)).rejects.toThrow(words);
    expect(readFileSync(notes, 'utf8')).toBe('# Mine\n');
    await takeAndLeave('gridworld-tiny', { trajectories: file('empty', '') });
    await takeAndLeave('gridworld-tiny', { trajectories: file('old.jsonl', '{"task_prompt":"go","messages":[]}\n') });
  });
});

test('lab run --force spares what it reads', async () => {
  mkdirSync(at('run'));
  const world = file('run/result.json', walkText());
  await expect(takeAndLeave('gridworld-tiny', { world, out: at('run'), force: true })).rejects.toThrow(/would destroy/);
  await takeAndLeave('gridworld-tiny', { out: at('run'), force: true });
});

test('lab export spares its run, and what is no policy; a policy is replaced', async () => {
  await leaveRun(experiment, at());
  const before = readFileSync(at(CHECKPOINT));
  const write = (name: string) => exportCommand(at(), { member: 'world-model/0', out: at(name), json: true });
  for (const name of [CHECKPOINT, 'checkpoint.healthy.safetensors']) {
    await expect(write(name)).rejects.toThrow(/would destroy what this command reads or keeps there/);
  }
  await expect(write('result.json')).rejects.toThrow(/Nothing is written as \.json/);
  for (const name of ['notes', 'notes.onnx']) {
    file(name, '# Mine\n');
    await expect(write(name)).rejects.toThrow(/is not a policy that lab export wrote/);
  }
  expect(readFileSync(at(CHECKPOINT)).equals(before)).toBe(true);
  copyFileSync('public/policies/gridworld-trained.onnx', at('old.onnx'));
  await guardOutput(at('old.onnx'), [], POLICY_FILE);
});

test('lab scale --force spares what it reads', async () => {
  const world = file('serve.sh', walkText());
  const given = { to: 'trl', arm: 'world-model', out: at(), force: true, json: true };
  await expect(scaleCommand('gridworld-tiny', { ...given, world })).rejects.toThrow(/would destroy/);
  await scaleCommand('gridworld-tiny', given);
});
