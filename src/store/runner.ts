/**
 * Starting, pausing and resetting runs, and turning the trainer's events into state. A run that failed keeps its curves
 * and its experiment; the next start gets a fresh Worker.
 */
import type { Arm, Change, Experiment } from '../experiment/experiment';
import { type MachineEntry, recordMachine } from '../experiment/machines';
import { namedPolicies, trainedMembers } from '../experiment/policyFiles';
import { effectiveArms, recordChanges } from '../experiment/timeline';
import { asLabError } from '../foundation/errors';
import type {
  BackendChoice,
  DreamRequest,
  InspectionChoice,
  PolicyRequest,
  ProbeWatch,
  TrainerEvent,
} from '../train/protocol';
import { dreamPoint } from './dreamPoints';
import { MetricHistory } from './history';
import { type LabState, type LabStore, missingPolicies } from './lab';
import { keepMeasured } from './measuredUpdates';
import { TrainerBridge, type TrainerWorker } from './trainerBridge';

type ExportReply = (event: Extract<TrainerEvent, { type: 'exported' | 'not-exported' }>) => void;

/** Milliseconds between two redraws of what is measured. */
const TICK = 250;
/** Happenings remembered at most. */
const HAPPENINGS = 50;
/** The same of probes: the newest. */
const PROBED = 500;

/** Phases in which there are policies, or will be soon. */
const DREAMING: readonly LabState['phase'][] = ['preparing', 'running', 'paused', 'finished'];

/** The lab's errors end in their advice; it is shown apart. */
export function withoutAdvice(message: string, advice: string): string {
  return message.endsWith(advice) ? message.slice(0, -advice.length).trim() : message;
}

export class Runner {
  readonly #store: LabStore;
  readonly #bridge: TrainerBridge;
  readonly #backendChoice: () => BackendChoice;
  readonly #seekPolicies: () => Promise<void>;
  #tickTimer: ReturnType<typeof setTimeout> | null = null;
  #lastTick = 0;
  /** Changes the experiment began with that have not acted yet. */
  #planned: readonly Change[] = [];
  #exportReply: ExportReply | null = null;

  /** `seekPolicies`: looks for the files that the experiment on screen names and that are not here. */
  constructor(
    store: LabStore,
    startWorker: () => TrainerWorker,
    backendChoice: () => BackendChoice,
    seekPolicies: () => Promise<void> = async () => {},
  ) {
    this.#store = store;
    this.#seekPolicies = seekPolicies;
    this.#bridge = new TrainerBridge(startWorker, (event) => this.#receive(event));
    this.#backendChoice = backendChoice;
  }

  /** Begins a run of this experiment; an earlier run ends. */
  start(experiment: Experiment, run: boolean): void {
    const { policyFiles } = this.#store.getState();
    // Without them nothing begins.
    if (missingPolicies({ policyFiles }, experiment).length > 0) {
      void this.#startWhenFound(experiment, run);
      return;
    }
    const files = namedPolicies(experiment).map((hash) => policyFiles[hash] as Blob);
    this.#begin(experiment);
    this.#bridge.send({ type: 'start', experiment, backend: this.#backendChoice(), run, files });
    const { watched, probing } = this.#store.getState();
    this.#bridge.send({ type: 'watch', ...watched });
    if (probing !== null) this.#bridge.send({ type: 'watch-probes', watch: probing });
  }

  pause(): void {
    this.#bridge.send({ type: 'pause' });
  }

  resume(): void {
    this.#bridge.send({ type: 'resume' });
  }

  step(): void {
    this.#bridge.send({ type: 'step' });
  }

  change(changes: readonly Omit<Change, 'update'>[]): void {
    this.#bridge.send({ type: 'change', changes });
  }

  extend(updates: number): void {
    this.#bridge.send({ type: 'updates', updates });
  }

