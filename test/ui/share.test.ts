// What leaves the page as a file: every measurement in the data, every setting in the report, and no markup from names.
import { describe, expect, test } from 'vitest';
import type { Arm } from '../../src/experiment/experiment';
import { defaultPreset } from '../../src/experiment/presets';
import { METRIC, METRICS } from '../../src/rl/metrics';
import { Curves } from '../../src/store/curves';
import { MetricHistory } from '../../src/store/history';
import type { Looks } from '../../src/store/looks';
import { decisiveCharts } from '../../src/ui/charts/definitions';
import { horizontalAxis } from '../../src/ui/charts/progress';
import { curveSvg } from '../../src/ui/share/curveSvg';
import { dataCsv, dataJson } from '../../src/ui/share/data';
import { drawnCurves } from '../../src/ui/share/drawn';
import { type Reported, reportHtml } from '../../src/ui/share/report';

const preset = defaultPreset.experiment;
const experiment = { ...preset, title: 'A <script>alert(1)</script> & more', seeds: 2 };
const members = experiment.arms.length * 2;

const history = new MetricHistory(experiment.arms.length, 2);
const values = new Float32Array(3 * members * METRICS.length).fill(Number.NaN);
for (let row = 0; row < 3 * members; row++) values[row * METRICS.length + METRIC.successRate] = row / 32;
history.append(0, 3, members, values);

const probe = { target: 'cell', moment: 'action', examples: 40, classes: 4, majority: 0.25 } as const;
const [first, second] = experiment.arms as unknown as readonly [Arm, Arm];
const probes = { ...probe, accuracy: [0.31, 0.62], untrained: [0.3, 0.2] };
const looks: Looks = {
  probed: [{ update: 2, members: [{ arm: first.id, seed: 0, probes: [probes] }] }],
  dreamPoints: [
    { update: 1, byArm: { [second.id]: { agreement: [0.1, 0.1, 0.1, 0.1], sensitivity: 0.1 } } },
    { update: 3, byArm: { [second.id]: { agreement: [0.9, 0.8, Number.NaN, 0.5], sensitivity: 1.25 } } },
  ],
};

describe('the data', () => {
  test('has a row for every arm, seed and update, empty where nothing was measured', () => {
    const [head = '', ...rows] = [...dataCsv(experiment, history)].join('').trimEnd().split('\n');
    expect(head.split(',')).toEqual(['arm', 'seed', 'update', 'tokens', 'seconds', ...METRICS]);
    expect(rows).toHaveLength(3 * members);
    const row = rows
      .map((line) => line.split(','))
      .find(([arm, seed, update]) => `${arm} ${seed} ${update}` === 'world-model 1 2');
    // Update 2, member 3.
    expect(row?.[5 + METRIC.successRate]).toBe(String((2 * members + 3) / 32));
    expect(row?.[5 + METRIC.return]).toBe('');
    expect(row).toHaveLength(5 + METRICS.length);
  });

  test('as JSON says null where nothing was measured', () => {
    const { arms } = JSON.parse([...dataJson(experiment, history)].join(''));
    expect(arms[1].seeds[1].curve.successRate).toEqual([3, 9, 15].map((row) => row / 32));
    expect(arms[1].seeds[1].curve.kl).toEqual([null, null, null]);
  });

  test('as JSON has what was looked at, where somebody looked', () => {
    const read = (...args: Parameters<typeof dataJson>) => JSON.parse([...dataJson(...args)].join(''));
    const { probes: found, dreams } = read(experiment, history, METRICS, looks);
    expect(found).toEqual(looks.probed);
    expect(dreams[1].byArm[second.id]).toEqual({ agreement: [0.9, 0.8, null, 0.5], sensitivity: 1.25 });
    expect(Object.keys(read(experiment, history))).toEqual(['experiment', 'seconds', 'arms']);
  });
});

