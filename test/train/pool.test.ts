/**
 * Training on several Workers gives the same bits as training without Workers, and a Worker that dies causes an error,
 * never an endless wait. The Workers here answer in this thread, with messages cloned as between threads; real threads
 * are in test/cli/workers.test.ts, real Workers in pool.browser.test.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { LabError } from '../../src/foundation/errors';
import type { Diagnosis } from '../../src/rl/look/diagnosis/table';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import type { EpisodeView } from '../../src/train/looks/shown';
import { readPolicies } from '../../src/train/policies/files';
import { dealMembers, TrainerPool } from '../../src/train/pool/pool';
import { type PoolListener, poolSize, type StartPoolWorker } from '../../src/train/pool/port';
import { Trainer } from '../../src/train/population/trainer';
import { type Snapshot, type Training, weightsOf } from '../../src/train/population/training';
import { startHere } from '../support/poolHere';

const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
/** Three arms and two seeds: six members, so four Workers get parts of different sizes. */
const tiny = { ...preset, diagnosticsEvery: 2 };

/** Training on a pool, or for one Worker a Trainer, as chooseBackend opens it. */
async function open(workers: number, experiment: Experiment = tiny, start: StartPoolWorker = startHere) {
  return workers === 1
    ? new Trainer(await createCpuBackend(), experiment)
    : new TrainerPool(experiment, { workers, start });
}

interface Run {
  metrics: Float64Array[];
  tokens: number[];
  episodes: EpisodeView[][];
  diagnoses: (Diagnosis | null)[];
  snapshot: Snapshot;
}

async function run(training: Training, updates: number): Promise<Run> {
  await training.prepare();
  const seen = {
    metrics: [] as Float64Array[],
    tokens: [] as number[],
    episodes: [] as EpisodeView[][],
    diagnoses: [] as (Diagnosis | null)[],
  };
  for (let i = 0; i < updates; i++) {
    const finished = training.finished;
    const result = await training.runUpdate({ seed: 1, group: 1 }, true);
    expect(result.update).toBe(finished);
    seen.metrics.push(await result.metrics);
    seen.tokens.push(result.tokens);
    seen.episodes.push((await result.episodes) ?? []);
    seen.diagnoses.push(await result.diagnosis);
  }
  return { ...seen, snapshot: await training.snapshot() };
}

describe('training on several Workers', () => {
  it.each([2, 3, 4])('gives on %i what it gives on none', async (workers) => {
    const alone = await run(await open(1), 3);
    const pool = await open(workers);
    const together = await run(pool, 3);
    expect(together).toEqual(alone);
    expect(together.episodes[0]?.map(({ arm, seed }) => [arm, seed])).toEqual(tiny.arms.map(({ id }) => [id, 1]));
    expect(together.diagnoses.map((one) => one?.update)).toEqual([0, undefined, 2]);
    expect(await pool.runUpdate()).toMatchObject({ episodes: null, diagnosis: null });
    pool.dispose();
  });

  it('trains adapters on a model that 3 hold once as on one that each holds, and as on none', async () => {
    const { experiment: listener } = findPreset('listener') as { experiment: Experiment };
    const adapting = {
      ...listener,
      arms: listener.arms.slice(0, 3),
      seeds: 1,
      batch: { groups: 1, groupSize: 4 },
      policy: { ...listener.policy, adapterRank: 4 },
      evaluation: { ...listener.evaluation, every: 0 },
    };
    const file = new Blob([new Uint8Array(readFileSync('public/models/stories260k/model.safetensors'))]);
    const weights = weightsOf(await readPolicies([file], adapting));
    const created: unknown[] = [];
    const start: StartPoolWorker = (listen) => {
      const port = startHere(listen);
      const send: typeof port.send = (command, transfer) => {
        if (command.type === 'create') created.push(command.shared);
        port.send(command, transfer);
      };
      return { ...port, send };
    };
    const pooled = () => new TrainerPool(adapting, { workers: 3, start, weights });
    const alone = await run(new Trainer(await createCpuBackend(), adapting, { weights }), 2);
    const together = await run(pooled(), 2);
    expect(together).toEqual(alone);
    vi.stubGlobal('crossOriginIsolated', false);
    const apart = await run(pooled(), 2);
    vi.unstubAllGlobals();
    expect(apart).toEqual(alone);
    expect(created.map((shared) => shared !== null)).toEqual([true, true, true, false, false, false]);
  });

  it('probes on 2 what it probes on none, all members or those of a seed', async () => {
    const [alone, pool] = [await open(1), await open(2)];
    for (const training of [alone, pool]) {
      await training.prepare();
      await training.runUpdate();
    }
    for (const seed of [null, 1]) expect(await pool.probe(seed)).toEqual(await alone.probe(seed));
    expect(await pool.probe(1)).toHaveLength(tiny.arms.length);
    pool.dispose();
  });

  it('continues a snapshot with another number of Workers', async () => {
    const whole = await run(await open(1), 4);
    for (const [from, to] of [
      [2, 1],
      [1, 3],
      [3, 2],
    ] as const) {
      const first = await open(from);
      const half = await run(first, 2);
      first.dispose();
      const second = await open(to);
      await second.prepare();
      await second.restore(half.snapshot);
      expect(second.finished).toBe(2);
      const rest = await run(second, 2);
      expect(rest.metrics).toEqual(whole.metrics.slice(2));
      expect(rest.snapshot).toEqual(whole.snapshot);
      second.dispose();
    }
  });

  it('applies a live change from the next update on', async () => {
    const change = { update: 1, arm: 'world-model', setting: 'ce.observation', value: 0.5 };
    const changed = async (training: Training): Promise<Float64Array[]> => {
      const before = await run(training, 1);
      training.setTimeline([change]);
      expect(training.experiment.timeline).toEqual([change]);
      const after = await run(training, 2);
      expect(after.snapshot.timeline).toEqual([change]);
      return [...before.metrics, ...after.metrics];
    };
    const alone = await changed(await open(1));
    const pool = await open(2);
    expect(await changed(pool)).toEqual(alone);
    pool.dispose();
    expect(alone).not.toEqual((await run(await open(1), 3)).metrics);
  });

  it('trains only the seeds asked for', async () => {
    const backend = await createCpuBackend();
    const alone = await run(new Trainer(backend, tiny, { seeds: [1] }), 2);
    const pool = new TrainerPool(tiny, { workers: 2, start: startHere, seeds: [1] });
    expect(await run(pool, 2)).toEqual(alone);
    pool.dispose();
  });
});

