// What leaves the page as a file: every measurement in the data, every setting in the report, and no markup from names.
import { describe, expect, test } from 'vitest';
import { defaultPreset } from '../../src/experiment/presets';
import { METRIC, METRICS } from '../../src/rl/metrics';
import { Curves } from '../../src/store/curves';
import { MetricHistory } from '../../src/store/history';
import { dataCsv, dataJson } from '../../src/ui/share/data';
import { reportHtml } from '../../src/ui/share/report';

const preset = defaultPreset.experiment;
const experiment = { ...preset, title: 'A <script>alert(1)</script> & more', seeds: 2 };
const members = experiment.arms.length * 2;

const history = new MetricHistory(experiment.arms.length, 2);
const values = new Float32Array(3 * members * METRICS.length).fill(Number.NaN);
for (let row = 0; row < 3 * members; row++) values[row * METRICS.length + METRIC.successRate] = row / 32;
history.append(0, 3, members, values);

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
});

describe('the report', () => {
  const arms = experiment.arms.map(({ name }) => ({ name, colour: '#3f6fb5', dash: '' }));
  const link = 'https://example.org/#preset=gridworld&seeds=2';
  const html = () =>
    reportHtml({
      experiment,
      history,
      curves: new Curves(history, experiment),
      device: 'CPU',
      link,
      date: new Date(0),
      arms,
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

  test('draws an arm’s mean where its numbers are: 100% at the top of the plot, 0% at its bottom', async () => {
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
      device: '',
      link,
      date: new Date(0),
      arms: arms.slice(0, 1),
    });
    expect(drawn).toContain('<polyline points="52,264 311,36"');
  });
});
