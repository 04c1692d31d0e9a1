/** State of the desk of worlds, and its change by an answer of the workshop. */
import type { WorldReport } from '../../environments/own/examine/check';
import { NOWHERE } from '../../environments/own/examine/failure';
import type { Episode, WorkshopEpisode, WorldMistake } from '../../environments/own/workshop/asked';
import { shelfName } from './textShelf';
import type { WorkshopHeard } from './workshop';
import { titleIn, type WorldDraft } from './worldDrafts';

export interface WorldDeskState extends WorldDraft {
  /** Newest report; null before the first. It may be of an earlier text: then `checking` is a number. */
  readonly report: WorldReport | null;
  /** Share of the checks that is done, 0 to 1; null once they are over. */
  readonly checking: number | null;
  readonly episode: Episode;
  /** The episode played last; null before the first. */
  readonly played: WorkshopEpisode | null;
  /** Turn on screen, from 0: the prompt. */
  readonly shown: number;
  /** The reason nothing can be played; null where it can. */
  readonly mistake: WorldMistake | null;
  /** Text that was put into the experiment from here last; null before the first. */
  readonly trained: string | null;
  /** Drafts whose place another text took, newest first: here, or from another tab of the lab. */
  readonly earlier: readonly WorldDraft[];
}

/** `next`: turn that an episode just played shows; null for its last. */
export function heard(now: WorldDeskState, answer: WorkshopHeard, next: number | null): Partial<WorldDeskState> {
  switch (answer.type) {
    case 'checking':
      return { checking: answer.share };
    case 'checked': {
      // A text that cannot be read for a moment keeps its name and settings on screen.
      const { title, summary, settings } = now.report ?? answer.report;
      const kept = answer.report.title === '' ? { title, summary, settings } : {};
      return { report: { ...answer.report, ...kept }, checking: null };
    }
    case 'played': {
      const { played } = answer;
      // An episode that cannot be drawn leaves the last one that could on screen.
      const isUndrawn = played.mistake !== null && played.scenes.length === 0;
      if (isUndrawn && now.played !== null) return { mistake: played.mistake };
      const last = Math.max(0, played.turns.length - 1);
      return { played, shown: Math.min(next ?? last, last), mistake: played.mistake };
    }
    case 'mistaken':
      return { mistake: answer.mistake };
    case 'failed': {
      const about = { code: 'not-loaded', advice: 'Reload the page.', isExhausting: false } as const;
      return { checking: null, mistake: { text: answer.text, ...about, ...NOWHERE } };
    }
    default:
      return {};
  }
}

/** Name on the shelf: the person's, or the title's. */
export const nameOf = ({ name, report, text }: Pick<WorldDeskState, 'name' | 'report' | 'text'>): string =>
  name ?? shelfName(report?.title ?? titleIn(text));
