/**
 * Trials of worlds before the page's own thread runs them: an episode at random and one of the expert, in a Worker that is ended
 * where it is held up.
 */
import type { EnvironmentSettings } from '../environments/environment';
import type { Player, WorkshopAnswer } from '../environments/own/workshop/asked';
import { LabError } from '../foundation/errors';
import { startWorkshopWorker, Workshop, type WorkshopWorker } from './workshop';

const PLAYERS: readonly Player[] = ['random', 'expert'];

/**
 * Error of a text that would hold up the page; null for one that may run there, which may have mistakes all the same. Rejects
 * where the sandbox does not come.
 */
export function tryWorld(
  text: string,
  settings: EnvironmentSettings,
  start: () => WorkshopWorker = startWorkshopWorker,
): Promise<LabError | null> {
  return new Promise((resolve, reject) => {
    const left = [...PLAYERS];
    const workshop = new Workshop(start, (answer) => {
      const said = exhaustionIn(answer);
      if (said !== null) end(() => resolve(refusal(said)));
      else if (answer.type === 'failed') end(() => reject(new LabError('invalid-world', answer.text, 'Try it again.')));
      else if (answer.type === 'unplayed' || left.length === 0) end(() => resolve(null));
      else next();
    });
    const next = (): void => {
      const player = left.shift() ?? 'random';
      workshop.play({ text, settings }, { task: 1, split: 'train', player, actions: [] });
    };
    const end = (settle: () => void): void => {
      workshop.close();
      settle();
    };
    next();
  });
}

/** Words on what used up the time or the memory of a call; null where nothing did. */
function exhaustionIn(answer: WorkshopAnswer): string | null {
  if (answer.type === 'failed') return answer.isHeldUp ? answer.text : null;
  const mistake = answer.type === 'played' ? answer.played.mistake : answer.type === 'unplayed' ? answer.mistake : null;
  return mistake?.isExhausting === true ? mistake.text : null;
}

const refusal = (said: string): LabError =>
  new LabError(
    'invalid-world',
    `This world would stop the page, so the page does not run it. ${said}`,
    'Mend its file.',
  );
