// What claims are told beside their comparisons: searches compared as searches, and reruns that two claims share.
import { expect, test } from 'vitest';
import { judge } from '../../src/cli/findings/judge';
import { Ledger } from '../../src/cli/findings/ledger';
import { type ClaimPlan, readPlans } from '../../src/cli/findings/plan';
import { meanOf } from '../../src/experiment/conclude/statistics';
import { tell } from '../../src/experiment/findings/told';

const plans = await readPlans();
const ledger = new Ledger('findings');
const planOf = (name: string): ClaimPlan => plans.find((plan) => plan.name === name) as ClaimPlan;

/** Sums of all choices of `count` of these numbers. */
const sums = ([first, ...rest]: readonly number[], count: number): number[] => {
  if (count === 0) return [0];
  if (first === undefined) return [];
  return [...sums(rest, count - 1).map((sum) => sum + first), ...sums(rest, count)];
};

test('searches are compared as searches, each one number an arm', async () => {
  const plan = planOf('five-searches-gridworld');
  const finding = await judge(plan, ledger);
  const { over, conditions } = finding;
  const means = (arm: string) => [0, 1, 2, 3, 4].map((search) => meanOf(conditions[`${arm}-${search}`]?.values ?? []));
  expect(over?.first.map((mean) => mean.toFixed(4))).toEqual(means('mask').map((mean) => mean?.toFixed(4)));
  expect(over?.second.map((mean) => mean.toFixed(4))).toEqual(means('model').map((mean) => mean?.toFixed(4)));
  const [mask, model] = [over?.first ?? [], over?.second ?? []];
  const total = [...mask, ...model].reduce((sum, one) => sum + one, 0);
  const gap = (sum: number): number => Math.abs(total - 2 * sum);
  const all = sums([...mask, ...model], 5);
  const observed = gap(mask.reduce((sum, one) => sum + one, 0));
  expect(all).toHaveLength(252);
  expect(over?.p).toBeCloseTo(all.filter((sum) => gap(sum) >= observed - 1e-9).length / 252, 4);
  const differences = model.map((one, i) => one - (mask[i] as number));
  expect(over?.paired.mean).toBeCloseTo(meanOf(differences) as number, 3);
  expect(tell({ ...plan, finding, answer: '' }).caption).toContain(
    'Over the 5 searches, each one number an arm: 0.42 → 0.58',
  );
});

test('a claim whose unit is a seed tells nothing over its comparisons', async () => {
  const plan = planOf('best-against-best');
  const finding = await judge(plan, ledger);
  expect(finding).not.toHaveProperty('over');
  expect(tell({ ...plan, finding, answer: '' }).caption).not.toContain('Over the');
});

test('two claims about the same runs share their reruns, each judged by its own measure', async () => {
  const [seen, unseen] = await Promise.all(
    ['mask-bugs-seen', 'mask-bugs-unseen'].map((name) => judge(planOf(name), ledger)),
  );
  const at = (reruns = seen?.reruns) =>
    reruns?.find(({ seed, comparison }) => seed === 9400 && comparison === 'inverted');
  expect(at()).toMatchObject({ seeds: 8, isInside: true });
  expect(at()?.difference).toBeGreaterThan(15);
  expect(Math.abs(at(unseen?.reruns)?.difference ?? 1)).toBeLessThan(1);
});

test.each([
  ['why-the-start-matters', true],
  ['practised-and-new', true],
  ['best-against-best', false],
])('%s: the table says whether its rows differ in what they measure', async (name, differ) => {
  const plan = planOf(name);
  const { caption } = tell({ ...plan, finding: await judge(plan, ledger), answer: '' });
  expect(caption.includes(', or what a row names instead;')).toBe(differ);
});
