/** Requests for what the page shows of a run: looks, probes, dreams, files of policies, changed beliefs. */
import type { BeliefRequest, DreamRequest, InspectionChoice, ProbeWatch } from '../../train/looks/shown';
import type { PolicyRequest, TrainerEvent, WorkerCommand } from '../../train/protocol';
import type { LabState, LabStore } from '../lab';

type BeliefReply = (event: Extract<TrainerEvent, { type: 'believed' | 'not-believed' }>) => void;
type ExportReply = (event: Extract<TrainerEvent, { type: 'exported' | 'not-exported' }>) => void;

/** Phases in which there are policies to dream, or will be soon. */
const DREAMING: readonly LabState['phase'][] = ['preparing', 'running', 'paused', 'diverged', 'finished'];

export class Requests {
  readonly #store: LabStore;
  readonly #send: (command: WorkerCommand) => void;
  #exportReply: ExportReply | null = null;
  #beliefReply: BeliefReply | null = null;

  constructor(store: LabStore, send: (command: WorkerCommand) => void) {
    this.#store = store;
    this.#send = send;
  }

  /** Asks a new trainer for what the page looks at. */
  repeat(): void {
    const { watched, probing } = this.#store.getState();
    this.#send({ type: 'watch', ...watched });
    if (probing !== null) this.#send({ type: 'watch-probes', watch: probing });
  }

  watch(seed: number, group: number): void {
    this.#store.setState({ watched: { seed, group } });
    this.#ofRun({ type: 'watch', seed, group });
  }

  /** Asks for a trajectory; the answer goes into `inspected`. */
  inspect(choice: InspectionChoice): void {
    this.#ofRun({ type: 'inspect', choice });
  }

  /** Asks for linear probes from now on; answers go into `probed`. null ends them. */
  watchProbes(watch: ProbeWatch | null): void {
    this.#store.setState({ probing: watch });
    this.#ofRun({ type: 'watch-probes', watch });
  }

  /** Asks for dreams, if the trainer has policies; the answer goes into `dreams`. */
  dream(request: DreamRequest): void {
    if (DREAMING.includes(this.#store.getState().phase)) this.#send({ type: 'dream', request });
  }

  /** Asks for a policy of the run as a file; `reply` gets it, unless the run ends first. */
  exportPolicy(request: PolicyRequest, reply: ExportReply): void {
    this.#exportReply = reply;
    this.#send({ type: 'export', ...request, kept: this.#keptRun() });
  }

  /** Changes a belief of a policy of the run; `reply` gets this answer and later ones, unless the run ends first. */
  believe(request: BeliefRequest, reply: BeliefReply): void {
    this.#beliefReply = reply;
    this.#send({ type: 'believe', request, kept: this.#keptRun() });
  }

  /** Hands an answer to whom it is for. */
  receive(event: TrainerEvent): void {
    if (event.type === 'believed' || event.type === 'not-believed') this.#beliefReply?.(event);
    if (event.type !== 'exported' && event.type !== 'not-exported') return;
    this.#exportReply?.(event);
    this.#exportReply = null;
  }

  /** Answers an export that the trainer was asked for and will not give any more. */
  forsake(why: string): void {
    this.receive({ type: 'not-exported', message: why, advice: 'Try again when training goes on.' });
  }

  #ofRun(command: WorkerCommand): void {
    if (this.#store.getState().running !== null) this.#send(command);
  }

  /** Run whose kept policies can answer once it rests; null for none. */
  #keptRun(): string | null {
    const { keptUpdate, run } = this.#store.getState();
    return keptUpdate === null ? null : run;
  }
}
