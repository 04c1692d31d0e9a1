import { beforeAll, expect, test } from 'vitest';
import { Drive } from '../../src/cli/run/drive';
import { RunFolder } from '../../src/cli/run/runFolder';
import { openWorlds } from '../../src/environments/own/here';
import { withWorld } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { TrainerPool } from '../../src/train/pool/pool';
import type { PoolListener, StartPoolWorker } from '../../src/train/pool/port';
import type { Snapshot } from '../../src/train/population/training';
import { freshFolder, heardErrors } from '../support/folder';
import { numberedWalk } from '../support/ownWorlds';
import { startHere } from '../support/poolHere';
import { twoMembers } from '../support/sessionPage';

const experiment = parseExperiment(withWorld(twoMembers(14), numberedWalk()));

const at = freshFolder();
const said = heardErrors();
beforeAll(openWorlds);

/** Trains on two threads, of which one ends in each pool as `ends` says: at its n-th update, with the world's function it was in. */
async function drive(ends: readonly { readonly at: number; readonly call: string | null }[]): Promise<Drive> {
  let pools = 0;
  const open = async (snapshot: Snapshot | null): Promise<TrainerPool> => {
    const end = ends[pools++];
    const listeners: PoolListener[] = [];
    const start: StartPoolWorker = (listener) => {
      const isFirst = listeners.push(listener) === 1;
      const port = startHere(listener);
      let updates = 0;
      return {
        ...port,
        send(command, transfer) {
          if (!isFirst || command.type !== 'update' || ++updates !== end?.at) return port.send(command, transfer);
          setImmediate(() => {
            listener.reply({ type: 'pulse', call: end.call });
            listener.died('exit code 9');
          });
        },
      };
    };
    const pool = new TrainerPool(experiment, { workers: 2, start });
    await pool.prepare();
    if (snapshot !== null) await pool.restore(snapshot);
    return pool;
  };
  const training = await open(null);
  const machines = [{ update: 0, backend: 'cpu' as const }];
  const given = { experiment, backend: 'cpu' as const, adapter: 'none', machines, saved: null };
  return new Drive(training, { ...given, folder: RunFolder.at(at()), reopen: open });
}

const numbersOf = (drive: Drive) => ({ ...drive.result(), wallSeconds: 0 });

test('threads that end are replaced from the last snapshot, and the run ends as an undisturbed one, bit for bit', async () => {
  const whole = await drive([]);
  expect(await whole.run()).toBe(true);
  const disturbed = await drive([
    { at: 13, call: null },
    { at: 2, call: 'step' },
  ]);
  expect(await disturbed.run()).toBe(true);
  expect(numbersOf(disturbed)).toEqual(numbersOf(whole));
  const lines = said.filter((line) => line.includes('replaced'));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    /stopped unexpectedly: exit code 9\. It was replaced after update 12; 2 updates are computed again/,
  );
});

test('a function of the world that ends threads after the same update twice ends the run with its line, saved, to go on mended', async () => {
  const stopped = await drive([
    { at: 13, call: 'step' },
    { at: 3, call: 'step' },
  ]);
  await expect(stopped.run()).rejects.toMatchObject({
    code: 'invalid-world',
    what: expect.stringMatching(/^step\(\) .*twice after update 12 \(line 11\)/),
    advice: expect.stringMatching(/To continue from update 1[0-2]: .* --resume .* --world FILE/),
  });
});

test('threads that end four times without an update between end the run, which is saved', async () => {
  const ended = await drive([{ at: 13, call: null }, ...Array.from({ length: 3 }, () => ({ at: 3, call: null }))]);
  await expect(ended.run()).rejects.toMatchObject({
    code: 'device-lost',
    advice: expect.stringMatching(/To continue from update 1[0-2]/),
  });
});
