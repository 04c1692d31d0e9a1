/** A preset of a failure, trained: its light goes on in the arm that fails, and stays off in the arm that is cured. */
import { expect, it } from 'vitest';
import { FAILURES } from '../../src/experiment/conclude/health';
import { findPreset, type Preset } from '../../src/experiment/presets/presets';
import { MetricHistory } from '../../src/measured/history';
import { METRICS } from '../../src/rl/measure/metrics';
import { lightsOf } from '../../src/store/look/health';
import { cpuTrainer } from '../support/trained';

const UPDATES = 24;

it('lights reward hacking, and only that, where calls of the tool are charged for', async () => {
  const { experiment } = findPreset('failure-reward-hacking') as Preset;
  const small = { ...experiment, seeds: 1, updates: UPDATES, warmStart: { ...experiment.warmStart, updates: 40 } };
  const trainer = await cpuTrainer(small);
  const history = new MetricHistory(small.arms.length, small.seeds);
  for (let update = 0; update < UPDATES; update++) {
    const metrics = await (await trainer.runUpdate()).metrics;
    history.append(update, 1, metrics.length / METRICS.length, Float32Array.from(metrics));
  }
  const [failing, cured] = lightsOf(history, small.arms, 32).map((lights) =>
    lights.flatMap(({ state }, k) => (state === 'failing' ? [FAILURES[k]?.id] : [])),
  );
  expect(failing).toEqual(['reward-hacking']);
  expect(cured).toEqual([]);
});
