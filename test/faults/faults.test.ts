/** Faults in their short form; `npm run faults` injects them more often. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sampled } from '../support/nightly';
import { injectAll } from './fault';
import { FAULTS } from './registry';

test('every fault has a name of its own', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});

test('the command has all of them, and names them to whoever asks for another', () => {
  const command = ['scripts/run.mjs', 'test/faults/main.ts', '--only', 'nothing'];
  const { stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect(FAULTS.map(({ name }) => name).filter((name) => !stderr.includes(name))).toEqual([]);
});

test.for(sampled(FAULTS, 3))('$name: nothing is lost', async (fault, { skip }) => {
  const why = fault.missing?.() ?? null;
  if (why !== null) skip(why);
  const count = await fault.times.short();
  expect(count).toBeGreaterThan(0);
  expect((await injectAll(fault, count)).lost).toEqual([]);
});