describe('a pool that fails', () => {
  it('says why a Worker cannot be set up, as the Trainer would', async () => {
    const unknown = { ...tiny, environment: { id: 'nowhere', settings: {} } };
    const pool = await open(2, unknown);
    await expect(pool.prepare()).rejects.toMatchObject({
      code: 'invalid-experiment',
      message: 'There is no environment called nowhere. Choose one of the environments in the list.',
    });
    await expect(pool.runUpdate()).rejects.toThrow('nowhere');
  });

  it('refuses a snapshot of another shape', async () => {
    const other = await run(await open(1, { ...tiny, policy: { ...tiny.policy, width: 8 } }), 1);
    const pool = await open(2);
    await expect(pool.restore(other.snapshot)).rejects.toMatchObject({ code: 'invalid-experiment' });
  });

  it.each(['before it is ready', 'during an update', 'between updates'])('ends when a Worker dies %s', async (when) => {
    const listeners: PoolListener[] = [];
    const ended = new Set<number>();
    const start: StartPoolWorker = (listener) => {
      const index = listeners.push(listener) - 1;
      const port = startHere(listener);
      return {
        send: port.send,
        end() {
          ended.add(index);
          port.end();
        },
      };
    };
    const pool = await open(3, tiny, start);
    const die = (): void => listeners[1]?.died('out of memory');
    const expected = { code: 'device-lost', message: expect.stringContaining('out of memory. Start again') };
    if (when === 'before it is ready') {
      die();
      await expect(pool.prepare()).rejects.toMatchObject(expected);
    } else {
      await pool.prepare();
      await pool.runUpdate();
      const update = when === 'during an update' ? pool.runUpdate() : null;
      die();
      if (update !== null) await expect(update).rejects.toMatchObject(expected);
    }
    expect(await pool.lost).toBeInstanceOf(LabError);
    expect(await pool.lost).toMatchObject(expected);
    await expect(pool.runUpdate()).rejects.toMatchObject(expected);
    await expect(pool.snapshot()).rejects.toMatchObject(expected);
    expect([...ended].sort()).toEqual([0, 1, 2]);
  });

  it('fails, and does not throw at once, when Workers cannot be started', async () => {
    const pool = await open(2, tiny, () => {
      throw new Error('Workers are forbidden here');
    });
    await expect(pool.prepare()).rejects.toThrow('Workers are forbidden here');
  });

  it('rejects what is under way when it is ended', async () => {
    const pool = await open(2);
    const update = pool.runUpdate();
    pool.dispose();
    await expect(update).rejects.toThrow('The training was ended.');
  });
});

describe('sharing out', () => {
  it('deals every member to one Worker, in parts of nearly equal size', () => {
    expect(dealMembers(7, 3)).toEqual([
      [0, 3, 6],
      [1, 4],
      [2, 5],
    ]);
    expect(dealMembers(2, 5)).toEqual([[0], [1]]);
  });

  it.each([
    // members, cores, Workers
    [12, 1, 1],
    [12, 2, 2],
    [12, 4, 3],
    [12, 8, 6],
    [12, 64, 12],
    [64, 64, 16],
    [1, 8, 1],
    [3, 2, 2],
  ])('starts for %i members on %i cores %i Workers', (members, cores, workers) => {
    expect(poolSize(members, cores)).toBe(workers);
  });
});
