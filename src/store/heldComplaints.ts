/** Complaints about a world's text that wait until nothing has been typed for a while: half a line is no mistake yet. */
import type { WorkshopAnswer, WorkshopRequest } from '../environments/own/workshop/asked';

type Question = WorkshopRequest['type'];

/** Milliseconds from the last character to a complaint. */
const QUIET = 1000;

export class HeldComplaints {
  readonly #tell: (answer: WorkshopAnswer) => void;
  readonly #held = new Map<Question, ReturnType<typeof setTimeout>>();
  #typed = Number.NEGATIVE_INFINITY;

  constructor(tell: (answer: WorkshopAnswer) => void) {
    this.#tell = tell;
  }

  /** True if the episode's complaint is known and not told yet. */
  get isHeld(): boolean {
    return this.#held.has('play');
  }

  /** Something was typed: what was held back was about another text. */
  typed(): void {
    this.#typed = performance.now();
    this.forget('play', 'check');
  }

  forget(...questions: readonly Question[]): void {
    for (const question of questions) {
      clearTimeout(this.#held.get(question));
      this.#held.delete(question);
    }
  }

  /** Tells at once what is right, and what is wrong in good time. */
  take(answer: WorkshopAnswer): void {
    const question = complaintIn(answer);
    const wait = this.#typed + QUIET - performance.now();
    if (question === null || wait <= 0) {
      this.#tell(answer);
      return;
    }
    const later = setTimeout(() => {
      this.#held.delete(question);
      this.#tell(answer);
    }, wait);
    this.forget(question);
    this.#held.set(question, later);
  }
}

/** Question whose answer says that something is wrong with the text; null for one that can be told at once. */
function complaintIn(answer: WorkshopAnswer): Question | null {
  if (answer.type === 'unplayed' || (answer.type === 'played' && answer.played.mistake !== null)) return 'play';
  return answer.type === 'checked' && answer.report.checks.some(({ ok }) => ok === false) ? 'check' : null;
}
