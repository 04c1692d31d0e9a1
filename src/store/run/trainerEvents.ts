/** Events of the trainer, written into the state. */
import type { Change } from '../../experiment/experiment';
import { recordMachine } from '../../experiment/machines';
import { effectiveArms, recordChanges } from '../../experiment/timeline';
import { asLabError, withoutAdvice } from '../../foundation/errors';
import { MetricHistory } from '../../measured/history';
import { withReading } from '../../rl/measure/warmStartReadings';
import type { EpisodeView } from '../../train/looks/shown';
import type { TrainerEvent } from '../../train/protocol';
import type { Happening, LabStore } from '../lab';
import { dreamPoint } from './dreamPoints';
import { keepMeasured } from './measuredUpdates';
import { RedrawClock } from './redrawClock';
import { RunTimeline } from './runTimeline';

type Resumed = Extract<TrainerEvent, { type: 'resumed' }>;
/** Largest number of happenings kept. */
const HAPPENINGS = 50;

export class TrainerEvents {
  readonly #store: LabStore;
  readonly #endTrainer: () => void;
  readonly clock: RedrawClock;
  /** Changes of the run on screen. */
  readonly timeline: RunTimeline;
  /** True if the controls show the run's own settings, so that they follow it to the state that it goes on from. */
  #isAsLeft = true;

  /** `endTrainer` is called after a failure. */
  constructor(store: LabStore, endTrainer: () => void) {
    this.#store = store;
    this.#endTrainer = endTrainer;
    this.timeline = new RunTimeline(store);
    this.clock = new RedrawClock(store);
  }

  /** Tells whether nothing was edited since the run that goes on was left. */
  replaceOnResume(isAsLeft: boolean): void {
    this.#isAsLeft = isAsLeft;
  }

