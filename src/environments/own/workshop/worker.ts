/**
 * The Worker in which a world is tried while it is written: the page stays alive, whatever the text does. An episode is played
 * at once; the checks go on between messages, and end when others are asked for.
 */
import '../../../foundation/policedWorkers';
import { asLabError } from '../../../foundation/errors';
import { checkWorld } from '../check';
import { openQuickJs } from '../sandbox';
import type { Tried, WorkshopAnswer, WorkshopRequest } from './asked';
import { mistakeOf, playEpisode, sendable, withKnownSettings } from './play';

const post = (answer: WorkshopAnswer): void => self.postMessage(answer);

const EPISODES = 1000;
/** Milliseconds of the checks before messages are looked at. */
const SLICE = 25;

/** Id of the checks that are wanted. */
let wanted = -1;

/** A text that cannot be read has no settings; its check says why. */
function known(tried: Tried): Tried {
  try {
    return withKnownSettings(tried);
  } catch {
    return { ...tried, settings: {} };
  }
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function check(id: number, tried: Tried): Promise<void> {
  wanted = id;
  const { text, settings } = known(tried);
  const looking = checkWorld(text, settings, EPISODES);
  for (let episode = 0, end = performance.now() + SLICE; ; episode++) {
    const { done, value } = looking.next();
    if (done === true) {
      post({ type: 'checked', id, report: sendable(value) });
      return;
    }
    // Said at once after the first episode: the file can be read.
    if (episode > 0 && performance.now() < end) continue;
    post({ type: 'checking', id, share: Math.min(1, (episode + 1) / EPISODES) });
    await nextTask();
    if (wanted !== id) return;
    // A text may have broken it.
    await openQuickJs();
    end = performance.now() + SLICE;
  }
}

async function answer(request: WorkshopRequest): Promise<void> {
  await openQuickJs();
  if (request.type === 'check') return check(request.id, request);
  const { id, episode } = request;
  try {
    post({ type: 'played', id, played: playEpisode(request, episode) });
  } catch (cause) {
    post({ type: 'unplayed', id, mistake: mistakeOf(cause, request.text) });
  }
}

self.onmessage = ({ data }: MessageEvent<WorkshopRequest>) => {
  answer(data).catch((cause: unknown) => post({ type: 'failed', text: asLabError(cause).message, isHeldUp: false }));
};
