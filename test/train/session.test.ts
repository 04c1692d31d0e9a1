/**
 * A run as the page drives it, on real (software) WebGPU and on the CPU: phases, steps, live changes, and the loss of the
 * device at awkward moments, after which the run must end with the numbers of an undisturbed one.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets';
import { createNodeGpu } from '../../src/lab/nodeGpu';
import { METRICS } from '../../src/rl/metrics';
import type { BackendChoice, TrainerEvent } from '../../src/train/protocol';
import { Session } from '../../src/train/session';

const UPDATES = 14;
const preset = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const experiment: Experiment = { ...preset, arms: preset.arms.slice(0, 2), seeds: 1, updates: UPDATES };

/** Devices handed out since the test began, and whether there are more to come. */
const gpu = { devices: [] as GPUDevice[], available: true };

beforeEach(async () => {
  process.env.UNMASK_SOFTWARE_GPU = '1';
  const { gpu: real } = await createNodeGpu();
  gpu.devices = [];
  gpu.available = true;
  const requestAdapter = async (options?: GPURequestAdapterOptions) => {
    const adapter = gpu.available ? await real.requestAdapter(options) : null;
    if (adapter === null) return null;
    const requestDevice = async (descriptor?: GPUDeviceDescriptor) => {
      const device = await adapter.requestDevice(descriptor);
      gpu.devices.push(device);
      return device;
    };
    return new Proxy(adapter, {
      get: (target, key) => (key === 'requestDevice' ? requestDevice : Reflect.get(target, key, target)),
    });
  };
  vi.stubGlobal('navigator', { gpu: { requestAdapter }, hardwareConcurrency: 2 });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

class Page {
  readonly events: TrainerEvent[] = [];
  readonly session: Session;
  #heard: (() => void)[] = [];

  constructor(choice: BackendChoice, value = experiment, listen: (event: TrainerEvent, page: Page) => void = () => {}) {
    this.session = new Session(value, choice, (event) => {
      this.events.push(structuredClone(event));
      listen(event, this);
      for (const wake of this.#heard.splice(0)) wake();
    });
  }

  async until(wanted: (page: Page) => boolean): Promise<void> {
    while (!wanted(this)) {
      await new Promise<void>((resolve) => {
        this.#heard.push(resolve);
      });
    }
  }

  of<T extends TrainerEvent['type']>(type: T): Extract<TrainerEvent, { type: T }>[] {
    return this.events.filter((event): event is Extract<TrainerEvent, { type: T }> => event.type === type);
  }

  get phase(): string | undefined {
    return this.of('phase').at(-1)?.phase;
  }

  /** Every number of every update, later reports over earlier ones. */
  get curves(): number[] {
    const columns = experiment.arms.length * METRICS.length;
    const values: number[] = [];
    for (const batch of this.of('metrics')) {
      batch.values.forEach((value, i) => {
        values[batch.update * columns + i] = value;
      });
    }
    return values;
  }
}

async function finished(choice: BackendChoice, listen?: ConstructorParameters<typeof Page>[2]): Promise<Page> {
  const page = new Page(choice, experiment, listen);
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
  expect(page.of('error')).toEqual([]);
  await page.session.dispose();
  return page;
}

describe('a session', () => {
  test('steps one update at a time, takes changes from the next update, and finishes', async () => {
    const page = new Page('reference', { ...experiment, updates: 3 });
    await page.session.prepare(false);
    expect(page.phase).toBe('ready');
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    page.session.change([{ arm: '*', setting: 'learningRate', value: 0.01 }]);
    expect(page.of('changed')[0]?.changes).toMatchObject([{ update: 1 }]);
    expect(() => page.session.change([{ arm: '*', setting: 'learningRate', value: -1 }])).toThrow(/Learning rate/);
    expect(() => page.session.extend(Number.NaN)).toThrow();
    page.session.step();
    await page.until(({ events }) => events.filter(({ type }) => type === 'episodes').length === 2);
    await page.until(({ phase }) => phase === 'paused');
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('episodes').map(({ update }) => update)).toEqual([0, 1, 2]);
    page.session.extend(4);
    expect(page.phase).toBe('paused');
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('phase').at(-1)?.update).toBe(4);
    await page.session.dispose();
  });

  test('takes a step that is asked for while it prepares', async () => {
    const page = new Page('reference', { ...experiment, updates: 3 });
    const prepared = page.session.prepare(false);
    page.session.step();
    await prepared;
    await page.until(({ phase }) => phase === 'paused');
    expect(page.of('phase').at(-1)?.update).toBe(1);
    await page.session.dispose();
  });

  test('that is paused and resumed at once goes on', async () => {
    const page = new Page('reference', { ...experiment, updates: 4 });
    await page.session.prepare(true);
    await page.until(({ phase }) => phase === 'running');
    page.session.pause();
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    await page.session.dispose();
  });
});

describe('a session whose device is lost', () => {
  let undisturbed: number[];
  beforeEach(async () => {
    undisturbed ??= (await finished('webgpu')).curves;
    expect(undisturbed).toHaveLength(UPDATES * experiment.arms.length * METRICS.length);
  });

  test('in the middle of an update, before any snapshot, ends with the same numbers', async () => {
    let destroyed = false;
    const page = await finished('webgpu', (event) => {
      if (event.type !== 'phase' || event.phase !== 'running' || destroyed) return;
      destroyed = true;
      // Updates take some 100 ms here: this falls into one of the first.
      setTimeout(() => gpu.devices.at(-1)?.destroy(), 150);
    });
    expect(page.of('notice')).toMatchObject([{ kind: 'recovered' }]);
    expect(page.curves).toEqual(undisturbed);
  });

  test('when a readback arrives, twice, after a snapshot, ends with the same numbers', async () => {
    let losses = 0;
    const page = await finished('webgpu', (event) => {
      if (event.type !== 'metrics' || event.update + event.count < 11 || losses === 2) return;
      losses += 1;
      gpu.devices.at(-1)?.destroy();
    });
    const recovered = page.of('notice').filter(({ kind }) => kind === 'recovered');
    expect(recovered.length).toBeGreaterThanOrEqual(1);
    // From the snapshot of update 10, not from the start.
    for (const { update } of recovered) expect(update).toBe(10);
    expect(page.curves).toEqual(undisturbed);
  });

  test('while it is paused asks for another when resumed', async () => {
    const page = new Page('webgpu');
    await page.session.prepare(false);
    page.session.step();
    await page.until(({ phase }) => phase === 'paused');
    gpu.devices.at(-1)?.destroy();
    await page.until(({ events }) => events.some((event) => event.type === 'phase' && /lost/.test(event.detail)));
    page.session.resume();
    await page.until(({ phase }) => phase === 'finished');
    expect(page.curves).toEqual(undisturbed);
    await page.session.dispose();
  });

  test('and finds no other is stranded, waits, and continues on the CPU when told to', async () => {
    let destroyed = false;
    const page = new Page('webgpu', experiment, (event) => {
      if (event.type !== 'metrics' || event.update + event.count < 3 || destroyed) return;
      destroyed = true;
      gpu.available = false;
      gpu.devices.at(-1)?.destroy();
    });
    await page.session.prepare(true);
    await page.until(({ phase }) => phase === 'stranded');
    expect(page.of('stranded')[0]?.advice).toMatch(/CPU/);
    // One Worker would be enough for two members; Node has no browser Workers here.
    await page.session.continueOn('cpu');
    await page.until(({ phase }) => phase === 'finished');
    expect(page.of('notice').map(({ kind }) => kind)).toEqual(['switched']);
    expect(page.of('backend').at(-1)?.kind).toBe('cpu');
    expect(page.of('error')).toEqual([]);
    await page.session.dispose();
  }, 30_000);
});
