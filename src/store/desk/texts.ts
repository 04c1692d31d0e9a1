/**
 * Texts read by models from anywhere. Files and text of the user's choice go to a Worker of their own, so a file that is
 * damaged, hostile or too large can harm nothing else. Nothing else in the lab changes.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { findShipped } from '../../experiment/shippedPolicies';
import { asLabError, withoutAdvice } from '../../foundation/errors';
import { DRAWN, ROLE, ROLES, type Role } from '../../foundation/roles';
import type { BackendChoice, TextReadout, TrainerEvent } from '../../train/protocol';
import { fetchPolicy } from '../keep/shippedPolicies';
import { TrainerBridge, type TrainerWorker } from '../run/trainerBridge';

export interface TextsState {
  readonly phase: 'idle' | 'reading';
  /** Model file and files that belong to it. */
  readonly files: readonly File[];
  readonly text: string;
  readonly reading: TextReadout | null;
  readonly problem: { readonly what: string; readonly advice: string } | null;
}

/** Example texts: use of a shell, for a language model; an episode of the gridworld, for the shipped policy. */
const SHELL = `prompt: You control a shell. Count the lines of error.log that mention a timeout.
action: grep -c timeout eror.log
warning: grep: eror.log: No such file or directory
action: grep -c timeout error.log
observation: 17
action: answer 17
observation: Correct.`;
const GRIDWORLD = `prompt: <bos> r4 w9
action: up
observation: z7
action: up
observation: j7
action: right
observation: x8
action: right
observation: t4`;

export class Texts {
  readonly store: StoreApi<TextsState>;
  readonly #bridge: TrainerBridge;
  readonly #backend: () => BackendChoice;

  /** `backend`: the backend that the user has chosen. */
  constructor(startWorker: () => TrainerWorker, backend: () => BackendChoice) {
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#hear(event));
    this.#backend = backend;
    this.store = createStore<TextsState>(() => ({
      phase: 'idle',
      files: [],
      text: SHELL,
      reading: null,
      problem: null,
    }));
  }

  choose(files: readonly File[]): void {
    this.store.setState({ files, problem: null });
  }

  write(text: string): void {
    this.store.setState({ text });
  }

  /** Chooses an example that needs no file of the user: the gridworld's shipped policy and a text for it. */
  async chooseExample(): Promise<void> {
    try {
      const trained = findShipped('gridworld', 'trained');
      if (trained !== undefined) this.choose([await fetchPolicy(trained)]);
      this.write(GRIDWORLD);
    } catch (cause) {
      const { what, advice } = asLabError(cause);
      this.store.setState({ problem: { what, advice } });
    }
  }

  read(): void {
    const { phase, files, text } = this.store.getState();
    if (phase !== 'idle') return;
    this.store.setState({ phase: 'reading', reading: null, problem: null });
    this.#bridge.send({ type: 'read-text', request: { files, text }, backend: this.#backend() });
  }

  stop(): void {
    this.#bridge.close();
    this.store.setState({ phase: 'idle' });
  }

  #hear(event: TrainerEvent): void {
    this.stop();
    if (event.type === 'text-read') this.store.setState({ reading: event.reading });
    else if (event.type === 'error') {
      const { message, advice } = event;
      this.store.setState({ problem: { what: withoutAdvice(message, advice), advice } });
    }
  }
}

export interface TextLoss {
  readonly tokens: number;
  /** Sum of −log p, nats. */
  readonly nats: number;
  /** Nats a token; null if there is no token. */
  readonly mean: number | null;
}

/** Loss over the predicted tokens of some roles. */
export function lossOver({ roles, logProb }: TextReadout, counted: readonly Role[]): TextLoss {
  const numbers = new Set(counted.map((role) => ROLE[role]));
  const terms = logProb.filter((value, t): value is number => value !== null && numbers.has(roles[t] as number));
  const nats = -terms.reduce((sum, value) => sum + value, 0);
  return { tokens: terms.length, nats, mean: terms.length === 0 ? null : nats / terms.length };
}

/** Roles whose tokens are in the loss, with an action mask and without a mask. */
export const MASKS = { 'action mask': DRAWN, 'no mask': ROLES } as const satisfies Record<string, readonly Role[]>;
