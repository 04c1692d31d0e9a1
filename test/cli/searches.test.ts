// Searches for settings: their design, the statistics of findings, and the files of runs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { experimentOf, Ledger, type RunOutcome } from '../../src/cli/findings/ledger';
import { fieldsOf, firstRound, type SearchSetting, secondRound } from '../../src/cli/findings/search/design';
import { pickedFields, Search, TUNED } from '../../src/cli/findings/search/picks';
import { WORLDS, worldOf } from '../../src/cli/findings/search/worlds';
import { holm, pairedDifference, permutationTest, welch } from '../../src/cli/findings/statistics';
import { trainSeed } from '../../src/cli/findings/train';
import { decodeLink } from '../../src/experiment/link/link';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { testFolder } from '../support/folder';

const FIRST_ROUND = firstRound(0);
const outcome = (area: number): RunOutcome => ({
  seconds: 1,
  area,
  final: area,
  heldOut: null,
  toolOff: null,
  success: [area],
  crossEntropy: [1],
});

describe('the design of the search', () => {
  it('tries every initialisation with every learning rate, and deals the rest out evenly', () => {
    const pairs = FIRST_ROUND.map(({ initialisation, learningRate }) => `${initialisation} ${learningRate}`);
    expect(new Set(pairs).size).toBe(16);
    for (const name of ['warmUp', 'entropy', 'innerEpochs', 'batch', 'lambda'] as const) {
      const counts = new Map<number, number>();
      for (const setting of FIRST_ROUND) counts.set(setting[name], (counts.get(setting[name]) ?? 0) + 1);
      expect(Math.max(...counts.values()) - Math.min(...counts.values()), name).toBeLessThanOrEqual(1);
    }
  });

  it('gives its second round to the two best pairs, four each', () => {
    const [a, b] = [FIRST_ROUND[3] as SearchSetting, FIRST_ROUND[9] as SearchSetting];
    const pairs = secondRound([a, b], 0).map(({ initialisation, learningRate }) => [initialisation, learningRate]);
    expect(pairs.slice(0, 4)).toEqual(Array(4).fill([a.initialisation, a.learningRate]));
    expect(pairs.slice(4)).toEqual(Array(4).fill([b.initialisation, b.learningRate]));
  });

  it.each(WORLDS)('$id: whatever the batch, as many episodes; and arms differ in their own settings alone', (world) => {
    const episodes = FIRST_ROUND.map((setting) => {
      const { batch, updates } = experimentOf(fieldsOf(world, 'action-mask', setting, 1));
      return batch.groups * batch.groupSize * updates;
    });
    expect(new Set(episodes).size).toBe(1);
    for (const setting of FIRST_ROUND) {
      const [mask, model] = TUNED.map((arm) => experimentOf(fieldsOf(world, arm, setting, 1)));
      expect({ ...model, arms: [] }).toEqual({ ...mask, arms: [] });
      const { ce, ...own } = model?.arms[0] ?? {};
      expect(ce).toMatchObject({ observation: setting.lambda });
      expect({ ...own, id: '', name: '', objective: '', ce: '' }).toEqual({
        ...mask?.arms[0],
        id: '',
        name: '',
        objective: '',
        ce: '',
      });
    }
  });

  it('deals other settings in another search, which trains on other seeds', async () => {
    expect(firstRound(1)).not.toEqual(FIRST_ROUND);
    const ledger = new Ledger(testFolder()());
    const wanted = await Promise.all(
      [0, 1].map((number) => new Search(worldOf('shop'), 'action-mask', ledger, number).wanted()),
    );
    const names = wanted.flat().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const seeds = wanted.map(([first]) => experimentOf(first?.fields ?? {}).seed);
    expect(seeds).toEqual([1000, 1001]);
  });

  it('has its picks meet on seeds that no search used, controls at the world model’s settings', async () => {
    const ledger = new Ledger('findings');
    const picked = (arm: 'world-model' | 'placebo' | 'failed-only') =>
      pickedFields({ world: 'gridworld', arm, by: 'world-model' }, ledger);
    const [model, placebo, failed] = (
      await Promise.all([picked('world-model'), picked('placebo'), picked('failed-only')])
    ).map((fields) => experimentOf(fields ?? {}));
    expect(model?.seed).toBe(2000);
    expect(placebo?.arms[0]).toEqual({ ...model?.arms[0], placebo: true });
    expect(failed?.arms[0]).toEqual({ ...model?.arms[0], worldModelTrajectories: 'failed' });
  });

  it('picks nothing before it is finished', async () => {
    const ledger = new Ledger(testFolder()());
    expect(await pickedFields({ world: 'gridworld', arm: 'placebo', by: 'world-model' }, ledger)).toBeNull();
  });
});

