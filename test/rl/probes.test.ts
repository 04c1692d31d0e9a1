/**
 * Linear probes find what is there and nothing else. The ridge solution equals another solver's; a linear target is
 * recovered, random labels are not; tasks are predicted only from other tasks. In real trainings they read the tokens
 * asked for, find the position right after it was told, and change no number.
 */
import { describe, expect, test } from 'vitest';
import { PROBE_TARGETS } from '../../src/environments/probes';
import type { BoardScene, Scene } from '../../src/environments/scene';
import type { Experiment } from '../../src/experiment/experiment';
import { findPreset } from '../../src/experiment/presets/presets';
import { RandomStream } from '../../src/foundation/philox';
import { initialParameters } from '../../src/policy/parameters';
import { type Probe, Probes } from '../../src/rl/look/probes/linear';
import { ridge } from '../../src/rl/look/probes/ridge';
import { Trajectories } from '../../src/rl/play/trajectories';
import { SessionPage } from '../support/sessionPage';
import { cpuTrainer } from '../support/trained';

const random = (part: number): RandomStream => new RandomStream(7, 0, 0, 0, part);

/** (xᵀx + penalty·I)·w = xᵀy by Gauss–Jordan elimination with pivoting. */
function eliminate(x: number[][], y: number[][], penalty: number): number[][] {
  const [d, k] = [x[0]?.length ?? 0, y[0]?.length ?? 0];
  const sum = (f: (row: number) => number) => x.reduce((total, _, row) => total + f(row), 0);
  const rows = Array.from({ length: d }, (_, i) => [
    ...Array.from({ length: d }, (_, j) => sum((r) => x[r]![i]! * x[r]![j]!) + (i === j ? penalty : 0)),
    ...Array.from({ length: k }, (_, c) => sum((r) => x[r]![i]! * y[r]![c]!)),
  ]);
  for (let i = 0; i < d; i++) {
    const best = rows.slice(i).reduce((at, row, j) => (Math.abs(row[i]!) > Math.abs(rows[at]![i]!) ? i + j : at), i);
    [rows[i], rows[best]] = [rows[best]!, rows[i]!];
    const pivot = rows[i]!.map((value) => value / rows[i]![i]!);
    rows[i] = pivot;
    for (let j = 0; j < d; j++) {
      const factor = rows[j]![i]!;
      if (j !== i) rows[j] = rows[j]!.map((value, column) => value - factor * pivot[column]!);
    }
  }
  return rows.map((row) => row.slice(d));
}

test('the ridge solution is that of another solver', () => {
  const stream = random(1);
  const [n, d, k] = [23, 9, 4];
  const draw = (columns: number) =>
    Array.from({ length: n }, () => Array.from({ length: columns }, () => stream.normal()));
  const [x, y] = [draw(d), draw(k)];
  // Nearly dependent columns, so that the penalty matters.
  for (const row of x) row[1] = row[0]! + 1e-3 * row[2]!;
  const found = ridge(Float64Array.from(x.flat()), Float64Array.from(y.flat()), n, 0.3);
  const expected = eliminate(x, y, 0.3).flat();
  expected.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 9);
  });
});

const [GROUPS, SIZE, TURNS, WIDTH] = [16, 4, 8, 12];

/** Probes of invented activations. Every turn is an action token and an answer token; the agent is in cell `cellOf`. */
async function probeSynthetic(
  cellOf: (slot: number, turn: number) => number,
  activation: (slot: number, turn: number, i: number) => number,
): Promise<Probe[]> {
  const count = GROUPS * SIZE;
  const trajectories = new Trajectories(1, count, 1 + 2 * TURNS, TURNS);
  for (let slot = 0; slot < count; slot++) {
    trajectories.appendSaid(slot, 1, 'prompt');
    for (let turn = 0; turn < TURNS; turn++) {
      trajectories.appendDrawn(slot, 2, 0, 0);
      trajectories.appendSaid(slot, 3, 'observation');
    }
  }
  trajectories.tasks[0] = Array.from({ length: GROUPS }, (_, group) => Int32Array.of(group));
  let slot = -1;
  const scenes = (): readonly Scene[] => {
    slot += 1;
    return Array.from({ length: TURNS + 1 }, (_, turn) => board(cellOf(slot, turn - 1)));
  };
  const residuals = {
    read: async (_: unknown, __: unknown, places: readonly (readonly { slot: number; position: number }[])[]) => [
      [
        Float32Array.from(
          (places[0] ?? []).flatMap(({ slot: at, position }) =>
            Array.from({ length: WIDTH }, (_, i) => activation(at, Math.floor((position - 1) / 2), i)),
          ),
        ),
      ],
    ],
  };
  const [found] = await new Probes({ scenes }, SIZE, residuals, new Float32Array(0)).measure([0], trajectories);
  return found ?? [];
}

