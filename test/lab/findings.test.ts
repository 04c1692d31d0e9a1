// Claims and findings: what is asked can be run, and what is told follows from what was recorded.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FairGround } from '../../src/experiment/fairGround';
import type { Finding } from '../../src/experiment/findings/finding';
import { isRerun, rerunExperiment } from '../../src/experiment/findings/rerun';
import { answerInWords, comparedInWords } from '../../src/experiment/findings/words';
import { decodeLink, encodeLink } from '../../src/experiment/link';
import { openWorldsOf } from '../../src/experiment/ownWorld';
import { cards, overview } from '../../src/lab/findings/cards';
import { commitOf } from '../../src/lab/findings/commit';
import { judge } from '../../src/lab/findings/judge';
import { Ledger, linkOf, type Wanted } from '../../src/lab/findings/ledger';
import { type Plan, readPlans, wantedBy } from '../../src/lab/findings/plan';
import { trainSeed } from '../../src/lab/findings/train';
import { missing } from '../../src/lab/findings/workers';

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
    for (const wanted of (await wantedBy(plan, ledger)).values()) {
      await openWorldsOf(decodeLink(linkOf(wanted.fields)));
      const { arms, seeds } = decodeLink(linkOf(wanted.fields));
      expect(seeds).toBeGreaterThanOrEqual(plan.claim.seeds);
      expect(seeds).toBeGreaterThanOrEqual(8);
      if (wanted.arm === undefined) expect(arms).toHaveLength(1);
      else expect(arms.map(({ id }) => id)).toContain(wanted.arm);
    }
  });

  test('a rerun has seeds of its own', async () => {
    const [first] = (await wantedBy(plan, ledger)).values();
    const [again] = (await wantedBy(plan, ledger, 9000)).values();
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
    if (experiment === null) return expect(['large-groups', 'steered-belief']).toContain(plan.name);
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

  test('says a direction that its numbers have', async () => {
    const finding = await json<Finding>(`findings/${plan.name}/result.json`);
    const { conditions, comparisons } = finding;
    if (comparisons === null)
      return expect(answerInWords(finding, plan.claim)).toMatch(/^Not run yet|^\d+ of \d+ runs/);
    const mean = (id: string): number => {
      const values = conditions[id]?.values ?? [];
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    for (const one of comparisons) {
      const words = comparedInWords(one, finding, plan.claim);
      const gap = mean(one.second) - mean(one.first);
      expect(gap).toBeCloseTo(one.unpaired.mean, 4);
      const isThere = one.corrected < 0.05 && one.side !== 'alike';
      expect(words.includes('is above')).toBe(isThere && gap > 0);
      expect(words.includes('is below')).toBe(isThere && gap < 0);
      expect(words.includes('by less than')).toBe(isThere && Math.abs(gap) < plan.claim.least);
      expect(words.includes('is inconclusive')).toBe(one.corrected >= 0.05 && one.side !== 'alike');
    }
  });
});

test('the file of all findings is made from them', async () => {
  const judged = await Promise.all(plans.map(async (plan) => ({ plan, finding: await judge(plan, ledger) })));
  expect(await readFile('findings/README.md', 'utf8')).toBe(cards(judged));
  expect(await readFile('README.md', 'utf8')).toContain(overview(judged));
});

test('the search on fair ground is the same finding here as in its own report', async () => {
  const { contests } = await json<FairGround>('findings/fair/result.json');
  const { comparisons } = await json<Finding>('findings/best-against-best/result.json');
  const sides = { above: 'helps', below: 'harms', alike: 'alike', undecided: 'undecided' } as const;
  const ours = comparisons?.map(({ id, unpaired, paired, p, corrected, side }) => ({
    world: id,
    difference: unpaired,
    paired,
    p,
    corrected,
    verdict: sides[side],
  }));
  expect(ours).toEqual(
    contests.map(({ world, difference, paired, p, corrected, verdict }) => ({
      world,
      difference,
      paired,
      p,
      corrected,
      verdict,
    })),
  );
});

test('nothing is trained for a claim that is not committed as it stands', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'findings-'));
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
  const folder = await mkdtemp(join(tmpdir(), 'findings-'));
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

test('one run answers for several conditions where only their measures differ', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'findings-'));
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
  const [plan] = (await readPlans(folder)) as [Plan];
  const runs = new Ledger(folder);
  const wanted = await wantedBy(plan, runs);
  expect(wanted.get('random')).toEqual(wanted.get('steered'));
  const jobs = await missing([...wanted.values()], runs);
  expect(jobs).toHaveLength(8);
  const { device, outcome } = await trainSeed(jobs[0]?.wanted as Wanted, 0);
  expect(outcome.steered?.map(({ blocks, strength }) => [blocks, strength])).toEqual(
    [0, 1].flatMap((blocks) => [0.5, 1, 2].map((strength) => [blocks, strength])),
  );
  for (const { wanted: one, seed } of jobs) await runs.add(one, seed, device, outcome);
  const { conditions } = await judge(plan, runs);
  const at = outcome.steered?.find(({ blocks, strength }) => blocks === 1 && strength === 1);
  expect(conditions.steered?.values).toEqual(Array(8).fill(at?.follows));
  expect(conditions.random?.values).toEqual(Array(8).fill(at?.randomFollows));
});