describe('the report', () => {
  const arms = experiment.arms.map(({ name }) => ({ name, colour: '#3f6fb5', dash: '' }));
  const link = 'https://example.org/#preset=gridworld&seeds=2';
  const html = (changes: Partial<Reported> = {}) =>
    reportHtml({
      experiment,
      history,
      curves: new Curves(history, experiment),
      looks,
      device: 'CPU',
      link,
      date: new Date(0),
      arms,
      ...changes,
    });

  test('has charts, settings, the link and no script', async () => {
    const written = await html();
    expect(written.match(/<svg /g)).toHaveLength(2);
    expect(written).toContain('<td>Seeds</td><td>2</td>');
    expect(written).toContain('<td>World-model weight λ</td><td>0</td><td>0.1</td><td>0</td>');
    expect(written).toContain('href="https://example.org/#preset=gridworld&amp;seeds=2"');
    expect(written).not.toContain('<script');
    expect(written).toContain('A &lt;script&gt;alert(1)&lt;/script&gt; &amp; more');
  });

  test('has the newest probes and dreams, where somebody looked', async () => {
    const written = await html();
    expect(written).toContain('<h2>Read off by a linear probe, after 2 updates</h2>');
    expect(written).toContain(`<td>${first.name}</td><td>embeddings 31%, after block 1 62%</td><td>30%, 20%</td>`);
    expect(written).toContain('<h2>Dreams, after 3 updates</h2>');
    expect(written).toContain(`<td>${second.name}</td><td>90%</td><td>80%</td><td>–</td><td>50%</td><td>1.25</td>`);
  });

  test('says of a fixed policy only what matters to it', async () => {
    const [mask, model, other] = experiment.arms;
    const fixed = { ...model, temperature: 0.7, learningRate: 0.123, fixedPolicy: 'ab'.repeat(32) };
    const beside = { ...experiment, arms: [mask, fixed, other] as typeof experiment.arms };
    const written = await html({ experiment: beside, curves: new Curves(history, beside) });
    expect(written).toMatch(/<td>Temperature<\/td><td>1<\/td><td>0\.7<\/td><td>1<\/td>/);
    expect(written).toMatch(/<td>Learning rate<\/td><td>[\d.]+<\/td><td>–<\/td><td>[\d.]+<\/td>/);
    expect(written).toContain('<td>none</td><td>abababababab</td><td>none</td>');
    expect(written).toContain(`${fixed.name}, a fixed policy, was at`);
  });

  test('draws an arm’s mean where its numbers are: 0% at the bottom of the plot, half of 100% in the middle', async () => {
    const flat = new MetricHistory(1, 2);
    const rows = new Float32Array(2 * 2 * METRICS.length).fill(Number.NaN);
    for (let row = 2; row < 4; row++) rows[row * METRICS.length + METRIC.successRate] = 1;
    for (let row = 0; row < 2; row++) rows[row * METRICS.length + METRIC.successRate] = 0;
    flat.append(0, 2, 2, rows);
    const one = { ...experiment, arms: experiment.arms.slice(0, 1) };
    const drawn = await reportHtml({
      experiment: one,
      history: flat,
      curves: new Curves(flat, one),
      looks: { probed: [], dreamPoints: [] },
      device: '',
      link,
      date: new Date(0),
      arms: arms.slice(0, 1),
    });
    expect(drawn).toContain('<polyline points="52,264 311,150"');
    // No floor: one line a chart.
    expect(drawn.match(/<polyline points="\d/g)).toHaveLength(1);
  });

  test('names the axis beside its last number, not in it', async () => {
    const long = new MetricHistory(1, 1);
    long.append(0, 3, 1, new Float32Array(3 * METRICS.length));
    const one = { ...experiment, seeds: 1, arms: experiment.arms.slice(0, 1) };
    const definition = decisiveCharts[0] as NonNullable<(typeof decisiveCharts)[0]>;
    const { points } = await drawnCurves(new Curves(long, one), definition, { limit: 10 });
    const horizontal = horizontalAxis('updates', 2000, points);
    const svg = curveSvg({ definition, points, arms: arms.slice(0, 1), horizontal });
    const [number, name] = [/x="([\d.]+)"[^>]*>2,?000</, /x="([\d.]+)"[^>]*>updates</].map((text) =>
      Number(text.exec(svg)?.[1]),
    ) as [number, number];
    // Five signs of 13 pixels, half of them to the right of the middle.
    expect(name - number).toBeGreaterThan(2.5 * 8);
  });

  test('draws what nobody could foresee as a thin line, where that is more than nothing', async () => {
    const noisy = new MetricHistory(1, 2);
    const rows = new Float32Array(2 * 2 * METRICS.length).fill(Number.NaN);
    for (let row = 0; row < 4; row++) {
      rows[row * METRICS.length + METRIC.observationCrossEntropy] = 2;
      rows[row * METRICS.length + METRIC.observationFloor] = 1;
    }
    noisy.append(0, 2, 2, rows);
    const one = { ...experiment, arms: experiment.arms.slice(0, 1) };
    const definition = decisiveCharts[1];
    if (definition === undefined) throw new Error('There is no second chart.');
    const { points, floors } = await drawnCurves(new Curves(noisy, one), definition, { limit: 10 });
    const svg = curveSvg({
      definition,
      points,
      floors,
      arms: arms.slice(0, 1),
      horizontal: horizontalAxis('updates', 2, points),
    });
    const [line, floor] = [...svg.matchAll(/<polyline points="[\d.]+,([\d.]+)/g)].map(([, height]) => Number(height));
    // Half the way down from the line to the axis at 264.
    expect(264 - (floor as number)).toBeCloseTo((264 - (line as number)) / 2, 0);
  });
});
