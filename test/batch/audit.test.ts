/** Each rule finds its planted fault in every form that can show it, and nothing in a clean batch. */
import { describe, expect, test } from 'vitest';
import type { RuleReport } from '../../src/batch/audit/report';
import { type Audited, audited } from './audited';
import { cleanBatch, FAULTS } from './episodes';
import { EXPECTED } from './expected';
import { linesOf, WRITERS } from './forms';

const found = ({ report }: Audited): string[] =>
  report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule);

function reportOf({ report }: Audited, rule: string): RuleReport {
  const one = report.rules.find((each) => each.rule === rule);
  if (one === undefined) throw new Error(`There is no rule ${rule}.`);
  return one;
}

describe.each(Object.entries(WRITERS))('%s', (name, { form, write }) => {
  test('a clean batch has no finding and is read whole', async () => {
    const all = await audited(linesOf(cleanBatch(), write));
    expect(found(all)).toEqual([]);
    expect(all.reading.problems).toEqual([]);
    expect([...all.reading.forms.keys()]).toEqual([form]);
    expect(all.report.trajectories).toBe(24);
  });

  test.each(Object.entries(FAULTS))('%s', async (fault, plant) => {
    const batch = cleanBatch();
    plant(batch);
    const all = await audited(linesOf(batch, write));
    const expected = EXPECTED[name]?.[fault] ?? '';
    const own = reportOf(all, fault === 'shift of log-probs' ? 'shift' : fault);
    if (expected === 'unseen' || expected === 'not there') {
      expect(found(all)).toEqual([]);
      expect(own.state).toBe(expected === 'unseen' ? 'unseen' : 'clean');
      if (expected === 'unseen') expect(own.lacks.length).toBeGreaterThan(0);
      return;
    }
    expect(found(all)).toEqual([expected]);
    const { places } = reportOf(all, expected);
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) expect(place.line).toBe(place.trajectory);
  });
});

test('a finding has its line, its token and its share of the tokens and of the gradient', async () => {
  const batch = cleanBatch();
  FAULTS.leak?.(batch);
  const write = WRITERS['verl, tensors and texts']?.write ?? (() => null);
  const { report, summary } = await audited(linesOf(batch, write));
  const leak = report.rules.find(({ rule }) => rule === 'leak');
  const observation = batch[3]?.roles.indexOf('observation');
  expect(leak?.places[0]).toMatchObject({ file: 'batch.jsonl', line: 4, trajectory: 4, token: observation });
  expect(leak?.places[0]?.what).toContain(`“${batch[3]?.texts[observation ?? 0]}”`);
  // Every advantage is 1 or −1, so that the gradient is counted by trained tokens.
  const trained = batch.flatMap(({ weights }) => weights).filter((weight) => weight !== 0).length;
  expect(leak?.tokens).toBe(5);
  expect(leak?.gradientShare).toBeCloseTo(5 / trained, 12);
  expect(leak?.tokenShare).toBeCloseTo(5 / batch.flatMap(({ texts }) => texts).length, 12);
  expect(summary.rows().find(({ role }) => role === 'observation')).toMatchObject({
    trained: 5,
    weight: 5,
    gradient: 5,
  });
  expect(summary.rows().find(({ role }) => role === 'prompt')).toMatchObject({ tokens: 48, trained: 0 });
});

test('a rule that some trajectories give nothing to says how many', async () => {
  const [first, second] = [WRITERS['verl, tensors and texts'], WRITERS['verl, rollout dump']];
  const lines = linesOf(cleanBatch(), first?.write ?? String) + linesOf(cleanBatch(), second?.write ?? String);
  const leak = reportOf(await audited(lines), 'leak');
  expect(leak).toMatchObject({ state: 'clean', looked: 24, lacks: [{ trajectories: 24 }] });
});