  receive(event: TrainerEvent): void {
    switch (event.type) {
      case 'backend': {
        const { type: _, remember: __, ...backend } = event;
        this.#store.setState({ backend, foundNothing: false });
        break;
      }
      case 'phase':
        this.#enter(event);
        break;
      case 'metrics':
        this.#measure(event);
        break;
      case 'warm-start':
        this.#store.setState(({ warmStart }) => ({ warmStart: withReading(warmStart, event.reading) }));
        break;
      case 'imitation':
        this.#imitate(event);
        break;
      case 'episodes':
        this.#show(event.episodes);
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
        this.#store.setState(({ probed }) => ({ probed: keepMeasured(probed, { update, members }) }));
        break;
      }
      case 'changed':
        this.#record(event.changes);
        break;
      case 'planned':
        this.timeline.replanned(event.from, event.timeline);
        break;
      case 'resumed':
        this.#resume(event);
        break;
      case 'diverged': {
        const { members, isAll, to, changes } = event;
        this.#store.setState(({ notice }) => ({
          divergence: { members, isAll, to, changes },
          notice: notice?.isOfGradient ? null : notice,
        }));
        break;
      }
      case 'went-back':
        this.#goBack(event);
        break;
      case 'kept':
        this.#store.setState({ keptUpdate: event.update, unkept: null });
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
        const { text, advice, update, world } = event;
        this.#store.setState({
          failure: { what: withoutAdvice(text, advice), advice, update, ...(world && { world }) },
        });
        break;
      }
      // Requests hear these.
      case 'exported':
      case 'not-exported':
      case 'believed':
      case 'not-believed':
      // The bridge hears these itself.
      case 'here':
      case 'left':
      case 'pulse':
      // Sent by the Workers of speed.ts, kernels.ts, policies.ts, models.ts, texts.ts and tuning.ts, never by the one that trains.
      case 'measuring':
      case 'measured':
      case 'kernels':
      case 'policy':
      case 'model':
      case 'weighed':
      case 'played':
      case 'text-read':
      case 'tuning':
        break;
      case 'no-backend':
      case 'error':
        if (this.#store.getState().running === null) this.#cannotTell(event);
        // A run that began meanwhile tells its machine itself.
        else if (event.type === 'error') this.#fail(event);
        break;
      default:
        event satisfies never;
    }
  }

  #imitate({ done, total, loss, episodes }: Extract<TrainerEvent, { type: 'imitation' }>): void {
    const { imitation } = this.#store.getState();
    const losses = done === 0 ? [] : keepMeasured(imitation?.losses ?? [], { update: done - 1, loss });
    this.#store.setState({ imitation: { done, total, losses } });
    if (episodes.length > 0) this.#show(episodes);
  }

  #show(episodes: readonly EpisodeView[]): void {
    this.#store.setState({ episodes: Object.fromEntries(episodes.map((one) => [one.arm, one])) });
  }

  /** Shows a run in the state from which it goes on, which may lie before its last curves. */
  #resume({ isKept, update, updates, timeline, machines, members, values, seconds }: Resumed): void {
    const { running, edited } = this.#store.getState();
    if (running === null || members !== running.arms.length * running.seeds) return;
    const experiment = { ...running, updates, timeline: [...timeline] };
    const arms = effectiveArms(experiment, update);
    this.timeline.plan(timeline.filter((change) => change.update > update));
    this.#store.setState({
      running: experiment,
      told: arms,
      edited: this.#isAsLeft ? { ...experiment, arms } : { ...edited, timeline: experiment.timeline },
      update,
      machines,
      keptUpdate: isKept ? update : null,
      history: MetricHistory.of(running.arms.length, running.seeds, values, seconds),
    });
    this.clock.tick();
  }

  /** Shows a run that went back: measurements from there on are gone, and will come again. */
  #goBack(event: Extract<TrainerEvent, { type: 'went-back' }>): void {
    const { update, changes, environment } = event;
    const { running, history, edited, happenings, diagnoses, probed, dreamPoints } = this.#store.getState();
    if (running === null || history === null) return;
    const mended = environment === undefined ? {} : { environment };
    const experiment = { ...running, ...mended, timeline: recordChanges(running.timeline, changes) };
    const arms = effectiveArms(experiment, update);
    this.timeline.plan(experiment.timeline.filter((change) => change.update > update));
    this.#store.setState({
      running: experiment,
      told: arms,
      edited: { ...edited, ...mended, arms },
      update,
      history: history.until(update),
      diagnoses: diagnoses.filter((one) => one.update < update),
      probed: probed.filter((one) => one.update <= update),
      dreamPoints: dreamPoints.filter((one) => one.update <= update),
      divergence: null,
      happenings: [...happenings, { update, text: wentBackWords(event) }].slice(-HAPPENINGS),
    });
    this.clock.tick();
  }

  #tell({ kind, update, text }: Extract<TrainerEvent, { type: 'notice' }>): void {
    const isOfGradient = kind === 'not-finite';
    const isTold = isOfGradient && this.#store.getState().divergence !== null;
    // The text stays until it is not so any more.
    if (kind === 'not-kept') this.#store.setState({ unkept: text });
    else if (!isTold) this.#store.setState({ notice: { kind: 'happened', text, advice: '', isOfGradient } });
    // The machine entries say this already.
    if (kind === 'switched' || kind === 'smaller-plan') return;
    const isSame = (one: Happening): boolean => one.update === update && one.text === text;
    this.#store.setState(({ happenings }) => ({
      happenings: [...happenings.filter((one) => !isSame(one)), { update, text }].slice(-HAPPENINGS),
    }));
  }

  #enter({ phase, update, detail }: Extract<TrainerEvent, { type: 'phase' }>): void {
    const state = this.#store.getState();
    if (phase === 'failed') this.#fail({ type: 'error', code: 'internal', message: detail, advice: '' });
    else {
      const failure = phase === 'stranded' ? state.failure : null;
      this.#store.setState({ phase, detail, failure, update: Math.max(state.update, update) });
    }
    this.clock.tick();
  }

  #measure({ update, count, members, values, seconds, throughput }: Extract<TrainerEvent, { type: 'metrics' }>): void {
    const state = this.#store.getState();
    if (state.history === null || !state.history.append(update, count, members, values, seconds)) return;
    this.#store.setState({ update: Math.max(state.update, state.history.count), throughput });
    this.timeline.replay();
    this.clock.tick();
  }

  #record(changes: readonly Change[]): void {
    try {
      this.timeline.record(changes);
    } catch (cause) {
      const { message, advice } = asLabError(cause);
      this.#refuse(message, advice);
    }
  }

  /** Ends the run after an error. A refused command is no failure once the run is prepared: training goes on without it. */
  #fail({ code, message, advice }: Extract<TrainerEvent, { type: 'error' }>): void {
    const { phase, update } = this.#store.getState();
    if (phase === 'failed') return;
    const refused = code === 'invalid-experiment' || code === 'limits';
    if (refused && phase !== 'preparing') {
      this.#refuse(message, advice);
      return;
    }
    this.#endTrainer();
    this.#store.setState({
      phase: 'failed',
      detail: '',
      failure: { what: withoutAdvice(message, advice), advice, update },
    });
    this.clock.tick();
  }

  /** Reports that a probe found no backend to run on. */
  #cannotTell({ message, advice }: Extract<TrainerEvent, { type: 'no-backend' | 'error' }>): void {
    const notice = { kind: 'refused', text: withoutAdvice(message, advice), advice } as const;
    this.#store.setState({ backend: null, foundNothing: true, notice });
  }

  /** Shows a refusal, and sets the controls back to the trainer's settings. */
  #refuse(message: string, advice: string): void {
    const { running, edited, update } = this.#store.getState();
    const notice = { kind: 'refused', text: withoutAdvice(message, advice), advice } as const;
    if (running === null) return;
    const present = effectiveArms(running, update);
    const arms = edited.arms.map((arm) => present.find(({ id }) => id === arm.id) ?? arm);
    this.#store.setState({ notice, told: present, edited: { ...edited, arms } });
  }
}

function wentBackWords({ update, changes, environment }: Extract<TrainerEvent, { type: 'went-back' }>): string {
  const rates = [...new Set(changes.map(({ value }) => value))].join(' and ');
  return environment === undefined
    ? `Went back to update ${update}, with learning rate ${rates}: updates from there on are made again.`
    : `From update ${update} on, this run goes on in its world as it was mended: a link carries that one alone.`;
}
