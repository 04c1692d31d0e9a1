/** A real job of TRL on the CPU, with the writer of docs/batch.md: what it writes is read, audited and put under other losses. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { KeptBatch } from '../../src/batch/whatIf/kept';
import { objectiveAsked, whatIf } from '../../src/batch/whatIf/whatIf';
import { sharedFolder } from '../support/folder';
import { isNightly } from '../support/nightly';
import { type Audited, audited } from './audited';
import { writerFrom } from './trainers/writers';

const at = sharedFolder();

/** Runs the job; `mask`: `kept`, or `forgotten` for one that trains what the environment said. */
async function job(mask: 'kept' | 'forgotten', context: TestContext): Promise<Audited> {
  const writer = at('batch_writer.py');
  writeFileSync(writer, writerFrom('TRL'));
  const out = at(mask);
  const { status, stderr, error } = spawnSync('python3', ['test/batch/trainers/trl_job.py', writer, out, mask], {
    encoding: 'utf8',
  });
  if (/No module named|ENOENT/.test(`${stderr} ${error}`)) context.skip('python3 has no trl here');
  expect(status, stderr).toBe(0);
  return audited(readFileSync(join(out, 'batch-0.jsonl'), 'utf8'));
}

const found = ({ report }: Audited): string[] =>
  report.rules.filter(({ state }) => state === 'found').map(({ rule }) => rule);

test.runIf(isNightly)('a batch of TRL is whole and has no fault; what TRL used is what GRPO says', async (context) => {
  const batch = await job('kept', context);
  expect(batch.reading.problems).toEqual([]);
  expect([...batch.reading.forms.keys()]).toEqual(['trl-tokens']);
  expect(batch.trajectories).toHaveLength(8);
  expect(new Set(batch.trajectories.map(({ group }) => group)).size).toBe(2);
  expect(found(batch)).toEqual([]);
  const seen = batch.report.rules.filter(({ state }) => state === 'unseen').map(({ rule }) => rule);
  expect(seen).toEqual(['retokenised', 'advantage-varies', 'dominated']);
  const log = await audited(readFileSync(at('kept/completions/completions_00001.parquet')));
  // Two reward functions, 2 and 2; the log does not have their weights.
  expect(log.trajectories.map(({ reward }) => reward)).toEqual([4, ...Array(7).fill(expect.any(Number))]);
  // TRL divides by the sample's deviation + 1e-4 and weighs two rewards; ours computes the advantages from their sum.
  const kept = new KeptBatch();
  for (const trajectory of batch.trajectories) kept.add(trajectory);
  const { rows } = await whatIf(kept, [objectiveAsked('grpo')]);
  expect(rows[1]?.result?.cosine).toBeCloseTo(1, 5);
});

test.runIf(isNightly)('a mask that TRL was not given is found', async (context) => {
  expect(found(await job('forgotten', context))).toEqual(['leak', 'template']);
});
