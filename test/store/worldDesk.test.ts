/** The desk of worlds: what is written is tried, played by hand, kept, and put into the experiment. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { WorldReport } from '../../src/environments/own/examine/check';
import { openWorlds } from '../../src/environments/own/here';
import type { WorkshopEvent, WorkshopRequest } from '../../src/environments/own/workshop/asked';
import { playEpisode } from '../../src/environments/own/workshop/play';
import { secondsFor } from '../../src/experiment/duration';
import { findPreset, presets } from '../../src/experiment/presets/presets';
import { inWorld } from '../../src/store/desk/oneFileWorlds';
import { Workshop, type WorkshopWorker } from '../../src/store/desk/workshop';
import { WorldDesk } from '../../src/store/desk/worldDesk';
import { nameOf } from '../../src/store/desk/worldDeskState';
import { savedEarlier } from '../../src/store/desk/worldDrafts';
import { hostOf, programElsewhere, quickHost } from '../../src/store/desk/worldHost';
import { Editor } from '../../src/store/edit/editor';
import { createLabStore, pendingDifferences } from '../../src/store/lab';
import { Runner } from '../../src/store/run/runner';
import { stubLocalStorage } from '../support/localTexts';
import { walkText } from '../support/ownWorlds';
import { workers } from './scriptedWorker';

beforeAll(openWorlds);

/** Plays in this thread, at once; checks are not answered. */
class Here implements WorkshopWorker {
  onmessage: WorkshopWorker['onmessage'] = null;
  onerror: WorkshopWorker['onerror'] = null;
  readonly asked: WorkshopRequest[] = [];

  postMessage(request: WorkshopRequest): void {
    this.asked.push(request);
    if (request.type !== 'play') return;
    const { id, episode } = request;
    try {
      this.say({ type: 'played', id, played: playEpisode(request, episode) });
    } catch (cause) {
      const about = { code: 'invalid-world', advice: '', line: 3, column: 1, isExhausting: false } as const;
      this.say({ type: 'mistaken', id, mistake: { text: String(cause), ...about } });
    }
  }

  say(data: WorkshopEvent): void {
    this.onmessage?.({ data } as MessageEvent<WorkshopEvent>);
  }

  terminate(): void {}
}

function open() {
  const here = new Here();
  const trainers = workers();
  const lab = createLabStore();
  const runner = new Runner(lab, trainers.start, () => 'cpu');
  const desk = new WorldDesk(lab, new Editor(lab, runner), runner, new Workshop(() => here));
  desk.take(walkText());
  return { desk, lab, runner, here, trainers, state: () => desk.store.getState() };
}

afterEach(() => {
  vi.useRealTimers();
});

beforeEach(stubLocalStorage);

const actionsOf = ({ state }: ReturnType<typeof open>) => state().episode.actions.map((words) => words.join(' '));

test('an action follows the turn on screen; what came after it is played no more', () => {
  const here = open();
  const { desk, state } = here;
  desk.act(['left']);
  desk.act(['right']);
  expect(state()).toMatchObject({ shown: 2, mistake: null });
  desk.show(1);
  desk.act(['left']);
  expect(actionsOf(here)).toEqual(['left', 'left']);
  desk.back();
  expect(actionsOf(here)).toEqual(['left']);
  desk.again();
  expect(state()).toMatchObject({ shown: 0, episode: { actions: [], player: 'hand' } });
});

test('an episode of the expert is shown at its end, and played on by hand from any turn', () => {
  const here = open();
  const { desk, state } = here;
  desk.watch('expert');
  expect(state().played).toMatchObject({ isSuccess: true });
  expect(state().shown).toBe((state().played?.turns.length ?? 0) - 1);
  desk.show(1);
  desk.takeOver();
  expect(actionsOf(here)).toEqual(['right']);
  expect(state().played?.turns).toHaveLength(2);
  desk.chooseTask({ split: 'held-out' });
  expect(state()).toMatchObject({ shown: 0, episode: { split: 'held-out', actions: [] } });
  const { task } = state().episode;
  desk.watch('random');
  desk.nextTask();
  expect(state()).toMatchObject({ shown: 0, episode: { task: task + 1, player: 'hand', actions: [] } });
});

test('a text with a mistake keeps the episode before it, and cannot be trained on; the draft is found again', () => {
  const here = open();
  const { desk, state, lab, trainers } = here;
  desk.act(['right']);
  const { played } = state();
  desk.take('export default 3', 'mine');
  expect(state()).toMatchObject({ played, mistake: { line: 3 } });
  expect(desk.isPlayable()).toBe(false);
  expect(nameOf(state())).toBe('mine');
  const again = new WorldDesk(lab, new Editor(lab, new Runner(lab, trainers.start, () => 'cpu')), { mendWorld() {} });
  expect(again.store.getState()).toMatchObject({ text: 'export default 3', name: 'mine' });
});

