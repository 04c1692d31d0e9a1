// Claims and findings: what is asked can be run, and what is told follows from what was recorded.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitOf } from '../../src/cli/findings/commit';
import { judge } from '../../src/cli/findings/judge';
import { Ledger, linkOf, type WantedRuns } from '../../src/cli/findings/ledger';
import { type ClaimPlan, readPlans, runsWantedBy } from '../../src/cli/findings/plan';
import { differing, reportOf } from '../../src/cli/findings/report';
import { trainSeed } from '../../src/cli/findings/train';
import { missingRuns } from '../../src/cli/findings/workers';
import { meanOf } from '../../src/experiment/conclude/statistics';
import type { Finding } from '../../src/experiment/findings/finding';
import { verdictInWords } from '../../src/experiment/findings/findingWords';
import { isRerun, rerunExperiment } from '../../src/experiment/findings/rerun';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { openWorldsOf } from '../../src/experiment/ownWorld';
import { testFolder } from '../support/folder';

const plans = await readPlans();
const ledger = new Ledger('findings');
const json = async <T>(path: string): Promise<T> => JSON.parse(await readFile(path, 'utf8')) as T;

test.each(plans)('$name is refuted by comparisons that it makes, never by what it expects', ({ claim }) => {
  const expected = new Map(claim.comparisons.map((one) => [one.id, one.expected]));
  for (const [id, sides] of claim.refutes.flatMap((one) => Object.entries(one))) {
    expect([...expected.keys()]).toContain(id);
    expect(sides).not.toContain(expected.get(id));
  }
});

test('the fourteen questions are asked, and more', () => {
  expect(plans.length).toBeGreaterThanOrEqual(14);
  expect(new Set(plans.map(({ claim }) => claim.question)).size).toBe(plans.length);
});