describe('the statistics', () => {
  // Welch (1947) by hand: means 3 and 6, variances 2.5 and 10, five each: standard error √2.5, 5.88 degrees of freedom.
  const [first, second] = [
    [1, 2, 3, 4, 5],
    [2, 4, 6, 8, 10],
  ];

  it('Welch: difference and interval', () => {
    const { mean, low, high } = welch(first, second);
    expect(mean).toBe(3);
    expect((high - low) / 2).toBeCloseTo(2.4594 * Math.sqrt(2.5), 1);
    expect((high - low) / 2).toBeGreaterThan(2.459 * Math.sqrt(2.5));
  });

  it('paired: seed by seed', () => {
    // Differences 1 … 5: mean 3, standard error √(2.5 / 5), t(4) = 2.7764.
    expect(pairedDifference(first, second)).toEqual({ mean: 3, low: 1.0368, high: 4.9632 });
  });

  it('the permutation test is as the exact one over all 252 labellings', () => {
    const all = [...first, ...second];
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    let [asFar, count] = [0, 0];
    for (let mask = 0; mask < 1 << 10; mask++) {
      const chosen = all.filter((_, i) => (mask >> i) & 1);
      if (chosen.length !== 5) continue;
      count++;
      if (Math.abs(sum(all) - 2 * sum(chosen)) >= 15) asFar++;
    }
    expect(count).toBe(252);
    // Four standard errors of 100,000 draws.
    expect(Math.abs(permutationTest(first, second) - asFar / count)).toBeLessThan(0.005);
  });

  it('Holm: step by step, never falling', () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
    expect(holm([0.6, 0.9])).toEqual([1, 1]);
  });
});

describe('the files', () => {
  const wanted = { name: 'a/b', fields: { preset: 'gridworld-tiny', seed: 7 }, seeds: [0, 1] };

  it('keep every seed, and go on where they were', async () => {
    const folder = testFolder()();
    await new Ledger(folder).add(wanted, 1, 'here', outcome(0.5));
    const again = new Ledger(folder);
    expect(await again.missing(wanted)).toEqual([0]);
    await again.add(wanted, 0, 'here', outcome(0.25), { commit: 'abcdef012345', numerics: 1 });
    await again.add(wanted, 0, 'here', outcome(0.25), { commit: 'abcdef012345', numerics: 2 });
    expect(await new Ledger(folder).read(wanted)).toEqual({
      link: 'preset=gridworld-tiny&seed=7',
      device: 'here',
      commits: ['abcdef012345'],
      numerics: [1, 2],
      seeds: { 0: outcome(0.25), 1: outcome(0.5) },
    });
  });

  it('of another experiment are refused, and what cannot be read is no empty file', async () => {
    const folder = testFolder()();
    await new Ledger(folder).add(wanted, 0, 'here', outcome(0.5));
    await expect(new Ledger(folder).read({ ...wanted, fields: { preset: 'gridworld-tiny', seed: 8 } })).rejects.toThrow(
      /another experiment/,
    );
    await writeFile(join(folder, 'a/b.json'), '{');
    await expect(new Ledger(folder).missing(wanted)).rejects.toThrow();
  });

  it('make a search go from round to round, and end with the best mean of three seeds', async () => {
    const ledger = new Ledger(testFolder()());
    const search = new Search(worldOf('gridworld'), 'action-mask', ledger);
    // Areas rise from run to run, so later settings are better, except for the last one's further seeds.
    let area = 0;
    const rounds: number[] = [];
    for (;;) {
      const jobs: [Awaited<ReturnType<Search['wanted']>>[number], number][] = [];
      for (const one of await search.wanted()) for (const seed of await ledger.missing(one)) jobs.push([one, seed]);
      if (jobs.length === 0) break;
      rounds.push(jobs.length);
      for (const [one, seed] of jobs) {
        area += 0.01;
        await ledger.add(one, seed, 'here', outcome(one.name.endsWith('-24') && seed > 0 ? 0 : area));
      }
    }
    expect(rounds).toEqual([16, 8, 8]);
    const tried = await search.tried();
    expect(tried).toHaveLength(24);
    expect(tried?.slice(0, 4).map(({ setting }) => setting.id)).toEqual(['21', '22', '23', '24']);
    expect(tried?.slice(0, 4).every(({ areas }) => areas.length === 3)).toBe(true);
    expect(tried?.[4]?.areas).toHaveLength(1);
  });
});

describe('what was recorded', () => {
  test('is what is trained again: one seed of a search, number by number', async () => {
    // The quickest run: seven seconds on an idle core.
    const setting = FIRST_ROUND.find(({ id }) => id === '11') as SearchSetting;
    const fields = fieldsOf(worldOf('shop'), 'action-mask', setting, 1000);
    const wanted = { name: 'fair/search/shop/action-mask-11', fields, seeds: [0] };
    const kept = await new Ledger('findings').read(wanted);
    const { outcome: again } = await trainSeed(wanted, 0);
    expect({ ...again, seconds: 0 }).toEqual({ ...kept.seeds[0], seconds: 0 });
  }, 600_000);

  test('is where the first experiment comes from: the mask’s pick, and λ beside it', async () => {
    const { experiment } = defaultPreset;
    for (const arm of TUNED) {
      const file = arm === 'world-model' ? 'world-model-as-mask' : arm;
      const kept = await new Ledger('findings').open(`fair/contest/calculator/${file}`);
      const { arms, ...rest } = decodeLink(kept?.link ?? '');
      const { preset, title, seed, seeds, evaluation, diagnosticsEvery } = experiment;
      expect({ ...rest, preset, title, seed, seeds, evaluation, diagnosticsEvery, arms: [] }).toEqual({
        ...experiment,
        arms: [],
      });
      expect(experiment.arms.find(({ id }) => id === arm)).toEqual(arms[0]);
    }
  });
});
