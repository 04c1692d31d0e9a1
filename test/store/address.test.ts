/** The address holds the experiment on screen. The bar is a fake; the trainer's Worker is scripted. */
import { beforeEach, expect, test, vi } from 'vitest';
import { decodeLink } from '../../src/experiment/link/link';
import { defaultPreset } from '../../src/experiment/presets/presets';
import { LinkAddress } from '../../src/store/edit/address';
import { arrive, type EntryState } from '../../src/store/edit/arrival';
import { openLab } from '../../src/store/openLab';
import { workers } from './scriptedWorker';

beforeEach(() => {
  vi.useFakeTimers();
});

function opened(fragment: string) {
  const worker = workers();
  const lab = openLab(fragment, worker.start);
  const bar = { now: fragment, state: null as EntryState | null, written: 0 };
  const address = new LinkAddress(
    lab,
    {
      fragment: () => bar.now,
      state: () => bar.state,
      show(next, state) {
        Object.assign(bar, { now: next, state, written: bar.written + 1 });
      },
    },
    fragment,
  );
  const settle = () => vi.advanceTimersByTime(1000);
  settle();
  const edit = (seeds: number) => lab.editor.edit({ ...lab.store.getState().edited, seeds });
  /** By a link; Back comes to an entry that has a state. */
  const go = (next: string, state: EntryState | null = null) => {
    Object.assign(bar, { now: next, state });
    address.moved();
  };
  return { lab, worker, bar, settle, edit, go };
}

test('a link stays as it was written until something is changed, and comes back with what it says', () => {
  const link = '#preset=gridworld-tiny&seeds=3&updates=30&hide=why';
  const { bar, edit, settle } = opened(link);
  expect(bar).toMatchObject({ now: link, state: { isOwn: false }, written: 1 });
  edit(5);
  settle();
  expect(bar).toMatchObject({ now: '#preset=gridworld-tiny&seeds=5&updates=30&hide=why', state: { isOwn: true } });
  edit(3);
  settle();
  expect(bar).toMatchObject({ now: link, state: { isOwn: false } });
});

test('a bookmark of any moment opens the same experiment, live changes included', () => {
  const { lab, worker, bar, settle } = opened('#preset=gridworld-tiny');
  lab.editor.run();
  worker.latest.enter('running');
  worker.latest.say({
    type: 'changed',
    changes: [{ update: 4, arm: 'world-model', setting: 'ce.observation', value: 0.7 }],
  });
  settle();
  expect(bar.now).toContain('changes=4:world-model:ce.observation:0.7');
  expect(decodeLink(bar.now)).toEqual(lab.editor.shared());
});

test('many edits in a row are written once, and settings that contradict each other not at all', () => {
  const { lab, bar, edit, settle } = opened('#preset=gridworld-tiny');
  for (let seeds = 3; seeds < 20; seeds++) edit(seeds);
  settle();
  expect(bar).toMatchObject({ now: '#preset=gridworld-tiny&seeds=19', written: 2 });
  const { edited } = lab.store.getState();
  lab.editor.edit({ ...edited, policy: { ...edited.policy, width: 48, heads: 16 } });
  settle();
  expect(bar.now).toBe('#preset=gridworld-tiny&seeds=19');
});

test('a link that was navigated to is opened, not written over by the page before the browser tells of it', () => {
  const { lab, bar, edit, settle, go } = opened('#preset=gridworld-tiny');
  edit(5);
  Object.assign(bar, { now: '#preset=gridworld-tiny&seeds=9', state: null });
  settle();
  go(bar.now);
  expect(lab.store.getState().edited.seeds).toBe(9);
});

test('the experiment of a first visit needs no fragment', () => {
  const { bar, edit, settle } = opened('');
  expect(bar).toMatchObject({ now: '' });
  edit(7);
  settle();
  expect(decodeLink(bar.now)).toEqual({ ...defaultPreset.experiment, seeds: 7 });
  edit(defaultPreset.experiment.seeds);
  settle();
  expect(bar.now).toBe('');
});

test('another place shows the experiment that is open, and Back from it takes no edit back', () => {
  const { lab, bar, edit, settle, go } = opened('#preset=gridworld-tiny');
  edit(5);
  settle();
  const inLab = { now: bar.now, state: bar.state };
  go('');
  expect(bar.now).toBe('#preset=gridworld-tiny&seeds=5');
  edit(6);
  settle();
  go(inLab.now, inLab.state);
  expect(lab.store.getState()).toMatchObject({ edited: { seeds: 6 }, notice: null });
  expect(bar.now).toBe('#preset=gridworld-tiny&seeds=6');
});

test('Back to before another link opens what was open then', () => {
  const { lab, bar, edit, settle, go } = opened('#preset=gridworld-tiny');
  edit(5);
  settle();
  const before = { now: bar.now, state: bar.state };
  go('#preset=gridworld&seeds=2');
  expect(bar.state?.visit).not.toBe(before.state?.visit);
  go(before.now, before.state);
  expect(lab.store.getState().edited).toMatchObject({ preset: 'gridworld-tiny', seeds: 5 });
});

test('another link replaces the experiment; a broken one leaves address, settings and run', () => {
  const { lab, worker, bar, go } = opened('#preset=gridworld-tiny');
  go('#preset=gridworld&seeds=2');
  expect(lab.store.getState().edited).toMatchObject({ preset: 'gridworld', seeds: 2 });
  go('#preset=nowhere');
  expect(lab.store.getState()).toMatchObject({
    edited: { preset: 'gridworld', seeds: 2 },
    notice: { kind: 'broken-link', text: expect.stringMatching(/so what was on screen stays/) },
  });
  lab.editor.run();
  worker.latest.enter('running');
  go('#preset=nowhere');
  expect(bar.now).toBe('#preset=gridworld&seeds=2');
  expect(lab.store.getState()).toMatchObject({ phase: 'running', notice: { kind: 'broken-link' } });
});

test('a reload of what the page wrote is no link that somebody sent', () => {
  const fragment = '#preset=gridworld-tiny&seeds=5';
  expect(arrive(fragment, true)).toMatchObject({ experiment: { seeds: 5 }, notice: { kind: 'restored' } });
  expect(arrive(fragment, false)).toMatchObject({ experiment: { seeds: 5 }, notice: { kind: 'link' } });
  expect(arrive('#preset=nowhere', true).notice?.kind).toBe('broken-link');
});