describe.each(plans)('$name', (plan) => {
  test('asks for runs that there can be, each with its seeds and its own arm', async () => {
    for (const wanted of (await runsWantedBy(plan, ledger))?.values() ?? []) {
      await openWorldsOf(decodeLink(linkOf(wanted.fields)));
      const { arms, seeds } = decodeLink(linkOf(wanted.fields));
      expect(seeds).toBeGreaterThanOrEqual(plan.claim.seeds);
      // Fewer make a question.
      if (plan.claim.picture !== true) expect(seeds).toBeGreaterThanOrEqual(8);
      if (wanted.arm === undefined) expect(arms).toHaveLength(1);
      else expect(arms.map(({ id }) => id)).toContain(wanted.arm);
    }
  });

  test('a rerun has seeds of its own', async () => {
    const [first] = (await runsWantedBy(plan, ledger))?.values() ?? [];
    const [again] = (await runsWantedBy(plan, ledger, 9000))?.values() ?? [];
    expect(decodeLink(linkOf(again?.fields ?? {})).seed).toBe(9000);
    expect(decodeLink(linkOf(first?.fields ?? {})).seed).not.toBe(9000);
  });

  test('is told as it follows from the files', async () => {
    const told = await json<Finding>(`findings/${plan.name}/result.json`);
    expect(JSON.parse(JSON.stringify(await judge(plan, ledger)))).toEqual(told);
  });

  test('is run again on the page as one experiment of both conditions, or not at all', async () => {
    const finding = await json<Finding>(`findings/${plan.name}/result.json`);
    const experiment = rerunExperiment(plan.claim, finding);
    if (experiment === null) {
      // What a search is still to pick is no experiment yet.
      if (Object.keys(finding.conditions).length === 0) return expect(finding.runs.done).toBe(0);
      // Picks of two searches may differ in batches, and a policy has adapters or none: an experiment has each once.
      const apart = [
        'five-searches-gridworld',
        'five-searches-gridworld-new-tasks',
        'large-groups',
        'steered-belief',
        'storyteller-adapters',
        'storyteller-adapters-paid',
        'storyteller-cures',
        'tool-up-and-down',
        'why-the-start-matters',
      ];
      return expect(apart).toContain(plan.name);
    }
    const { rerun, comparisons } = plan.claim;
    const compared = comparisons.find(({ id }) => id === rerun.comparison);
    const ids = [compared?.first ?? '', compared?.second ?? ''];
    expect(experiment.arms.map(({ id }) => id)).toEqual(ids);
    const opened = decodeLink(encodeLink(experiment));
    expect(opened).toEqual(experiment);
    const recorded = decodeLink(finding.conditions[ids[0] as string]?.link ?? '');
    expect(isRerun({ ...opened, seed: 12, seeds: 3, title: 'Mine' }, experiment, recorded.seed)).toBe(true);
    expect(isRerun({ ...opened, seed: recorded.seed }, experiment, recorded.seed)).toBe(false);
    expect(isRerun({ ...opened, updates: opened.updates - 1 }, experiment, recorded.seed)).toBe(false);
    // Each arm is the condition's own but for its name.
    const links = ids.map((id) => finding.conditions[id]);
    const arms = links.map((condition) =>
      decodeLink(condition?.link ?? '').arms.find(({ id }) => condition?.arm === null || id === condition?.arm),
    );
    expect(experiment.arms.map((arm) => ({ ...arm, id: '', name: '' }))).toEqual(
      arms.map((arm) => ({ ...arm, id: '', name: '' })),
    );
  });

  test('has an answer once it is judged, whose numbers are all in its data', async () => {
    const finding = await json<Finding>(`findings/${plan.name}/result.json`);
    const answer = answers[plan.name] ?? '';
    expect(answer !== '').toBe(finding.comparisons !== null);
    const { claim, conditions } = plan;
    // A limit is written by a person as well, and makes no number true.
    const texts = [claim.question, ...Object.values(conditions.conditions).map(({ name }) => name)];
    const updates = Object.values(finding.conditions).map(({ link }) => String(decodeLink(link).updates));
    const known = new Set([...texts.flatMap(numbersIn), ...updates, ...numbersOf(finding), String(claim.least)]);
    expect(numbersIn(answer).filter((number) => !known.has(number))).toEqual([]);
  });
});

const answers = await json<Readonly<Record<string, string>>>('findings/answers.json');

const numbersIn = (text: string): string[] => text.match(/\d+(\.\d+)?%?/g) ?? [];

/** Means and intervals of a finding as texts write them. */
function numbersOf({ conditions, comparisons, reruns, over }: Finding): string[] {
  const means = Object.values(conditions).map(({ values }) => meanOf(values) ?? Number.NaN);
  const gaps = [...(comparisons ?? []), ...(over === undefined ? [] : [over])].flatMap(({ unpaired, paired }) => [
    unpaired,
    paired,
  ]);
  const again = reruns.flatMap(({ difference, unpaired, low, high }) =>
    [difference, low, high, unpaired.low, unpaired.high].map(Math.abs),
  );
  const numbers = [...means, ...again, ...gaps.flatMap(({ mean, low, high }) => [mean, low, high].map(Math.abs))];
  return numbers.flatMap((value) => [value.toFixed(2), `${Math.round(100 * value)}%`]);
}

test('what the README says was found has no number that is not in the data', async () => {
  const readme = await readFile('README.md', 'utf8');
  const said = readme.split('## What was found')[1]?.split('\n## ')[0] ?? '';
  const found = await Promise.all(plans.map(({ name }) => json<Finding>(`findings/${name}/result.json`)));
  const known = new Set([...found.flatMap(numbersOf), '16']);
  const sentences = said.replace(/^\|.*$/gm, '').replace(/<!--.*-->/g, '');
  expect(numbersIn(sentences).filter((number) => !known.has(number))).toEqual([]);
  expect(sentences.match(/\S*[\p{L}\d]\S*/gu)?.length).toBeLessThanOrEqual(120);
});

