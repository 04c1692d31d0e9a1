/** The folder that `lab scale` writes for TRL trains for real: its world served, a tiny random model, TRL on the CPU. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOM } from '../../src/environments/listener/pieces';
import { isNightly } from '../support/nightly';
import { hasModules, python } from '../support/python';
import { servedFolders } from '../support/scaleFolder';

const served = servedFolders();
const served260k = servedFolders('listener');
const STORIES = 'public/models/stories260k';

/** What train.py logged under these names. */
const loggedIn = (text: string, names: readonly string[]): number[][] => {
  const form = names.map((name) => `'${name}': '([-\\d.e]+)'`).join('.*?');
  const found = [...text.matchAll(new RegExp(form, 'g'))];
  return names.map((_, at) => found.map((match) => Number(match[at + 1])));
};

test.runIf(isNightly)('an arm’s loss on observations falls where TRL trains', async (context) => {
  if (!hasModules('trl, websockets')) context.skip('python3 has no trl or websockets here');
  // What a random model says is seldom a move, so warnings are predicted too.
  const { folder, model, url } = await served('trl', '--set', 'arms.world-model.ce.warning=0.1');
  const words = ['--longest-answer', '6', '--steps', '12', '--learning-rate', '0.01', '--world', url];
  const { status, stdout, stderr } = spawnSync('python3', ['train.py', model, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const [losses, entropies, predictions] = loggedIn(`${stdout}${stderr}`, ['loss', 'entropy', 'prediction']);
  // At random a byte is ln 259 = 5.56 nats; the few that name rooms are soon known. docs/scale.md tells both numbers.
  const told = /falls from ([\d.]+) to ([\d.]+) nats/.exec(readFileSync('docs/scale.md', 'utf8')) ?? [];
  expect(predictions?.[0]).toBeCloseTo(Number(told[1]), 1);
  expect(predictions?.[11]).toBeCloseTo(Number(told[2]), 0);
  // No episode succeeds yet, so the loss is λ · prediction − the entropy bonus.
  const first = 0.1 * (predictions?.[0] ?? 0) - 0.01 * (entropies?.[0] ?? 0);
  expect(losses?.[0]).toBeCloseTo(first, 2);
});

test.runIf(isNightly)('a storyteller is trained in the listener’s world, in the lab’s own tokens', async (context) => {
  if (!hasModules('trl, websockets')) context.skip('python3 has no trl or websockets here');
  const { folder, url } = await served260k('trl');
  const play = `
import json, sys
sys.path.insert(0, "${folder}")
from episode import Episode
from transformers import AutoTokenizer
episode = Episode("${url}", 3, AutoTokenizer.from_pretrained("${STORIES}"))
episode.take([280, 294, 426])
print(json.dumps([episode.prompt, episode.tokens, episode.said, episode.shown]))`;
  const played = python('-c', play);
  expect(played.status, played.stderr).toBe(0);
  const [prompt, tokens, said, shown] = JSON.parse(played.stdout);
  const asked = (text: readonly number[]): boolean => TOM.asks.some((ask) => ask.join() === text.join());
  expect(prompt.slice(0, TOM.start.length)).toEqual(TOM.start);
  expect(asked(prompt.slice(TOM.start.length))).toBe(true);
  expect(tokens.slice(0, 3)).toEqual([280, 294, 426]);
  expect(asked(tokens.slice(3))).toBe(true);
  expect(said).toEqual(tokens.map((_: number, at: number) => (at < 3 ? 1 : 0)));
  expect(shown).toEqual(said.map((one: number) => 1 - one));

  const env = { ...process.env, OMP_NUM_THREADS: '1' };
  const words = [join(process.cwd(), STORIES), '--steps', '12', '--world', url];
  const { status, stdout, stderr } = spawnSync('python3', ['train.py', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  expect(status, stderr).toBe(0);
  const [predictions = []] = loggedIn(`${stdout}${stderr}`, ['prediction']);
  const [rewards = []] = loggedIn(`${stdout}${stderr}`, ['reward']);
  expect(predictions[0]).toBeCloseTo(2.7, 0);
  expect(predictions[11]).toBeLessThan(0.8);
  expect(rewards[5]).toBeGreaterThan(2 * (rewards[0] ?? 1));
});
