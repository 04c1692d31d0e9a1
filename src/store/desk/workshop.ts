/**
 * The Worker that runs what strangers wrote: worlds are described, played, drawn and checked there. The Worker names each function
 * before it calls it. A clock of the page ends a Worker whose call lasts too long, starts another, and tells the asker the function.
 */
import type {
  SentTokenizer,
  WorkshopAnswer,
  WorkshopEvent,
  WorkshopQuestion,
  WorkshopRequest,
  WorldCall,
  WorldMistake,
} from '../../environments/own/workshop/asked';
import { tokenizerFor } from '../../environments/own/workshop/told';

/** Part of a Worker that is needed; tests give a scripted one. */
export interface WorkshopWorker {
  onmessage: ((event: MessageEvent<WorkshopEvent>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(request: WorkshopRequest): void;
  terminate(): void;
}

function startWorkshopWorker(): WorkshopWorker {
  return new Worker(new URL('../../environments/own/workshop/worker.ts', import.meta.url), { type: 'module' });
}

/** Reply to a question: answers, how far checks are, or that there is no Worker. */
export type WorkshopHeard = WorkshopAnswer | Extract<WorkshopEvent, { type: 'checking' | 'failed' }>;

interface Asked {
  readonly id: number;
  readonly question: WorkshopQuestion;
  /** Listener to the answers; null is said where another question took the place of this one. */
  readonly listen: (heard: WorkshopHeard | null) => void;
  /** Ticks of the clock during which the Worker was at it. */
  ticks: number;
}

/** Milliseconds between two looks at a Worker. They are counted, so that time in which the page itself slept is none. */
const TICK = 250;
/** Ticks of silence in one call: where nobody waits for its answer any more, and at most. The sandbox's own bound is 2 s. */
const [IMPATIENT, LONGEST] = [3, 40];
/** Ticks of one question; checks and guesses give others their turn, so they may take longer. */
const LONGEST_QUESTION = 80;

/** Questions whose newest takes the place of the one before at once: a person types. The others wait for its answer. */
const isTyped = ({ type }: WorkshopQuestion): boolean => type === 'check' || type === 'play';

export class Workshop {
  readonly #start: () => WorkshopWorker;
  #worker: WorkshopWorker | null = null;
  #id = 0;
  /** Questions that the Worker has, by their asker: one each. */
  readonly #asked = new Map<string, Asked>();
  /** Questions that wait for the answer to the one before, by their asker. */
  readonly #next = new Map<string, Asked>();
  /** Question that the Worker works on; null while it loads, or has nothing to do. */
  #active: { readonly id: number; readonly call: WorldCall | null } | null = null;
  #silent = 0;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(start: () => WorkshopWorker) {
    this.#start = start;
  }

  /** Asks a question for `who`. A newer question of the same asker replaces one that still waits. */
  ask(who: string, question: WorkshopQuestion, listen: Asked['listen']): void {
    const query: Asked = { id: ++this.#id, question, listen, ticks: 0 };
    this.#next.get(who)?.listen(null);
    this.#next.delete(who);
    if (!this.#asked.has(who) || isTyped(question)) this.#post(who, query);
    else this.#next.set(who, query);
  }

  /** Forgets these listeners: no message reaches them any more. */
  forget(...who: readonly string[]): void {
    for (const asker of who) {
      if (this.#asked.get(asker)?.question.type === 'check') this.#worker?.postMessage({ type: 'rest' });
      this.#asked.delete(asker);
      this.#next.delete(asker);
    }
  }

  #post(who: string, query: Asked): void {
    this.#asked.set(who, query);
    this.#worker ??= this.#open();
    this.#clock ??= setInterval(() => this.#look(), TICK);
    this.#worker.postMessage({ ...query.question, id: query.id, ...sentWith(query.question) });
  }

  #open(): WorkshopWorker {
    const worker = this.#start();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) => this.#fail(`The sandbox stopped: ${message || 'its code did not arrive'}.`);
    return worker;
  }

  #end(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
    this.#active = null;
    this.#silent = 0;
    const worker = this.#worker;
    this.#worker = null;
    if (worker === null) return;
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
  }

  /** Starts another Worker, and asks it all that this one did not answer. */
  #replace(): void {
    this.#end();
    for (const [who, query] of this.#asked) this.#post(who, query);
  }

  #hear(event: WorkshopEvent): void {
    this.#silent = 0;
    if (event.type === 'failed') {
      this.#fail(event.text);
      return;
    }
    const { id } = event;
    this.#active = event.type === 'calls' ? { id, call: event.call } : null;
    if (event.type === 'calls' || event.type === 'waits') return;
    const [who, query] = this.#askerOf(id);
    if (query === undefined) return;
    if (event.type === 'checking') query.listen(event);
    else this.#settle(who, query, event);
  }

  #askerOf(id: number | undefined): [who: string, asked: Asked | undefined] {
    return [...this.#asked].find(([, asked]) => asked.id === id) ?? ['', undefined];
  }

  #settle(who: string, query: Asked, answer: WorkshopAnswer): void {
    this.#asked.delete(who);
    const next = this.#next.get(who);
    this.#next.delete(who);
    if (next !== undefined) this.#post(who, next);
    query.listen(answer);
  }

  #fail(text: string): void {
    const queries = [...this.#asked.values(), ...this.#next.values()];
    this.#asked.clear();
    this.#next.clear();
    this.#end();
    for (const { listen } of queries) listen({ type: 'failed', text });
  }

  #look(): void {
    if (this.#active === null) {
      if (this.#asked.size === 0) {
        clearInterval(this.#clock);
        this.#clock = undefined;
      }
      return;
    }
    this.#silent += 1;
    const { id, call } = this.#active;
    const [who, query] = this.#askerOf(id);
    if (query === undefined) {
      if (this.#silent >= (this.#asked.size > 0 ? IMPATIENT : LONGEST)) this.#replace();
      return;
    }
    query.ticks += 1;
    const { type } = query.question;
    const isLong = type !== 'check' && type !== 'guess' && query.ticks >= LONGEST_QUESTION;
    if (this.#silent < LONGEST && !isLong) return;
    this.#asked.delete(who);
    this.#replace();
    this.#settle(who, query, { type: 'mistaken', id, mistake: heldUp(call) });
  }
}

/** Tokenizer that goes with a question, where it needs one. */
function sentWith(question: WorkshopQuestion): { readonly tokenizer?: SentTokenizer } {
  const tokenizer = tokenizerFor(question);
  return tokenizer === undefined ? {} : { tokenizer };
}

function heldUp(call: WorldCall | null): WorldMistake {
  const { said, line, column } = call ?? { said: 'The world', line: 0, column: 0 };
  const text = `${said} worked on and on, so the page ended it${line === 0 ? '' : ` (line ${line})`}.`;
  return { code: 'invalid-world', text, advice: 'Correct the world’s file.', line, column, isExhausting: true };
}

/** The one Workshop of this page; its Worker starts with the first question. */
export const workshop = new Workshop(startWorkshopWorker);
