/**
 * Files of every release open and go on, to the numbers that the release itself came to. Releases are the folders of
 * test/fixtures/releases; make.ts wrote what is in them.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkWorld } from '../../src/environments/own/examine/check';
import { openWorlds } from '../../src/environments/own/here';
import { formulaOf } from '../../src/experiment/arm/ownLosses';
import { decodeResult } from '../../src/experiment/conclude/result';
import { decodeLink, decodeRunLink } from '../../src/experiment/link/link';
import { isOfOwnWorld, openWorldsOf } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { readExperimentFile } from '../../src/store/edit/arrival';
import { decodeCheckpoint } from '../../src/train/run/keep/checkpoint';
import { labFiles, labResult, resultHere } from '../support/lab';
import { expectSame, type Numbers } from './numbers';

const ROOT = 'test/fixtures/releases';
const releases = readdirSync(ROOT);
const { at } = labFiles();

const text = (path: string): string => readFileSync(path, 'utf8').trim();
const json = <T>(path: string): T => JSON.parse(text(path));

/** Result of a run. A world of somebody's own needs threads, so its run needs a process. */
const run = async ({ experiment }: Numbers, ...args: string[]): Promise<Numbers> =>
  isOfOwnWorld(parseExperiment(experiment).environment) ? labResult('run', ...args) : resultHere('run', ...args);

test('there are files of the first release', () => {
  expect(releases).toContain('0.1.0');
});

describe.each(releases)('of %s', (release) => {
  const folder = join(ROOT, release);
  const runs = readdirSync(join(folder, 'runs'));
  const inRun = (run: string, file: string): string => join(folder, 'runs', run, file);
  const resultOf = (run: string): Numbers => json<Numbers>(inRun(run, 'result.json'));
  const interrupted = runs.filter((run) => existsSync(inRun(run, 'checkpoint.safetensors')));

  test('there are checkpoints', () => {
    expect(interrupted).toContain('plain');
  });

  test.each(interrupted)('the checkpoint “%s” goes on', async (name) => {
    const saved = at(`${release}-${name}`);
    mkdirSync(saved);
    copyFileSync(inRun(name, 'checkpoint.safetensors'), join(saved, 'checkpoint.safetensors'));
    const then = resultOf(name);
    const updates = String(then.experiment.updates);
    expectSame(await run(then, '--resume', saved, '--updates', updates), then);
    expect(decodeCheckpoint(readFileSync(join(saved, 'checkpoint.safetensors'))).layout).not.toBeUndefined();
    if (then.shard !== undefined)
      expectSame(await resultHere<Numbers>('merge', saved, '--out', `${saved}-merged`), then);
  });

  test.each(runs)('the link “%s” is the same experiment and gives the same numbers', async (name) => {
    const then = resultOf(name);
    const link = text(inRun(name, 'link.txt'));
    await openWorldsOf(then.experiment);
    expect(decodeLink(new URL(link).hash)).toEqual(parseExperiment(then.experiment));
    expectSame(await run(then, link, '--backend', then.backend), then);
  });

  test.each(runs)('the result “%s” opens in the page', async (run) => {
    const { result, experiment } = await readExperimentFile(new Blob([text(inRun(run, 'result.json'))]));
    expect(experiment.title).not.toBe('');
    expect(result).toMatchObject({ updates: resultOf(run).experiment.updates });
  });

  test('the result in a link opens, and is reproduced exactly', async () => {
    const link = text(join(folder, 'page', 'link.txt'));
    const { result } = decodeRunLink(new URL(link).hash);
    const sent = await decodeResult(result ?? '');
    const again = JSON.stringify(await resultHere('run', link, '--backend', 'cpu'));
    const { result: now } = await readExperimentFile(new Blob([again]));
    expect(now).toMatchObject({ updates: sent.updates, digest: sent.digest, at: sent.at, arms: sent.arms });
  });

  const textsIn = (kind: string): string[] =>
    existsSync(join(folder, kind)) ? readdirSync(join(folder, kind)).map((name) => join(folder, kind, name)) : [];

  test.each(textsIn('worlds'))('the world %s is well made', async (path) => {
    await openWorlds();
    const checking = checkWorld(text(path), {}, 20);
    let next = checking.next();
    while (next.done !== true) next = checking.next();
    expect(next.value.checks.filter(({ ok }) => ok === false)).toEqual([]);
    expect(next.value.checks.length).toBeGreaterThan(0);
  });

  test.each(textsIn('formulas'))('the formula %s compiles', (path) => {
    expect(formulaOf(text(path)).parameters.length).toBeGreaterThan(0);
  });

  test('the policy plays as it did', async () => {
    type Played = { readonly training: object; readonly heldOut: object | null };
    const { training, heldOut } = json<Played>(join(folder, 'played.json'));
    const now = await resultHere<Played>('eval', join(folder, 'policy.onnx'), '--episodes', '16');
    expect(now).toMatchObject({ training, heldOut });
  });
});
