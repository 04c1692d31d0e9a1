/** Trials of worlds: what would hold up the page is kept from it, in words; what has other mistakes is let in. */
import { afterEach, expect, test, vi } from 'vitest';
import { isWorldOpen, openWorld, openWorlds, type Trial, tryWorldsFirst } from '../../src/environments/own/own';
import type { WorkshopRequest } from '../../src/environments/own/workshop/asked';
import { mistakeOf, playEpisode } from '../../src/environments/own/workshop/play';
import { withWorld } from '../../src/experiment/ownWorld';
import { checkExperiment } from '../../src/experiment/parse';
import { defaultPreset, findPreset } from '../../src/experiment/presets';
import { LabError } from '../../src/foundation/errors';
import { Editor } from '../../src/store/editor';
import { createLabStore } from '../../src/store/lab';
import { Runner } from '../../src/store/runner';
import type { WorkshopWorker } from '../../src/store/workshop';
import { tryWorld } from '../../src/store/worldTrials';
import { walkText } from '../support/ownWorlds';
import { workers } from './scriptedWorker';

const small = findPreset('gridworld-tiny')?.experiment ?? defaultPreset.experiment;

/** Plays in this thread; or is silent, or never arrives. */
class Here implements WorkshopWorker {
  onmessage: WorkshopWorker['onmessage'] = null;
  onerror: WorkshopWorker['onerror'] = null;
  isEnded = false;
  readonly players: string[] = [];

  readonly how: 'plays' | 'is silent' | 'is missing';

  constructor(how: Here['how'] = 'plays') {
    this.how = how;
  }

  postMessage(request: WorkshopRequest): void {
    if (request.type === 'check' || this.how === 'is silent') return;
    const { id, episode, text } = request;
    this.players.push(episode.player);
    queueMicrotask(() => {
      if (this.how === 'is missing') this.onerror?.({ message: '' } as ErrorEvent);
      else this.onmessage?.({ data: this.#play(request, id, text) } as MessageEvent);
    });
  }

  #play(request: Extract<WorkshopRequest, { type: 'play' }>, id: number, text: string): unknown {
    try {
      return { type: 'played', id, played: playEpisode(request, request.episode) };
    } catch (cause) {
      return { type: 'unplayed', id, mistake: mistakeOf(cause, text) };
    }
  }

  terminate(): void {
    this.isEnded = true;
  }
}

afterEach(() => {
  tryWorldsFirst(null);
  vi.useRealTimers();
});

test('a world that ends is let in, with its mistakes; its Worker is ended', async () => {
  await openWorlds();
  const here = new Here();
  expect(await tryWorld(walkText(), { length: 7 }, () => here)).toBeNull();
  expect(here.players).toEqual(['random', 'expert']);
  expect(here.isEnded).toBe(true);
  expect(await tryWorld(walkText({ step: '(state) => elsewhere' }), {}, () => new Here())).toBeNull();
  expect(await tryWorld('export default {', {}, () => new Here())).toBeNull();
});

test('one that does not end is not, and the line is told', async () => {
  await openWorlds();
  const wrong = await tryWorld(walkText({ step: '() => { for (;;); }' }), {}, () => new Here());
  expect(wrong?.message).toMatch(/would stop the page.*step\(\) did not come to an end \(line 11\)/);
});

test('one that answers nothing at all is not, after a while; a sandbox that does not come is no verdict', async () => {
  vi.useFakeTimers();
  const silent = new Here('is silent');
  const verdict = tryWorld(walkText(), {}, () => silent);
  await vi.advanceTimersByTimeAsync(30_000);
  expect((await verdict)?.message).toMatch(/works on and on/);
  expect(silent.isEnded).toBe(true);
  await expect(tryWorld(walkText(), {}, () => new Here('is missing'))).rejects.toThrow(/did not arrive/);
});

test('this thread makes no foreign world before its trial, nor after a bad one; then what is on screen is looked at again', async () => {
  const lab = createLabStore();
  const editor = new Editor(lab, new Runner(lab, workers().start, () => 'cpu'));
  const verdicts: ((wrong: LabError | null) => void)[] = [];
  const trial: Trial = () => new Promise((resolve) => verdicts.push(resolve));
  tryWorldsFirst(trial, (text) => editor.lookAgain(text));
  await openWorlds();
  // Made here it would throw: its place is taken by nothing until it was tried.
  const broken = withWorld(small, walkText({ words: 'elsewhere' }));
  editor.replace(broken, null);
  expect(lab.getState().problems).toEqual([]);
  const text = String(broken.environment.settings.world);
  expect(isWorldOpen(text)).toBe(false);
  const [first, second] = [openWorld(text), openWorld(text)];
  await vi.waitFor(() => expect(verdicts).toHaveLength(1));
  verdicts[0]?.(null);
  await Promise.all([first, second]);
  expect(lab.getState().problems[0]?.message).toMatch(/elsewhere is not defined/);

  const onScreen = lab.getState().edited.environment;
  const endless = withWorld(small, walkText({ step: '() => { for (;;); }' }));
  const opening = openWorld(String(endless.environment.settings.world));
  await vi.waitFor(() => expect(verdicts).toHaveLength(2));
  verdicts[1]?.(new LabError('invalid-world', 'It would stop the page.', 'Mend it.'));
  await opening;
  expect(checkExperiment(endless).problems[0]?.message).toMatch(/would stop the page/);
  expect(isWorldOpen('@bandit')).toBe(true);
  // Nothing is in that world, so nothing was drawn again.
  expect(lab.getState().edited.environment).toBe(onScreen);
});