test('there is no answer to a question that nobody asked', () => {
  expect(Object.keys(answers).filter((name) => !plans.some((plan) => plan.name === name))).toEqual([]);
});

test('every file is as computed from the seeds, and a number that was changed is found', async () => {
  const { asked, files } = await reportOf(plans, ledger);
  expect(await differing(files)).toEqual([]);
  const [path = '', text = ''] = [...files][0] ?? [];
  expect(await differing(new Map([[path, text.replace('"mean":0', '"mean":1')]]))).toEqual([path]);
  expect(files.get(`findings/${asked[0]?.name}/README.md`)).toContain(asked[0]?.answer);
  expect(files.get('findings/README.md')).toContain(asked[0]?.claim.question);
});

test('a verdict counts comparisons, and none is told before all runs are in', () => {
  const comparison = (side: string, expected: string): object => ({ side, expected });
  const told = (comparisons: object[] | null, isPicture = false): string =>
    verdictInWords({ comparisons, runs: { done: 3, planned: 4 } } as unknown as Finding, isPicture);
  expect(told(null)).toBe('3 of 4 runs are in');
  expect(told([comparison('above', 'above')])).toBe('supported');
  expect(told([comparison('above', 'above'), comparison('undecided', 'above'), comparison('below', 'above')])).toBe(
    'supported in 1 of 3, not supported in 1, contradicted in 1',
  );
  expect(told([comparison('above', 'above')], true)).toBe('a picture, not judged');
});

test('nothing is trained for a claim that is not committed as it stands', async () => {
  const folder = testFolder()();
  const git = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@lab.example', ...words], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  expect(() => commitOf(['claim.json'], folder)).toThrow(/Git does not tell/);
  git('init', '--quiet');
  await writeFile(join(folder, 'claim.json'), '{}');
  expect(() => commitOf(['claim.json'], folder)).toThrow(/Not committed/);
  git('add', '.');
  expect(() => commitOf(['claim.json'], folder)).toThrow(/Not committed/);
  git('commit', '--quiet', '--message', 'A claim');
  expect(git('rev-parse', 'HEAD')).toContain(commitOf(['claim.json'], folder));
  await writeFile(join(folder, 'claim.json'), '{"seeds":8}');
  expect(() => commitOf(['claim.json'], folder)).toThrow(/Not committed/);
});

test('a claim with a mistake in it is told of by file and place', async () => {
  const folder = testFolder()();
  await mkdir(join(folder, 'mine'));
  const [plan] = plans;
  const write = (claim: unknown): Promise<void> => writeFile(join(folder, 'mine/claim.json'), JSON.stringify(claim));
  await writeFile(join(folder, 'mine/experiment.json'), JSON.stringify(plan?.conditions));
  await write({ ...plan?.claim, measure: 'fame' });
  await expect(readPlans(folder)).rejects.toThrow(/findings\/mine\/claim\.json: measure/);
  await write({ ...plan?.claim, rerun: { comparison: 'none', seeds: 4 } });
  await expect(readPlans(folder)).rejects.toThrow(/“none”, which is no comparison/);
  await write(plan?.claim);
  expect((await readPlans(folder)).map(({ name }) => name)).toEqual(['mine']);
  await writeFile(join(folder, 'mine/claim.json'), '{');
  await expect(readPlans(folder)).rejects.toThrow(/is not JSON/);
});

test('a rerun judges each comparison that it has all seeds for, and an earlier one over fewer', async () => {
  const plan = plans.find(({ name }) => name === 'steered-belief') as ClaimPlan;
  const { reruns } = await judge(plan, ledger);
  const found = reruns.filter(({ seed }) => seed === 9000);
  const { comparison, also = [] } = plan.claim.rerun;
  expect(found.map((one) => [one.comparison, one.seeds])).toEqual([comparison, ...also].map((id) => [id, 4]));
  const wanted = [...((await runsWantedBy(plan, ledger, 9999))?.values() ?? [])];
  expect(wanted.map(({ seeds }) => seeds.length)).toEqual(wanted.map(() => 8));
});

