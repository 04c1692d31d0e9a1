/** Requests for dreams, and which of the answers are shown. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLab } from '../../src/store/openLab';
import type { DreamRequest, DreamView, EpisodeView } from '../../src/train/looks/shown';
import { stubLocalStorage } from '../support/localTexts';
import { workers } from './scriptedWorker';

const started = workers();

const episode = (update: number): EpisodeView => ({
  arm: 'world-model',
  seed: 0,
  update,
  group: 0,
  trajectory: 0,
  task: new Int32Array([0, 5]),
  tokens: new Uint16Array([1, 9, 8, 2, 7]),
  roles: new Uint8Array([0, 0, 0, 1, 2]),
  logProb: new Float32Array(5),
  policyWeight: new Float32Array(5),
  crossEntropyWeight: new Float32Array(5),
  advantage: 0,
  reward: 0,
  success: false,
  relabelled: false,
});

const view = (arm: string): DreamView => ({
  arm,
  next: new Uint16Array([1, 9, 8, 2, 7]),
  whole: new Uint16Array([1, 9, 8, 2, 6]),
  dreamed: new Uint32Array([1]),
  agreed: new Uint32Array([1]),
  crossEntropy: 0.1,
  sensitivity: 3,
});

function run() {
  const lab = openLab('#preset=gridworld-tiny', started.start);
  lab.editor.run();
  const worker = started.latest;
  worker.enter('running');
  const requests = (): DreamRequest[] =>
    worker.commands.flatMap((command) => (command.type === 'dream' ? [command.request] : []));
  const show = (update: number) => {
    worker.say({ type: 'episodes', update, episodes: [episode(update)] });
    lab.playback.takeNewest();
  };
  const shown = () => lab.dreams.current(lab.store.getState().dreams);
  return { lab, worker, requests, show, shown };
}

beforeEach(stubLocalStorage);
afterEach(() => vi.unstubAllGlobals());

describe('dreams', () => {
  test('are asked for only where they are drawn, once for what is on screen', () => {
    const { lab, requests, show } = run();
    show(0);
    expect(requests()).toEqual([]);
    lab.preferences.setState({ dream: 'next' });
    expect(requests()).toHaveLength(1);
    expect(requests()[0]).toMatchObject({ sampling: 'greedy', episodes: [{ arm: 'world-model', seed: 0 }] });
    // The other drawing shows the same dreams.
    lab.preferences.setState({ dream: 'whole' });
    lab.playback.seek(1);
    expect(requests()).toHaveLength(1);
    lab.preferences.setState({ dreamSampling: 'sampled' });
    expect(requests()[1]?.sampling).toBe('sampled');
    show(3);
    expect(requests()).toHaveLength(3);
    lab.preferences.setState({ dream: 'none' });
    show(4);
    expect(requests()).toHaveLength(3);
  });

  test('of episodes that have left the screen are not shown', () => {
    const { lab, worker, requests, show, shown } = run();
    lab.preferences.setState({ dream: 'next' });
    show(0);
    const first = requests().at(-1) as DreamRequest;
    show(1);
    const second = requests().at(-1) as DreamRequest;
    worker.say({ type: 'dreams', id: first.id, update: 1, dreams: [view('world-model')] });
    expect(shown()).toBeNull();
    worker.say({ type: 'dreams', id: second.id, update: 2, dreams: [view('world-model')] });
    expect(shown()).toMatchObject({ update: 2, byArm: { 'world-model': { sensitivity: 3 } } });
    show(2);
    expect(shown()).toBeNull();
  });

  test('are remembered as points by update, and a loss of the device says so where they were to be drawn', () => {
    const { lab, worker, requests, show, shown } = run();
    lab.preferences.setState({ dream: 'next' });
    show(0);
    const [asked] = requests();
    const id = asked?.id ?? 0;
    worker.say({ type: 'not-dreamed', id, update: 1, text: 'Lost.', advice: 'Wait.' });
    expect(shown()).toMatchObject({ byArm: {}, failure: { what: 'Lost.', advice: 'Wait.' } });
    const five = { dreamed: new Uint32Array([10, 8, 6, 4, 2]), agreed: new Uint32Array([9, 6, 3, 1, 2]) };
    worker.say({ type: 'dreams', id, update: 1, dreams: [{ ...view('world-model'), ...five }] });
    worker.say({ type: 'dreams', id, update: 4, dreams: [view('world-model')] });
    expect(shown()?.failure).toBeNull();
    const points = lab.store.getState().dreamPoints;
    expect(points.map(({ update }) => update)).toEqual([1, 4]);
    expect(points[0]?.byArm['world-model']).toEqual({ agreement: [0.9, 0.75, 0.25, 1], sensitivity: 3 });
    // One turn is the whole episode, so there is no number for two turns.
    expect(points[1]?.byArm['world-model']?.agreement).toEqual([1, Number.NaN, Number.NaN, 1]);
  });

  test('are not asked of a trainer that is no more', () => {
    const { lab, worker, requests, show } = run();
    show(0);
    worker.enter('failed');
    const count = started.count;
    lab.preferences.setState({ dream: 'next' });
    expect(requests()).toEqual([]);
    expect(started.count).toBe(count);
  });
});
