/**
 * Worlds that go wrong while a run trains in them: the run rests with the line of the mistake, and goes on once the file is
 * mended, with nothing lost.
 */
import { beforeAll, expect, test } from 'vitest';
import { WorldError } from '../../src/environments/own/failure';
import { openWorlds } from '../../src/environments/own/own';
import type { Experiment } from '../../src/experiment/experiment';
import { withWorld } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets';
import { fromFailure, toFailure } from '../../src/train/pool/protocol';
import { mendedExperiment } from '../../src/train/run/mend';
import { MISTAKE, numberedWalk } from '../support/ownWorlds';
import { SessionPage } from '../support/sessionPage';

const tiny = (findPreset('gridworld-tiny') as { experiment: Experiment }).experiment;
const experimentIn = (text: string) =>
  parseExperiment(
    withWorld({ ...tiny, arms: tiny.arms.slice(0, 2), seeds: 1, updates: 16, diagnosticsEvery: 0 }, text),
  );

beforeAll(openWorlds);

async function rested(): Promise<SessionPage> {
  const page = new SessionPage('cpu', experimentIn(numberedWalk(MISTAKE)));
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'stranded' || phase === 'failed' || phase === 'finished');
  return page;
}

test('a run rests where its world goes wrong, and goes on to the same numbers once it is mended', async () => {
  const whole = new SessionPage('cpu', experimentIn(numberedWalk()));
  await whole.session.prepare(true);
  await whole.until(({ phase }) => phase === 'finished');
  const page = await rested();
  expect(page.of('error')).toEqual([]);
  const [told] = page.of('stranded');
  expect(told).toMatchObject({ text: expect.stringMatching(/not a function \(line 12\)/), world: { line: 12 } });
  // A snapshot was taken before.
  expect(told?.update).toBeGreaterThan(10);
  // A second error leaves it waiting, with its message.
  await page.session.waysOn.mend('export default 3;');
  expect(page.of('stranded').at(-1)?.text).toMatch(/export default/);
  await page.session.waysOn.mend(numberedWalk().replace('maxTurns: 12', 'maxTurns: 13'));
  expect(page.of('stranded').at(-1)?.text).toMatch(/longer episodes/);
  expect(page.phase).toBe('stranded');
  await page.session.waysOn.mend(numberedWalk());
  await page.until(({ phase }) => phase === 'finished');
  expect(page.of('went-back')).toMatchObject([
    { update: 10, changes: [], environment: { settings: { world: numberedWalk() } } },
  ]);
  expect(page.curves).toEqual(whole.curves);
  expect(page.of('error')).toEqual([]);
  await Promise.all([page.session.dispose(), whole.session.dispose()]);
});

test('a mended world keeps the words; the experiment keeps all else', async () => {
  const experiment = experimentIn(numberedWalk(MISTAKE));
  const { environment, ...rest } = await mendedExperiment(experiment, numberedWalk());
  expect({ ...rest, environment: experiment.environment }).toEqual(experiment);
  expect(environment.settings.world).toBe(numberedWalk());
  const other = numberedWalk().replace("'c' + i)", "'d' + i)");
  await expect(mendedExperiment(experiment, other)).rejects.toThrow(/other words/);
  await expect(mendedExperiment(tiny, numberedWalk())).rejects.toThrow(/no world of one’s own/);
});

test('an error of a world keeps its place on the way from a Worker', () => {
  const error = new WorldError({ line: 3, column: 9 }, 'step', { what: 'step() broke' });
  const { message, line, column } = fromFailure(structuredClone(toFailure(error))) as WorldError;
  expect({ message, line, column }).toEqual({ message: error.message, line: 3, column: 9 });
});