  watch(seed: number, group: number): void {
    this.#store.setState({ watched: { seed, group } });
    if (this.#store.getState().running !== null) this.#bridge.send({ type: 'watch', seed, group });
  }

  /** Answered into `inspected`. */
  inspect(choice: InspectionChoice): void {
    if (this.#store.getState().running !== null) this.#bridge.send({ type: 'inspect', choice });
  }

  /** Linear probes from now on, answered into `probed`; null ends them. */
  watchProbes(watch: ProbeWatch | null): void {
    this.#store.setState({ probing: watch });
    if (this.#store.getState().running !== null) this.#bridge.send({ type: 'watch-probes', watch });
  }

  /** A policy of the run as a file; `reply` hears of it, unless the run ends first. */
  exportPolicy(request: PolicyRequest, reply: ExportReply): void {
    this.#exportReply = reply;
    this.#bridge.send({ type: 'export', ...request });
  }

  /** Asks the trainer, if there is one; the answer stands in the state when it comes. */
  dream(request: DreamRequest): void {
    const { phase } = this.#store.getState();
    if (DREAMING.includes(phase)) this.#bridge.send({ type: 'dream', request });
  }

  /** Asks what a run would use, so that the page can say it before one begins. */
  probe(): void {
    const { running, edited } = this.#store.getState();
    if (running !== null) return;
    const members = trainedMembers(edited);
    this.#bridge.send({ type: 'probe', backend: this.#backendChoice(), members });
  }

  /** After the device was lost for good: goes on from the last snapshot. */
  continueOn(backend: BackendChoice): void {
    this.#bridge.send({ type: 'continue', backend });
  }

  /** Shows an earlier run as it was left: its curves and settings, without its policies. */
  restore(experiment: Experiment, history: MetricHistory, machines: readonly MachineEntry[]): void {
    this.reset();
    const arms = effectiveArms(experiment, history.count);
    this.#planned = [];
    this.#store.setState({
      running: experiment,
      edited: { ...experiment, arms },
      problems: [],
      told: arms,
      phase: 'restored',
      update: history.count,
      history,
      machines,
      notice: {
        kind: 'restored',
        text: `The curves of ${history.count === 1 ? 'one update' : `${history.count} updates`} and the settings are as you left them. The policies were not kept, so running begins afresh.`,
        advice: '',
      },
    });
    this.#tick();
  }

  /** Ends the run; its curves are cleared and the controls keep what `edited` holds. */
  reset(): void {
    this.#bridge.close();
    this.#store.setState({
      running: null,
      told: [],
      phase: 'idle',
      detail: '',
      update: 0,
      throughput: null,
      history: null,
      episodes: {},
      inspected: null,
      dreams: null,
      diagnoses: [],
      probed: [],
      dreamPoints: [],
      failure: null,
      stranded: null,
      happenings: [],
      machines: [],
      runtimes: {},
    });
    this.probe();
  }

  /** Unless a file is not to be had, for which the page asks then, or something was edited meanwhile. */
  async #startWhenFound(experiment: Experiment, run: boolean): Promise<void> {
    const { edited, phase } = this.#store.getState();
    await this.#seekPolicies();
    const now = this.#store.getState();
    const isAsLeft = now.edited === edited && now.phase === phase;
    if (isAsLeft && missingPolicies(now, experiment).length === 0) this.start(experiment, run);
  }

  #begin(experiment: Experiment): void {
    const { watched, running } = this.#store.getState();
    // A Worker that only answered a probe is as good as new.
    if (running !== null) this.#bridge.close();
    const { seeds, batch } = experiment;
    const arms = effectiveArms(experiment, 0);
    this.#planned = experiment.timeline.filter((change) => change.update > 0);
    this.#store.setState({
      running: experiment,
      edited: { ...experiment, arms },
      told: arms,
      phase: 'preparing',
      detail: 'starting the trainer',
      update: 0,
      throughput: null,
      history: new MetricHistory(arms.length, seeds),
      episodes: {},
      inspected: null,
      dreams: null,
      diagnoses: [],
      probed: [],
      dreamPoints: [],
      failure: null,
      stranded: null,
      happenings: [],
      machines: [],
      runtimes: {},
      notice: null,
      watched: { seed: Math.min(watched.seed, seeds - 1), group: Math.min(watched.group, batch.groups - 1) },
    });
  }

  #receive(event: TrainerEvent): void {
    switch (event.type) {
      case 'backend': {
        const { kind, description, software, reason } = event;
        this.#store.setState({ backend: { kind, description, software, reason } });
        break;
      }
      case 'phase':
        this.#enter(event);
        break;
      case 'metrics':
        this.#measure(event);
        break;
      case 'episodes':
        this.#store.setState({ episodes: Object.fromEntries(event.episodes.map((one) => [one.arm, one])) });
        break;
      case 'inspected':
        this.#store.setState({ inspected: event });
        break;
      case 'dreams': {
        const { id, update, dreams } = event;
        const byArm = Object.fromEntries(dreams.map((one) => [one.arm, one]));
        this.#store.setState(({ dreamPoints }) => ({
          dreams: { id, update, byArm, failure: null },
          dreamPoints: keepMeasured(dreamPoints, dreamPoint(update, dreams)),
        }));
        break;
      }
      case 'not-dreamed': {
        const { id, update, text, advice } = event;
        this.#store.setState({ dreams: { id, update, byArm: {}, failure: { what: text, advice } } });
        break;
      }
      case 'diagnosis':
        this.#store.setState(({ diagnoses }) => ({ diagnoses: keepMeasured(diagnoses, event.diagnosis) }));
        break;
      case 'probed': {
        const { update, members } = event;
        this.#store.setState(({ probed }) => ({ probed: [...probed, { update, members }].slice(-PROBED) }));
        break;
      }
      case 'changed':
        this.#record(event.changes);
        break;
      case 'machine':
        this.#store.setState(({ machines }) => ({ machines: recordMachine(machines, event.entry) }));
        break;
      case 'runtimes':
        this.#store.setState({ runtimes: event.runtimes });
        break;
      case 'notice':
        this.#tell(event);
        break;
      case 'stranded': {
        const { text, advice, update } = event;
        this.#store.setState({ stranded: { what: withoutAdvice(text, advice), advice, update } });
        break;
      }
      case 'exported':
      case 'not-exported':
        this.#exportReply?.(event);
        this.#exportReply = null;
        break;
      case 'measuring':
      case 'measured':
      case 'kernels':
      case 'policy':
      case 'played':
      case 'text-read':
        // Said by the Workers that measure, check and read (speed.ts, kernels.ts, policies.ts), never by the one that trains.
        break;
      case 'error':
        if (this.#store.getState().running === null) this.#cannotTell(event);
        else this.#fail(event);
        break;
      default:
        event satisfies never;
    }
  }

  #tell({ kind, update, text }: Extract<TrainerEvent, { type: 'notice' }>): void {
    this.#store.setState({ notice: { kind: 'happened', text, advice: '' } });
    // What the entries of the machines say need not be said twice.
    if (kind === 'switched' || kind === 'smaller-plan') return;
    this.#store.setState(({ happenings }) => ({ happenings: [...happenings, { update, text }].slice(-HAPPENINGS) }));
  }

  #enter({ phase, update, detail }: Extract<TrainerEvent, { type: 'phase' }>): void {
    const state = this.#store.getState();
    if (phase === 'failed') this.#fail({ type: 'error', code: 'internal', message: detail, advice: '' });
    else {
      const stranded = phase === 'stranded' ? state.stranded : null;
      this.#store.setState({ phase, detail, stranded, update: Math.max(state.update, update) });
    }
    this.#tick();
  }

  #measure({ update, count, members, values, seconds, throughput }: Extract<TrainerEvent, { type: 'metrics' }>): void {
    const state = this.#store.getState();
    if (state.history === null || !state.history.append(update, count, members, values, seconds)) return;
    this.#store.setState({ update: Math.max(state.update, state.history.count), throughput });
    this.#replay();
    this.#tick();
  }

  /** The run's own timeline (it came with a link) moves the controls when its changes act. */
  #replay(): void {
    const { update, edited, told } = this.#store.getState();
    const due = this.#planned.filter((change) => change.update <= update);
    if (due.length === 0) return;
    this.#planned = this.#planned.filter((change) => change.update > update);
    const replayed = (arms: readonly Arm[]): Arm[] =>
      effectiveArms({ ...edited, arms: [...arms], timeline: due }, update);
    this.#store.setState({ edited: { ...edited, arms: replayed(edited.arms) }, told: replayed(told) });
  }

  #record(changes: readonly Change[]): void {
    const { running } = this.#store.getState();
    if (running === null) return;
    try {
      this.#store.setState({ running: { ...running, timeline: recordChanges(running.timeline, changes) } });
    } catch (cause) {
      const { message, advice } = asLabError(cause);
      this.#refuse(message, advice);
    }
  }

  /** While a run is ready, a refused command is no failure: training goes on without it. */
  #fail({ code, message, advice }: Extract<TrainerEvent, { type: 'error' }>): void {
    const { phase, update } = this.#store.getState();
    if (phase === 'failed') return;
    const refused = code === 'invalid-experiment' || code === 'limits';
    if (refused && phase !== 'preparing') {
      this.#refuse(message, advice);
      return;
    }
    this.#bridge.close();
    this.#store.setState({
      phase: 'failed',
      detail: '',
      failure: { what: withoutAdvice(message, advice), advice, update },
    });
    this.#tick();
  }

  /** A probe found nothing to run on. */
  #cannotTell({ message, advice }: Extract<TrainerEvent, { type: 'error' }>): void {
    const notice = { kind: 'refused', text: withoutAdvice(message, advice), advice } as const;
    this.#store.setState({ backend: null, notice });
  }

  /** The controls return to what the trainer does. */
  #refuse(message: string, advice: string): void {
    const { running, edited, update } = this.#store.getState();
    const notice = { kind: 'refused', text: withoutAdvice(message, advice), advice } as const;
    if (running === null) return;
    const present = effectiveArms(running, update);
    const arms = edited.arms.map((arm) => present.find(({ id }) => id === arm.id) ?? arm);
    this.#store.setState({ notice, told: present, edited: { ...edited, arms } });
  }

  #tick(): void {
    if (this.#tickTimer !== null) return;
    const wait = Math.max(0, this.#lastTick + TICK - Date.now());
    this.#tickTimer = setTimeout(() => {
      this.#tickTimer = null;
      this.#lastTick = Date.now();
      this.#store.setState(({ tick }) => ({ tick: tick + 1 }));
    }, wait);
  }
}
