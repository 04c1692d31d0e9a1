/** A batch of another trainer that the page looks at: read in a Worker of its own, which ends where reading is given up. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BatchEvent, BatchRequest, ShownTokens } from '../../batch/page/asked';
import type { Told } from '../../batch/words/told';

export interface BatchState {
  readonly phase: 'idle' | 'reading' | 'comparing' | 'read' | 'failed';
  readonly name: string;
  /** Share of the file that was read. */
  readonly share: number;
  readonly told: Told | null;
  readonly shown: ShownTokens | null;
  readonly failure: { readonly what: string; readonly advice: string } | null;
}

const NOTHING: BatchState = { phase: 'idle', name: '', share: 0, told: null, shown: null, failure: null };

/** Tokens that are on the page at once. */
export const TOKENS_SHOWN = 240;

export class BatchDesk {
  readonly store: StoreApi<BatchState> = createStore(() => NOTHING);
  #worker: Worker | null = null;
  #size = 1;

  read(file: File): void {
    this.close();
    const worker = new Worker(new URL('../../batch/page/worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    this.#size = Math.max(1, file.size);
    this.store.setState({ ...NOTHING, phase: 'reading', name: file.name });
    worker.onmessage = ({ data }: MessageEvent<BatchEvent>) => this.#hear(data);
    worker.onerror = () =>
      this.#fail('The batch could not be read in this tab.', 'Try a part of it, or lab batch FILE.');
    this.#ask({ type: 'read', file, name: file.name });
  }

  /** Gives up what is read, and forgets what was. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.store.setState(NOTHING);
  }

  compare(names: readonly string[]): void {
    this.store.setState({ phase: 'comparing', failure: null });
    this.#ask({ type: 'what-if', names });
  }

  /** Shows the tokens around one, from 0, of a trajectory, from 1. */
  show(trajectory: number, token: number): void {
    this.#ask({ type: 'tokens', trajectory, token, count: TOKENS_SHOWN });
  }

  #ask(request: BatchRequest): void {
    this.#worker?.postMessage(request);
  }

  #hear(event: BatchEvent): void {
    if (event.type === 'reading') this.store.setState({ share: event.bytes / this.#size });
    else if (event.type === 'failed') this.#fail(event.what, event.advice);
    else if (event.type === 'tokens') this.store.setState({ shown: event.shown });
    else {
      const isFirst = this.store.getState().told === null;
      this.store.setState({ phase: 'read', told: event.told });
      if (isFirst && event.told.tokens > 0) this.show(1, 0);
    }
  }

  #fail(what: string, advice: string): void {
    this.store.setState(({ told }) => ({ phase: told === null ? 'failed' : 'read', failure: { what, advice } }));
  }
}
