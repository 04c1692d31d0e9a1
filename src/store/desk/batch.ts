/** A batch of another trainer that the page looks at: read in a Worker of its own, which ends where reading is given up. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { BatchEvent, BatchRequest, ChosenBatchToken, ChosenFiles, Laid, ShownRows } from '../../batch/page/asked';
import type { TokenPosition } from '../../batch/page/pieces';
import type { Move, ShownView } from '../../batch/page/rows';
import type { BatchSummary } from '../../batch/words/told';
import { withoutAdvice } from '../../foundation/errors';

export interface BatchState {
  readonly phase: 'idle' | 'reading' | 'comparing' | 'read' | 'failed';
  readonly name: string;
  /** Share of the file that was read. */
  readonly share: number;
  readonly told: BatchSummary | null;
  /** Layout of the batch; null until the page says how wide it is. */
  readonly laid: Laid | null;
  readonly shown: ShownRows | null;
  readonly chosen: ChosenBatchToken | null;
  /** True where the text that was looked for is nowhere. */
  readonly isMissing: boolean;
  readonly failure: { readonly what: string; readonly advice: string } | null;
}

const NOTHING: BatchState = {
  ...{ phase: 'idle', name: '', share: 0, told: null, laid: null, shown: null, chosen: null, isMissing: false },
  failure: null,
};

const NO_FILES: ChosenFiles = { files: [], tokenizer: null, template: null };

/** Files of a model are known by the names that they have everywhere. */
function sortFiles(files: readonly File[]): ChosenFiles {
  const isTemplate = ({ name }: File): boolean => name === 'tokenizer_config.json' || name.endsWith('.jinja');
  const tokenizer = files.find(({ name }) => name === 'tokenizer.json') ?? null;
  // A template of its own is newer than the configuration's.
  const template = files.find(({ name }) => name.endsWith('.jinja')) ?? files.find(isTemplate) ?? null;
  return { files: files.filter((file) => file !== tokenizer && !isTemplate(file)), tokenizer, template };
}

type Range = Extract<BatchRequest, { type: 'rows' }>;

export class BatchDesk {
  readonly store: StoreApi<BatchState> = createStore(() => NOTHING);
  #worker: Worker | null = null;
  #chosen: ChosenFiles = NO_FILES;
  #size = 1;
  #columns = 0;
  /** Place that an address asked for before the batch was there. */
  #place: TokenPosition | null = null;
  /** Rows that were asked for last, and those that the Worker still looks up. */
  #wanted: Range | null = null;
  #awaited: Range | null = null;

  /** Reads files that are one batch; with the model's own among them, or the batch again where these are alone. */
  read(opened: readonly File[]): void {
    if (opened.length === 0) return;
    const { files, tokenizer, template } = sortFiles(opened);
    const chosen = {
      files: files.length > 0 ? files : this.#chosen.files,
      tokenizer: tokenizer ?? this.#chosen.tokenizer,
      template: template ?? this.#chosen.template,
    };
    this.#end();
    this.#chosen = chosen;
    const name = [...chosen.files, chosen.tokenizer, chosen.template].flatMap((file) => file?.name ?? []).join(', ');
    if (chosen.files.length === 0) {
      this.#fail('This is no batch.', 'Choose the batch too, or first: the model’s files say what its tokens are.');
      return;
    }
    const worker = new Worker(new URL('../../batch/page/worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    this.#size = Math.max(
      1,
      chosen.files.reduce((sum, { size }) => sum + size, 0),
    );
    this.store.setState({ ...NOTHING, phase: 'reading', name });
    worker.onmessage = ({ data }: MessageEvent<BatchEvent>) => this.#hear(data);
    worker.onerror = () =>
      this.#fail('The batch could not be read in this tab.', 'Try a part of it, or lab batch FILE.');
    this.#ask({ type: 'read', ...chosen });
  }

  /** Ends the reading of a file, and forgets the batch. */
  close(): void {
    this.#end();
    this.#chosen = NO_FILES;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#wanted = this.#awaited = null;
    this.store.setState(NOTHING);
  }

  /** `formula`: text of an own formula, empty for none. */
  compare(names: readonly string[], formula: string): void {
    this.store.setState({ phase: 'comparing', failure: null });
    this.#ask({ type: 'what-if', names, formula });
  }

  /** Lays the rows out for so many letters, `top` staying at the top. */
  lay(columns: number, top: number, view: ShownView = this.store.getState().laid?.view ?? 'tokens'): void {
    this.#columns = columns;
    this.#ask({ type: 'lay', view, columns, top });
  }

  /** Trajectories under their groups, or with their tokens. */
  look(view: ShownView): void {
    this.#ask({ type: 'lay', view, columns: this.#columns, top: 0 });
    const { chosen } = this.store.getState();
    if (chosen !== null) this.choose(chosen);
  }

  /** Asks for rows; while some are looked up, only the last that are asked for count. */
  show(from: number, to: number): void {
    this.#wanted = { type: 'rows', from, to };
    if (this.#awaited !== null) return;
    this.#awaited = this.#wanted;
    this.#ask(this.#wanted);
  }

  /** Chooses a place, which is kept until a batch is there. */
  choose({ trajectory, token }: TokenPosition): void {
    const place = { trajectory, token };
    if (this.store.getState().told === null) this.#place = place;
    else this.#ask({ type: 'choose', place });
  }

  /** Chooses a token and shows the tokens around it. */
  open(place: TokenPosition): void {
    if (this.store.getState().laid?.view === 'groups') this.look('tokens');
    this.choose(place);
  }

  move(by: Move): void {
    this.#ask({ type: 'move', by });
  }

  find(text: string, isBackwards = false): void {
    this.#ask({ type: 'find', text, isBackwards });
  }

  #ask(request: BatchRequest): void {
    this.#worker?.postMessage(request);
  }

  #hear(event: BatchEvent): void {
    if (event.type === 'reading') this.store.setState({ share: event.bytes / this.#size });
    else if (event.type === 'failed') this.#fail(event.what, event.advice);
    else if (event.type === 'laid') this.#hearLaid(event.laid);
    else if (event.type === 'chosen') this.#hearChosen(event.chosen);
    else if (event.type === 'rows') this.#hearRows(event.shown);
    else {
      const isFirst = this.store.getState().told === null;
      this.store.setState({ phase: 'read', told: event.told });
      if (isFirst) this.choose(this.#place ?? { trajectory: 1, token: 0 });
      this.#place = null;
    }
  }

  #hearLaid(laid: Laid): void {
    const { laid: before, chosen } = this.store.getState();
    this.store.setState({ laid, shown: null });
    // The row of the chosen token was not known before.
    if (before === null && chosen !== null) this.choose(chosen);
  }

  #hearChosen(chosen: ChosenBatchToken | null): void {
    this.store.setState(chosen === null ? { isMissing: true } : { chosen, isMissing: false });
  }

  #hearRows(shown: ShownRows): void {
    const isLast = this.#awaited === this.#wanted;
    this.#awaited = null;
    if (shown.layout === this.store.getState().laid?.layout) this.store.setState({ shown });
    if (!isLast && this.#wanted !== null) this.show(this.#wanted.from, this.#wanted.to);
  }

  #fail(what: string, advice: string): void {
    const failure = { what: withoutAdvice(what, advice), advice };
    this.store.setState(({ told }) => ({ phase: told === null ? 'failed' : 'read', failure }));
  }
}
