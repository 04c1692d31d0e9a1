// Files saved from the page: every measurement is in the data, every setting in the report, and names bring no markup.
import { describe, expect, test } from 'vitest';
import type { Arm } from '../../src/experiment/experiment';
import { firstPreset } from '../../src/experiment/presets/presets';
import { Curves } from '../../src/measured/curves';
import { MetricHistory } from '../../src/measured/history';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import type { RunLooks } from '../../src/store/run/looks';
import { cardOf } from '../../src/ui/frame/share/card';
import { type Reported, reportHtml } from '../../src/ui/frame/share/report';
import { dataCsv, dataJson } from '../../src/ui/model/files/data';
import { fileName, NAMED_FILES } from '../../src/ui/model/files/names';

const preset = firstPreset.experiment;
const experiment = { ...preset, title: 'A <script>alert(1)</script> & more', seeds: 2 };
const members = experiment.arms.length * 2;

const history = new MetricHistory(experiment.arms.length, 2);
const values = new Float32Array(3 * members * METRICS.length).fill(Number.NaN);
for (let row = 0; row < 3 * members; row++) values[row * METRICS.length + METRIC.successRate] = row / 32;
history.append(0, 3, members, values);

const probe = { target: 'cell', moment: 'action', examples: 40, classes: 4, majority: 0.25 } as const;
const [first, second] = experiment.arms as unknown as readonly [Arm, Arm];
const probes = { ...probe, accuracy: [0.31, 0.62], untrained: [0.3, 0.2] };
const looks: RunLooks = {
  probed: [{ update: 2, members: [{ arm: first.id, seed: 0, probes: [probes] }] }],
  warmStart: [],
  dreamPoints: [
    { update: 1, byArm: { [second.id]: { agreement: [0.1, 0.1, 0.1, 0.1], sensitivity: 0.1 } } },
    { update: 3, byArm: { [second.id]: { agreement: [0.9, 0.8, Number.NaN, 0.5], sensitivity: 1.25 } } },
  ],
};

test('no two files of a run have the same name', () => {
  const names = NAMED_FILES.map((kind) => fileName('gridworld', kind));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain('unmask-gridworld-experiment.json');
});

test('a card has title, verdict, note and the page’s address without its fragment, each broken within its lines', () => {
  const long = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
  const card = (note: string) =>
    cardOf({
      title: 'A & B',
      verdict: long,
      note,
      address: 'https://lab.example/unmask/#preset=x',
      chart: '<svg height="244"></svg>',
    });
  const texts = (svg: string) => [...svg.matchAll(/<text x="(\d+)"[^>]*>([^<]*)/g)].map(([, , text = '']) => text);
  expect(texts(card(''))[0]).toBe('A &amp; B');
  expect(texts(card('')).slice(1, -2).join(' ')).toBe(long);
  expect(Math.max(...texts(card('')).map(({ length }) => length))).toBeLessThanOrEqual(84);
  expect(texts(card('Mine.')).slice(-3)).toEqual(['“Mine.”', 'Unmask', 'lab.example/unmask']);
  expect(card('')).toMatch(/^<svg [^>]*viewBox="0 0 1200 6\d\d"/);
});

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
  const pictures = ['<svg id="success"/>', '<svg id="surprise"/>'];
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
      pictures,
      ...changes,
    });

  test('has charts, settings, the link and no script', async () => {
    const written = await html();
    expect(written).toMatch(/success"\/><table>.*Success rate.*surprise"\/><table>.*Prediction error/s);
    expect(written).toContain('<td>Seeds</td><td>2</td>');
    expect(written).toContain('<td>Prediction weight λ</td><td>0</td><td>0.1</td><td>0</td>');
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
});
