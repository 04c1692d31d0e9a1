/** Files that `lab run` keeps when it is stopped or its device is lost, with a scripted training. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Drive, type DriveOptions } from '../../src/cli/run/drive';
import { RunFolder } from '../../src/cli/run/runFolder';
import { defaultSettings } from '../../src/environments/registry';
import { openRemotes, remote } from '../../src/environments/remote';
import { remoteWorld } from '../../src/environments/remoteWorld';
import { findPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import type { TrainerUpdate, Training } from '../../src/train/population/training';
import { decodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { SNAPSHOT_EVERY } from '../../src/train/run/keep/recovery';
import { freshFolder, heardErrors } from '../support/folder';
import { ScriptedTraining, TOKENS_PER_UPDATE } from '../support/scriptedTraining';

const preset = findPreset('gridworld-tiny');
if (preset === undefined) throw new Error('The preset is missing.');
const { experiment } = preset;

const at = freshFolder();
const said = heardErrors();

function driveOf(training: Training, folder: RunFolder, options: Partial<DriveOptions> = {}): Drive {
  const machines = [{ update: 0, backend: 'webgpu' as const }];
  const given = { experiment, backend: 'webgpu' as const, adapter: 'none', machines, saved: null, folder };
  return new Drive(training, { ...given, ...options });
}

const checkpointIn = (folder: string) => decodeCheckpoint(readFileSync(join(folder, 'checkpoint.safetensors')));
const resultIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));

test('progress tells the success of each arm', async () => {
  await driveOf(new ScriptedTraining({ ...experiment, updates: 3 }), RunFolder.at(at()), {
    experiment: { ...experiment, updates: 3 },
  }).run();
  expect(said.join('')).toMatch(
    /update 3 of 3 · .* left · success action-mask \d\.\d\d, world-model \d\.\d\d, no-mask \d\.\d\d · /,
  );
});

describe('a run whose device is lost', () => {
  test('leaves its curves and the last snapshot, and says so in one line', async () => {
    const failure = driveOf(new ScriptedTraining(experiment, SNAPSHOT_EVERY + 3), RunFolder.at(at())).run();
    const error = await failure.catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(LabError);
    expect(error).toMatchObject({ code: 'device-lost', what: 'The GPU stopped answering.' });
    const { advice } = error as LabError;
    expect(advice).toContain('Choose a smaller preset.');
    expect(advice).toContain(`The curves of ${SNAPSHOT_EVERY + 3} updates are in ${at()}/result.json.`);
    expect(advice).toContain(`continue from update ${SNAPSHOT_EVERY}: npm run -s lab -- run --resume ${at()}`);
    expect(advice).not.toContain('\n');
    const { snapshot, backend, tokens } = checkpointIn(at());
    expect({ update: snapshot.update, backend, tokens }).toEqual({
      update: SNAPSHOT_EVERY,
      backend: 'webgpu',
      tokens: SNAPSHOT_EVERY * TOKENS_PER_UPDATE,
    });
    expect(resultIn(at()).arms[0].seeds[0].curve.update).toHaveLength(SNAPSHOT_EVERY + 3);
  });

  test('before any snapshot promises no checkpoint', async () => {
    const folder = RunFolder.at(at());
    const error = await driveOf(new ScriptedTraining(experiment, 2), folder)
      .run()
      .catch((cause: unknown) => cause);
    await folder.close();
    expect((error as LabError).advice).toContain('The curves of 2 updates are in');
    expect((error as LabError).advice).not.toMatch(/resume|checkpoint/);
    expect(readdirSync(at())).toEqual(['result.json']);
  });

  test('before anything was finished leaves nothing', async () => {
    const base = at('lab-runs', 'tiny-0');
    await expect(driveOf(new ScriptedTraining(experiment, 0), RunFolder.free(base)).run()).rejects.toMatchObject({
      code: 'device-lost',
      advice: 'Choose a smaller preset.',
    });
    expect(existsSync(base)).toBe(false);
  });
});

test('a run whose world goes before the first save can be continued from its last update', async () => {
  class GoneWorld extends ScriptedTraining {
    override async runUpdate(): Promise<TrainerUpdate> {
      if (this.finished === 3) throw new LabError('unsupported', 'The world cannot be played.', 'Look at its server.');
      return super.runUpdate();
    }
  }
  openRemotes((settings) => remoteWorld(settings, () => expect.unreachable()));
  const settings = { ...defaultSettings(remote.id), url: 'http://127.0.0.1:9' };
  const served = { ...experiment, environment: { id: remote.id, settings } };
  const failure = driveOf(new GoneWorld(served), RunFolder.at(at()), { experiment: served }).run();
  await expect(failure).rejects.toThrow(`To continue from update 3: npm run -s lab -- run --resume ${at()}`);
  expect(readdirSync(at())).toContain('checkpoint.safetensors');
});

describe('a run without a folder of its own', () => {
  test('is saved on time, in a folder that no other run has', async () => {
    const base = at('lab-runs', 'tiny-0');
    for (const path of [base, `${base}-2`, `${base}-3`]) {
      const folder = RunFolder.free(base);
      const drive = driveOf(new ScriptedTraining(experiment), folder, { saveEverySeconds: 0.005 });
      said.length = 0;
      const watching = setInterval(() => {
        if (said.join('').includes('If it is cut off')) drive.stop();
      }, 1);
      expect(await drive.run()).toBe(false);
      clearInterval(watching);
      expect(folder.path).toBe(path);
      expect(said.join('')).toContain(`If it is cut off: npm run -s lab -- run --resume ${path}\n`);
      expect(checkpointIn(path).snapshot.update).toBe(drive.result().arms[0]?.seeds[0]?.curve.update.length);
    }
  });

  test('is kept once it is complete, though it was over before the first save', async () => {
    const base = at('lab-runs', 'tiny-0');
    const folder = RunFolder.free(base);
    expect(await driveOf(new ScriptedTraining(experiment), folder).run()).toBe(true);
    await folder.close();
    expect(checkpointIn(base).snapshot.update).toBe(experiment.updates);
  });
});

test('a gradient that is not finite is said once a member, and null in the result', async () => {
  const training = new ScriptedTraining(experiment);
  training.diverging = 3;
  const drive = driveOf(training, RunFolder.at(at()));
  await drive.run();
  expect(said.filter((line) => line.includes('not finite'))).toEqual([
    expect.stringMatching(/^world-model seed 1: the gradient was not finite at update 3, so no step was taken/),
  ]);
  const member = drive.result().arms[1]?.seeds[1];
  expect(member?.curve.gradNorm.slice(0, 5)).toEqual([0, 1, 2, null, null]);
  expect(member?.nonFinite).toMatchObject({ what: 'gradient', update: 3 });
  expect(drive.result().arms[0]?.seeds[1]?.nonFinite).toBeNull();
});