const board = (cell: number): BoardScene => ({
  kind: 'board',
  width: 4,
  height: 1,
  cells: [],
  agent: [cell, 0],
  boxes: [],
  carrying: null,
  controls: null,
  action: null,
});

describe('of synthetic activations a probe', () => {
  const stream = random(2);
  const noise = Array.from({ length: GROUPS * SIZE * TURNS * WIDTH }, () => stream.normal());
  const at = (slot: number, turn: number, i: number): number => noise[(slot * TURNS + turn) * WIDTH + i] as number;
  const EXAMPLES = GROUPS * SIZE * TURNS;

  test('recovers a class that is linear in them', async () => {
    const direction = Array.from({ length: WIDTH }, () => stream.normal());
    const linear = (slot: number, turn: number): number =>
      +(direction.reduce((sum, value, i) => sum + value * at(slot, turn, i), 0) > 0);
    const found = await probeSynthetic(linear, at);
    expect(found.map(({ target, moment }) => [target, moment])).toEqual([
      ['cell', 'action'],
      ['cell', 'answer'],
    ]);
    for (const probe of found) {
      expect(probe).toMatchObject({ examples: EXAMPLES, classes: 2 });
      expect(probe.accuracy[0]).toBeGreaterThan(0.93);
      expect(probe.majority).toBeLessThan(0.65);
    }
  });

  test('is no better than chance on random labels', async () => {
    const labels = Array.from({ length: EXAMPLES }, () => stream.below(4));
    const [probe] = await probeSynthetic((slot, turn) => labels[slot * TURNS + Math.max(0, turn)] as number, at);
    // Three standard errors of a share of ¼.
    expect(Math.abs((probe?.accuracy[0] ?? 1) - 0.25)).toBeLessThan(3 * Math.sqrt((0.25 * 0.75) / EXAMPLES));
  });

  test('never sees another trajectory of the task it predicts', async () => {
    // Each task has its own class and activation: fitting a single trajectory of a task would be enough to know it.
    const group = (slot: number): number => Math.floor(slot / SIZE);
    const [probe] = await probeSynthetic(group, (slot, _, i) => random(100 + group(slot) * WIDTH + i).normal());
    expect(probe).toMatchObject({ classes: GROUPS, majority: 0, accuracy: [0] });
  });
});

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const experiment: Experiment = { ...tiny, batch: { groups: 4, groupSize: 8 }, arms: tiny.arms.slice(0, 2) };

async function train(updates: number, options: { probed: boolean; halvings?: number }) {
  const trainer = await cpuTrainer(experiment, { halvings: options.halvings ?? 0 });
  const metrics: Float64Array[] = [];
  for (let update = 0; update < updates; update++) {
    metrics.push(await (await trainer.runUpdate()).metrics);
    if (options.probed) await trainer.probe(update % 2 === 0 ? 1 : null);
  }
  return { trainer, metrics };
}

