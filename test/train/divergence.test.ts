/** A run whose policies diverge on the CPU pauses, says why, and goes back to a healthy state with a lower learning rate. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { Change, Experiment } from '../../src/experiment/experiment';
import { MemorySnapshots } from '../support/memorySnapshots';
import { SessionPage, twoMembers } from '../support/sessionPage';

const harmful: Change[] = [
  { update: 12, arm: '*', setting: 'learningRate', value: 1 },
  { update: 12, arm: '*', setting: 'weightDecay', value: 10 },
];
const experiment: Experiment = { ...twoMembers(120), timeline: harmful };

beforeEach(() => {
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
  return () => vi.unstubAllGlobals();
});

async function begin(given: Experiment): Promise<SessionPage> {
  const page = new SessionPage('cpu', given);
  await page.session.prepare(true);
  return page;
}

test('it pauses, and ends as a run that had the lower rate from the beginning', async () => {
  const page = await begin(experiment);
  await page.until(({ phase }) => phase === 'diverged');
  const [found] = page.of('diverged');
  const lowered = experiment.arms.map(({ id }) => ({ update: 12, arm: id, setting: 'learningRate', value: 0.01 }));
  expect(found).toMatchObject({ isAll: true, to: 10, changes: lowered });
  expect(found?.members.map(({ arm, seed }) => `${arm} ${seed}`)).toEqual(experiment.arms.map(({ id }) => `${id} 0`));
  expect(found?.members[0]?.cause).toMatch(/learning rate 1 with weight decay 10, which multiplies weights by -9/);

  await page.session.waysOn.answerDivergence(true);
  expect(page.of('went-back')).toEqual([{ type: 'went-back', update: 10, changes: lowered }]);
  await page.until(({ phase }) => phase === 'finished');
  expect(page.of('diverged')).toHaveLength(1);
  const other = await begin({ ...experiment, timeline: [...harmful, ...lowered] });
  await other.until(({ phase }) => phase === 'finished');
  expect(page.curves).toEqual(other.curves);
});

test('a page that is opened after it was left diverged finds the way back too', async () => {
  const archive = new MemorySnapshots();
  const open = (resume: boolean): SessionPage =>
    new SessionPage('cpu', experiment, () => {}, { keeping: { run: 'ab', resume, open: async () => archive } });
  const page = open(false);
  await page.session.prepare(false);
  page.session.step();
  await page.until(({ events }) => events.some(({ type }) => type === 'kept'));
  page.session.resume();
  await page.until(({ phase, events }) => phase === 'diverged' && events.at(-1)?.type === 'kept');
  await page.session.dispose();
  expect(archive.entries.get('ab')?.states.map(({ healthy }) => healthy)).toEqual([true, false]);
  const again = open(true);
  await again.session.prepare(true);
  await again.until(({ phase }) => phase === 'diverged');
  expect(again.of('diverged')[0]).toMatchObject({ isAll: true, to: 1 });
});

test('left as it is, it trains on when it is told to; settings that never were healthy lead back to the beginning', async () => {
  const arms = experiment.arms.map((arm) => ({ ...arm, learningRate: 1, weightDecay: 10 }));
  const page = await begin({ ...experiment, arms, timeline: [] });
  await page.until(({ phase }) => phase === 'diverged');
  expect(page.of('diverged')[0]).toMatchObject({
    to: 0,
    changes: arms.map(({ id }) => ({ update: 0, arm: id, value: 0.01 })),
  });
  const request = { arm: arms[0]?.id ?? '', seed: 0, cached: false, licence: 'MIT' };
  expect(await page.session.exportPolicy(request)).toMatchObject({ hasDiverged: true });
  await page.session.waysOn.answerDivergence(false);
  page.session.resume();
  await page.until(({ phase }) => phase === 'finished');
  // Nothing waits for an answer any more.
  await page.session.waysOn.answerDivergence(true);
  expect(page.of('went-back')).toEqual([]);
});