test('what is wrong is told once nothing was typed for a second, what is right at once; the last drawing stays', () => {
  vi.useFakeTimers();
  const { desk, state } = open();
  desk.act(['right']);
  const { played } = state();
  for (const half of ['export default {', 'export default { title']) {
    desk.write(half);
    vi.advanceTimersByTime(900);
    expect(state().mistake).toBeNull();
    expect(desk.isPlayable()).toBe(false);
  }
  vi.advanceTimersByTime(200);
  expect(state()).toMatchObject({ played, mistake: { line: 3 } });
  desk.write(walkText({ start: '() => nowhere' }));
  vi.advanceTimersByTime(1100);
  expect(state()).toMatchObject({ played, mistake: { text: expect.stringContaining('nowhere is not defined') } });
  desk.write(walkText());
  vi.advanceTimersByTime(300);
  expect(state().mistake).toBeNull();
  expect(desk.isPlayable()).toBe(true);
});

test('while a text cannot be read, its name and settings stay', () => {
  const { desk, here, state } = open();
  const say = (report: WorldReport) => {
    const asked = here.asked.findLast((request) => request.type === 'check');
    here.say({ type: 'checked', id: asked?.id ?? 0, report });
  };
  const settings = [{ key: 'length', label: 'Length', help: '', type: 'integer', default: 5, min: 3, max: 9 }] as const;
  const played = { words: 9, context: 20, randomSuccess: 0, expertSuccess: 1 };
  const read = { title: 'Walk', summary: '', isText: false, settings, ...played };
  say({ ...read, checks: [] });
  expect(nameOf(state())).toBe('walk');
  desk.take('export default 3');
  const wrong = { id: 'file', ok: false, text: 'wrong', line: 1, column: 1 } as const;
  say({ ...read, title: '', settings: [], checks: [wrong] });
  expect(nameOf(state())).toBe('walk');
  expect(state()).toMatchObject({ checking: null, report: { settings, checks: [wrong] } });
});

test('train: the experiment is in this world with the settings that it has, its arms stay, and it runs', async () => {
  const { desk, lab, trainers, state } = open();
  const { arms } = lab.getState().edited;
  desk.set('length', 4);
  desk.set('gone', 1);
  await desk.train();
  expect(lab.getState().running).toMatchObject({
    title: 'Walk',
    environment: { id: 'own', settings: { world: walkText(), length: 4 } },
    arms: arms.map(({ id }) => ({ id })),
  });
  expect(Object.keys(lab.getState().edited.environment.settings)).toEqual(['world', 'length']);
  // It sets tasks aside, and the experiment is new: it is examined on them.
  expect(lab.getState().edited.evaluation.every).toBeGreaterThan(0);
  expect(trainers.latest.commands.map(({ type }) => type)).toContain('start');

  // Another text while it trains waits for a restart, in words.
  trainers.latest.enter('running', 1);
  desk.take(walkText({ fields: 'heldOut: 0' }), null, { length: 5 });
  await desk.train();
  expect(pendingDifferences(lab.getState()).map(({ label, from, to }) => [label, from, to])).toEqual([
    ['World', 'Walk as it was', 'as it is written now'],
    ['Length', 4, 5],
  ]);
  expect(lab.getState().running?.environment.settings.world).toBe(walkText());
  desk.write('export default 3');
  expect(programElsewhere(state(), lab.getState().edited)).toBeNull();
});

test('quick train: two arms without a warm start run at once, shorter the longer the episodes, whatever the lab trains', async () => {
  const { desk, lab, here, trainers } = open();
  const { edited } = lab.getState();
  const warm = edited.arms.map((arm) => ({ ...arm, warmStart: 'actions' as const }));
  lab.setState({ edited: { ...edited, seeds: 4, updates: 900, arms: warm } });
  await desk.trainQuickly();
  expect(lab.getState().running).toBeNull();
  const known = { title: 'Walk', summary: '', settings: [], checks: [], randomSuccess: 0, expertSuccess: 1 };
  const asked = here.asked.findLast((request) => request.type === 'check');
  here.say({ type: 'checked', id: asked?.id ?? 0, report: { ...known, isText: false, words: 11, context: 26 } });
  await desk.trainQuickly();
  // Again while it rests: a quick run waits for nothing.
  trainers.latest.enter('paused', 3);
  const before = lab.getState().running;
  await desk.trainQuickly();
  const { running, phase } = lab.getState();
  expect([running === before, phase]).toEqual([false, 'preparing']);
  expect(running).toMatchObject({
    title: 'Walk',
    seeds: 2,
    environment: { id: 'own', settings: { world: walkText() } },
  });
  expect(running?.arms.map(({ id, warmStart }) => [id, warmStart])).toEqual([
    ['action-mask', 'none'],
    ['world-model', 'none'],
  ]);
  for (const [context, seeds] of [
    [26, 2],
    [150, 1],
    [2000, 1],
  ] as const) {
    const host = quickHost({ words: 30, context });
    expect(host.seeds).toBe(seeds);
    expect(host.updates).toBeGreaterThanOrEqual(20);
    if (context < 1000) expect(secondsFor(host, 30, context)).toBeLessThanOrEqual(10);
  }
});