describe('of a real training', () => {
  test('the position is read off the answer that tells it, of every member', async () => {
    const { trainer } = await train(1, { probed: false });
    expect(await trainer.probe(5)).toEqual([]);
    const found = (await trainer.probe(null)) ?? [];
    expect(found.map(({ arm, seed }) => [arm, seed])).toEqual(trainer.members.map(({ arm, seed }) => [arm, seed]));
    for (const { probes } of found) {
      const [before, after] = probes as [Probe, Probe];
      expect([before.moment, after.moment]).toEqual(['action', 'answer']);
      for (const probe of probes) expect(probe.accuracy).toHaveLength(experiment.policy.layers + 1);
      // After the answer the token itself names the cell; after the action nothing does yet.
      expect(Math.min(...after.accuracy)).toBeGreaterThan(4 * after.majority);
      expect(before.accuracy[0]).toBeLessThan(0.5 * (after.accuracy[0] as number));
    }
    const [seed] = (await trainer.probe(1)) ?? [];
    expect(seed).toEqual(found[1]);
  });

  test('is of fresh weights too, which before the first step are the policy’s own', async () => {
    const still = { ...experiment, arms: experiment.arms.map((arm) => ({ ...arm, learningRate: 0 })) };
    const trainer = await cpuTrainer(still);
    await trainer.runUpdate();
    for (const { probes } of (await trainer.probe(null)) ?? []) {
      for (const { accuracy, untrained } of probes) expect(untrained).toEqual(accuracy);
    }
    const { tensors } = await trainer.snapshot();
    expect(tensors.parameters.slice(0, trainer.layout.size)).toEqual(initialParameters(trainer.layout, still.seed, 0));
  });

  test('is the same however the batch is cut', async () => {
    const whole = await train(2, { probed: false });
    const cut = await train(2, { probed: false, halvings: 1 });
    expect([whole.trainer.microbatches, cut.trainer.microbatches]).toEqual([1, 2]);
    expect(await cut.trainer.probe(null)).toEqual(await whole.trainer.probe(null));
  });

  test('changes none of its numbers', async () => {
    const plain = await train(3, { probed: false });
    const probed = await train(3, { probed: true });
    expect(probed.metrics).toEqual(plain.metrics);
    expect((await probed.trainer.snapshot()).tensors).toEqual((await plain.trainer.snapshot()).tensors);
  });
});

test('a session probes at once and after every so many updates, as long as it is asked to', async () => {
  const page = new SessionPage('cpu', { ...experiment, updates: 7 });
  await page.session.prepare(false);
  page.session.watchProbes({ seed: 0, every: 2 });
  const at = () => page.of('probed').map(({ update }) => update);
  for (let update = 1; update <= 4; update++) {
    page.session.step();
    await page.until(({ events }) =>
      events.some((event) => event.type === 'phase' && event.phase === 'paused' && event.update === update),
    );
  }
  // The first probes come as soon as there is a batch.
  expect(at()).toEqual([1, 2, 4]);
  expect(page.of('probed')[0]?.members.map(({ arm, seed }) => [arm, seed])).toEqual(
    experiment.arms.map(({ id }) => [id, 0]),
  );
  page.session.watchProbes({ seed: null, every: 100 });
  await page.until(() => at().length === 4);
  expect(page.of('probed').at(-1)?.members).toHaveLength(4);
  page.session.watchProbes(null);
  page.session.resume();
  await page.until(({ phase }) => phase === 'finished');
  expect(at()).toEqual([1, 2, 4, 4]);
});

describe('what a probe is asked for', () => {
  const told = (id: string, scene: Scene): string | null | undefined =>
    PROBE_TARGETS.find((target) => target.id === id)?.value(scene);

  test('is told from a scene, and of other worlds nothing', () => {
    expect(told('cell', board(3))).toBe('3,0');
    expect(told('controls', { ...board(3), controls: 'down,up,right,left' })).toBe('down,up,right,left');
    expect(PROBE_TARGETS.filter(({ value }) => value(board(3)) !== null).map(({ id }) => id)).toEqual([
      'cell',
      'carrying',
    ]);
    const tape = { kind: 'tape', question: '', toolWorks: true, action: null } as const;
    const lines = [
      { who: 'tool', text: '1 2', isError: false },
      { who: 'tool', text: 'error 7', isError: true },
    ] as const;
    expect(told('digit', { ...tape, lines })).toBe('2');
    expect(told('tool', { ...tape, lines })).toBe('true');
    expect(told('digit', { ...tape, lines: [] })).toBeNull();
  });
});
