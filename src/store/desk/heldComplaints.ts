/** Complaints about a world's text that wait until nothing has been typed for a while: half a line is no mistake yet. */
import type { WorkshopHeard } from './workshop';

export type ComplaintSource = 'play' | 'check';

/** An answer, with its question. */
export interface HeardBy {
  readonly who: ComplaintSource;
  readonly answer: WorkshopHeard;
}

/** Milliseconds from the last character to a complaint. */
const QUIET = 1000;

export class HeldComplaints {
  readonly #tell: (heard: HeardBy) => void;
  readonly #held = new Map<ComplaintSource, ReturnType<typeof setTimeout>>();
  #typed = Number.NEGATIVE_INFINITY;

  constructor(tell: (heard: HeardBy) => void) {
    this.#tell = tell;
  }

  /** True if the episode's complaint is known and not told yet. */
  get isHeld(): boolean {
    return this.#held.has('play');
  }

  /** Drops a complaint held back, which was about another text. */
  typed(): void {
    this.#typed = performance.now();
    this.forget('play', 'check');
  }

  forget(...questions: readonly ComplaintSource[]): void {
    for (const question of questions) {
      clearTimeout(this.#held.get(question));
      this.#held.delete(question);
    }
  }

  /** Tells good answers at once, and complaints in good time. */
  take(heard: HeardBy): void {
    const { who, answer } = heard;
    const wait = this.#typed + QUIET - performance.now();
    if (!isComplaint(answer) || wait <= 0) {
      this.#tell(heard);
      return;
    }
    const later = setTimeout(() => {
      this.#held.delete(who);
      this.#tell(heard);
    }, wait);
    this.forget(who);
    this.#held.set(who, later);
  }
}

/** True for an answer that says that something is wrong with the text. */
function isComplaint(answer: WorkshopHeard): boolean {
  if (answer.type === 'checked') return answer.report.checks.some(({ ok }) => ok === false);
  return answer.type === 'mistaken' || (answer.type === 'played' && answer.played.mistake !== null);
}
