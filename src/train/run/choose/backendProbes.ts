/**
 * Probes: questions which backend a run would use. The last one's answer counts, and none once a run begins, which says it itself.
 */
import { asLabError } from '../../../foundation/errors';
import type { TrainerEvent } from '../../protocol';
import { type ChosenBackend, lineOf } from './backends';

type Answer = Extract<TrainerEvent, { type: 'backend' | 'no-backend' }>;

export class BackendProbes {
  /** Questions so far: one that was asked earlier may be answered later, as a GPU that opens slowly is after the CPU. */
  #asked = 0;

  /** Answer for the page; null if something else was asked for, or begun, meanwhile. Frees the backend. */
  async ask(choose: () => Promise<ChosenBackend>): Promise<Answer | null> {
    const request = ++this.#asked;
    const answer = await this.#answer(choose);
    return request === this.#asked ? answer : null;
  }

  /** Leaves the question that is still open without an answer. */
  forget(): void {
    this.#asked += 1;
  }

  async #answer(choose: () => Promise<ChosenBackend>): Promise<Answer> {
    try {
      const chosen = await choose();
      chosen.release();
      return { type: 'backend', ...lineOf(chosen) };
    } catch (cause) {
      const { message, advice } = asLabError(cause);
      return { type: 'no-backend', message, advice };
    }
  }
}