test('one run answers for several conditions where only their measures differ', async () => {
  const folder = testFolder()();
  await mkdir(join(folder, 'mine'));
  const condition = (more: object): object => ({ name: 'One', fields: { arms: 'action-mask' }, ...more });
  const write = async (conditions: object): Promise<void> => {
    const fields = { preset: 'gridworld-tiny', seed: 5000, seeds: 8, diagnosticsEvery: 0 };
    await writeFile(join(folder, 'mine/experiment.json'), JSON.stringify({ fields, conditions }));
  };
  const comparisons = [{ id: 'over-random', first: 'random', second: 'steered', expected: 'above' }];
  const rerun = { comparison: 'over-random', seeds: 4 };
  const claim = { ...plans[0]?.claim, measure: 'steered', seeds: 8, comparisons, rerun };
  await writeFile(join(folder, 'mine/claim.json'), JSON.stringify(claim));
  await write({ steered: condition({}), random: condition({ of: 'nobody', measure: 'steeredAtRandom' }) });
  await expect(readPlans(folder)).rejects.toThrow(/“random” is of no condition with runs/);
  await write({ steered: condition({}), random: condition({ of: 'steered', measure: 'steeredAtRandom' }) });
  const [plan] = (await readPlans(folder)) as [ClaimPlan];
  const runs = new Ledger(folder);
  const wanted = (await runsWantedBy(plan, runs)) as Map<string, WantedRuns>;
  expect(wanted.get('random')).toEqual(wanted.get('steered'));
  const jobs = await missingRuns([...wanted.values()], runs);
  expect(jobs).toHaveLength(8);
  const { device, outcome } = await trainSeed(jobs[0]?.wanted as WantedRuns, 0);
  expect(outcome.steered?.map(({ blocks, strength }) => [blocks, strength])).toEqual(
    [0, 1].flatMap((blocks) => [0.5, 1, 2].map((strength) => [blocks, strength])),
  );
  for (const { wanted: one, seed } of jobs) await runs.add(one, seed, device, outcome);
  const { conditions } = await judge(plan, runs);
  const at = outcome.steered?.find(({ blocks, strength }) => blocks === 1 && strength === 1);
  expect(conditions.steered?.values).toEqual(Array(8).fill(at?.follows));
  expect(conditions.random?.values).toEqual(Array(8).fill(at?.randomFollows));
});

test('a run that begins from a language model says what was true before it', async () => {
  const plan = plans.find(({ name }) => name === 'storyteller-forgets') as ClaimPlan;
  const wanted = (await runsWantedBy(plan, ledger))?.get('model') as WantedRuns;
  const short = { 'batch.groups': 2, 'batch.groupSize': 4, updates: 2, seed: 77, 'evaluation.every': 1 };
  const { outcome } = await trainSeed({ ...wanted, fields: { ...wanted.fields, ...short } }, 0);
  const { ordinaryCrossEntropy: ordinary, saidBack, heldOutTakenUp: heldOut } = outcome.watched ?? {};
  // The storyteller's own, as test/train/listener.test.ts compares it with its passes.
  expect(ordinary?.first).toBeCloseTo(1.811, 2);
  expect(ordinary?.end).not.toBe(ordinary?.first);
  for (const share of [saidBack, heldOut]) expect(share?.first).toBeLessThan(0.2);
});

test('what was true before a run is drawn as a level', async () => {
  const { conditions } = await judge(plans.find(({ name }) => name === 'storyteller-hacks') as ClaimPlan, ledger);
  const { values = [], curves = [] } = conditions['mask-at-first'] ?? {};
  expect(curves).toEqual(values.map((value) => Array(20).fill(value)));
  expect(conditions.mask?.curves).not.toEqual(curves);
});
