/** Status of a run for the page: its work, and how far it has come. */
import type { Experiment } from '../../experiment/experiment';
import type { LabError } from '../../foundation/errors';
import type { Phase } from '../protocol';
import { isWorldFault, worldFault } from './keep/mend';
import { LOST_WORDS, STRANDED_ADVICE } from './keep/recovery';
import type { Post } from './reporter';

export class Status {
  /** The experiment, with every live change in its timeline. */
  experiment: Experiment;
  /** Largest number of updates finished so far; after the device is lost some are computed again. */
  furthest = 0;
  /** True if it paused since nothing trains any more; false once the person has it train on. */
  isHalted = false;
  readonly #post: Post;
  #phase: Phase = 'preparing';
  #isEnded = false;
  #waitsFor: 'device' | 'world' = 'device';

  constructor(experiment: Experiment, post: Post) {
    this.experiment = experiment;
    this.#post = post;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Cause of being stranded; null while it is not. */
  get strandedBy(): 'device' | 'world' | null {
    return this.#phase === 'stranded' ? this.#waitsFor : null;
  }

  /** True once it has failed or nobody wants it any more: nothing more is told. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** `finished`: updates of the training; after a loss fewer than `furthest`. */
  isDone(finished: number): boolean {
    return this.#isEnded || this.#phase === 'stranded' || finished >= this.experiment.updates;
  }

  preparing(detail: string): void {
    this.tell('preparing', detail);
  }

  /** Tells that no update is left to make, for now or for good. */
  rest(finished: number, isLost: boolean): void {
    if (finished >= this.experiment.updates) this.tell('finished');
    else this.tell(this.isHalted ? 'diverged' : 'paused', isLost ? LOST_WORDS : '');
  }

  /** Waits for another device, or, where the world went wrong, for a mended one. */
  strand(error: LabError, isWorld = isWorldFault(this.experiment, error)): void {
    if (this.#isEnded) return;
    this.#waitsFor = isWorld ? 'world' : 'device';
    const words = isWorld ? worldFault(error) : { text: error.message, advice: STRANDED_ADVICE };
    this.#post({ type: 'stranded', update: this.furthest, ...words });
    this.tell('stranded', words.text);
  }

  fail({ code, message, advice }: LabError): void {
    if (this.#isEnded) return;
    this.#post({ type: 'error', code, message, advice });
    this.tell('failed', message);
    this.end();
  }

  end(): void {
    this.#isEnded = true;
  }

  tell(phase: Phase, detail = ''): void {
    if (this.#isEnded) return;
    this.#phase = phase;
    this.#post({ type: 'phase', phase, update: this.furthest, updates: this.experiment.updates, detail });
  }
}
