/**
 * Worlds that go wrong while a run trains in them: the run rests with the line of the mistake, and goes on once the file is
 * mended, with nothing lost.
 */
import { beforeAll, expect, test, vi } from 'vitest';
import { WorldError } from '../../src/environments/own/examine/failure';
import { openWorlds } from '../../src/environments/own/here';
import type { Experiment } from '../../src/experiment/experiment';
import { withWorld } from '../../src/experiment/ownWorld';
import { parseExperiment } from '../../src/experiment/parse';
import { findPreset } from '../../src/experiment/presets/presets';
import type { StartPoolWorker } from '../../src/train/pool/port';
import { fromFailure, toFailure } from '../../src/train/pool/protocol';
import { mendedExperiment } from '../../src/train/run/keep/mend';
import { MemorySnapshots } from '../support/memorySnapshots';
import { MISTAKE, numberedWalk } from '../support/ownWorlds';
import { startHere } from '../support/poolHere';
import { finishedPage, SessionPage } from '../support/sessionPage';

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
});

test('a run whose world ended two trainers rests in the third with the line, and goes on once it is mended', async () => {
  const experiment = experimentIn(numberedWalk());
  const archive = new MemorySnapshots();
  const keeping = { run: 'ab12', open: async () => archive };
  const before = new SessionPage('cpu', experiment, () => {}, { keeping: { ...keeping, resume: false } });
  await before.session.prepare(false);
  before.session.step();
  await before.until(({ events }) => events.some(({ type }) => type === 'kept'));
  await before.session.dispose();
  const ended = { what: 'The trainer was silent for 44 seconds.', update: 1, restsFor: 'step' };
  const page = new SessionPage('cpu', experiment, () => {}, { keeping: { ...keeping, resume: true }, ended });
  await page.session.prepare(true);
  expect(page.phase).toBe('stranded');
  expect(page.of('stranded')).toMatchObject([
    { update: 1, text: expect.stringMatching(/^step\(\) .*twice after update 1 \(line 11\)/), world: { line: 11 } },
  ]);
  expect(page.of('notice').map(({ text }) => text)).toEqual([
    'The trainer was silent for 44 seconds. The run rests with what it had after update 1.',
  ]);
  const mended = numberedWalk('// It is mended.');
  await page.session.waysOn.mend(mended);
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
  const whole = await finishedPage('cpu', experiment);
  expect(page.curves).toEqual(whole.curves);
});

test('a world that ends a Worker of the pool after the same update twice rests the run; mended, it goes on', async () => {
  const experiment = experimentIn(numberedWalk());
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  let isHealed = false;
  /** Workers that begin a call of the world after two updates, and never end it. */
  const start: StartPoolWorker = (listener) => {
    const port = startHere(listener);
    let updates = 0;
    return {
      ...port,
      send(command, transfer) {
        if (command.type === 'ask') return;
        if (command.type !== 'update' || isHealed || ++updates <= 2) return port.send(command, transfer);
        listener.reply({ type: 'pulse', call: 'step' });
        setImmediate(() => vi.advanceTimersByTime(50_000));
      },
    };
  };
  const page = new SessionPage('cpu', experiment, undefined, { pool: () => ({ workers: 2, start }) });
  await page.session.prepare(true);
  await page.until(({ phase }) => phase === 'stranded' || phase === 'failed' || phase === 'finished');
  expect(page.of('notice').map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^A Worker of the CPU backend was silent for \d+ seconds\. It was replaced after update 2; 2 updates/,
    ),
  ]);
  expect(page.of('stranded')).toMatchObject([{ text: expect.stringMatching(/^step\(\)/), world: { line: 11 } }]);
  isHealed = true;
  await page.session.waysOn.mend(numberedWalk('// It is mended.'));
  await page.until(({ phase }) => phase === 'finished' || phase === 'failed');
  vi.useRealTimers();
  const whole = await finishedPage('cpu', experiment);
  expect(page.curves).toEqual(whole.curves);
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