test('the smallest world, unchanged, is no draft: the world of a link takes its place', async () => {
  const { lab, runner } = open();
  localStorage.removeItem('unmask.world');
  const editor = new Editor(lab, runner);
  const visit = () => {
    const desk = new WorldDesk(lab, editor, runner, new Workshop(() => new Here()));
    desk.open();
    return desk;
  };
  visit().close();
  editor.replace(inWorld(lab.getState().edited, walkText()), null);
  const desk = visit();
  // At once: what somebody types next is not to be taken away.
  expect(desk.store.getState().text).toBe(walkText());
  desk.close();
});

test('what is written while a world of the lab is still on its way stays', async () => {
  const { desk, lab, runner } = open();
  new Editor(lab, runner).replace(inWorld(lab.getState().edited, '@bandit'), null);
  const arriving = desk.beginFromExperiment();
  desk.write('export default 4');
  await arriving;
  expect(desk.store.getState().text).toBe('export default 4');
  await desk.beginFromExperiment();
  expect(desk.store.getState().text).toContain("title: 'Contextual bandit'");
});

test('a run that its world stopped goes on in what is written', () => {
  const { desk, trainers, lab } = open();
  lab.setState({ phase: 'stranded' });
  desk.mend();
  expect(trainers.latest.commands.at(-1)).toEqual({ type: 'mend', world: walkText() });
});

test('a world goes into a preset of another world as worlds in one file begin; an experiment that was edited keeps its settings', () => {
  const calculator = findPreset('calculator-searched')?.experiment;
  if (calculator === undefined) throw new Error('The preset is gone.');
  const [first] = hostOf(calculator).arms;
  expect([first?.entropyCoefficient, hostOf(calculator).policy.width]).toEqual([0.01, 32]);
  const edited = { ...calculator, seeds: 2 };
  expect(hostOf(edited)).toBe(edited);
  const own = presets.find(({ experiment }) => experiment.environment.id === 'own')?.experiment ?? calculator;
  expect(hostOf(own)).toBe(own);
});

test('a draft whose place another text took is to be had again: after Edit this world, and where another tab wrote', async () => {
  const mine = walkText({ before: '// precious' });
  const one = open();
  one.desk.take(mine, 'mine');
  one.desk.take(walkText({ before: '// of a link' }));
  const names = () => one.state().earlier.map(({ name }) => name);
  expect(names()[0]).toBe('mine');
  await one.desk.begin('@earlier-0');
  expect(one.state()).toMatchObject({ text: mine, name: 'mine' });

  const two = new WorldDesk(one.lab, new Editor(one.lab, one.runner), one.runner, new Workshop(() => new Here()));
  two.take(walkText({ before: '// in the second tab' }), 'second');
  one.desk.rename('mine-too');
  expect(names()[0]).toBe('second');
  const three = new WorldDesk(one.lab, new Editor(one.lab, one.runner), one.runner, new Workshop(() => new Here()));
  expect(three.store.getState().earlier[0]?.name).toBe('second');
});

test('earlier drafts that another page of the origin wrote are none where they are too many', () => {
  const foreign = Array.from({ length: 100_000 }, () => ({ name: null, text: '', settings: {} }));
  localStorage.setItem('unmask.worlds.earlier', JSON.stringify(foreign));
  expect(savedEarlier()).toEqual([]);
  localStorage.setItem('unmask.worlds.earlier', JSON.stringify(foreign.slice(0, 8)));
  expect(savedEarlier()).toHaveLength(8);
});

test('who has written nothing yet finds the world on screen; afterwards what was written', async () => {
  const lab = createLabStore();
  const runner = new Runner(lab, workers().start, () => 'cpu');
  const editor = new Editor(lab, runner);
  editor.replace(inWorld(lab.getState().edited, walkText()), null);
  const first = new WorldDesk(lab, editor, runner, new Workshop(() => new Here()));
  first.open();
  await vi.waitFor(() => expect(first.store.getState().text).toBe(walkText()));
  first.write('export default {};');
  first.close();
  first.open();
  first.close();
  const second = new WorldDesk(lab, editor, runner, new Workshop(() => new Here()));
  second.open();
  expect(second.store.getState().text).toBe('export default {};');
  second.close();
  const { edited } = lab.getState();
  expect(programElsewhere(second.store.getState(), edited)).toBe(walkText());
  await second.beginFromExperiment();
  expect(second.store.getState().text).toBe(walkText());
  expect(programElsewhere(second.store.getState(), edited)).toBeNull();
  second.close();
});
