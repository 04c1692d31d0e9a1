/**
 * Editor, through which every edit of the experiment goes. Before a run it replaces the experiment. During a run it sends
 * live settings to the trainer, a moment later, so a moving slider is one change and not fifty. Other edits wait until
 * the user chooses between a restart and the current run.
 */
import { defaultSettings } from '../../environments/registry';
import { backIn, newlyExamined } from '../../experiment/examination';
import { type Arm, type ArmSettingPath, type Experiment, withArmSetting } from '../../experiment/experiment';
import type { MachineEntry } from '../../experiment/machines';
import { placeFor, textOf } from '../../experiment/ownWorld';
import { checkExperiment } from '../../experiment/parse';
import { findPreset } from '../../experiment/presets/presets';
import type { SettingValue } from '../../experiment/settings/setting';
import { effectiveArms } from '../../experiment/timeline';
import { isLive, type LabState, type LabStore, type Notice, pendingDifferences, untilState } from '../lab';
import type { Runner } from '../run/runner';
import { inOrderOf } from './armOrder';
import { differencesOf, liveChanges } from './differences';
import { restartOf } from './restart';

/** Milliseconds between the last movement of a control and its effect. */
const SETTLE = 150;

const ARRIVALS: ReadonlySet<Notice['kind']> = new Set(['link', 'file', 'restored']);

export class Editor {
  readonly #store: LabStore;
  readonly #runner: Runner;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Arms that a restart will remove, by id, with the edits of all arms made since. */
  readonly #leaving = new Map<string, Arm>();

  constructor(store: LabStore, runner: Runner) {
    this.#store = store;
    this.#runner = runner;
    store.subscribe((now, before) => {
      if (isLive(now) && !isLive(before) && now.running !== null && before.running !== null) this.#later();
    });
  }

  /** `copied`: id of the arm that the arms this edit adds are copies of. */
  edit(next: Experiment, copied?: string): void {
    const experiment = inPlace(next);
    const { notice } = this.#store.getState();
    this.#store.setState({
      copies: this.#copiesIn(experiment, copied),
      edited: experiment,
      problems: checkExperiment(experiment).problems,
      // The notice told where the settings came from, which no longer holds.
      notice: notice !== null && ARRIVALS.has(notice.kind) ? null : notice,
    });
    this.#rename();
    if (this.#store.getState().running !== null) this.#later();
    // The machines of a link belong to the experiment before the edit.
    else this.#store.setState({ linkedMachines: [] });
  }

  /** Sets a setting in every arm for which `concerns` is true, also in arms that train until a restart removes them. */
  editArms(path: ArmSettingPath, value: SettingValue, concerns: (arm: Arm) => boolean): void {
    const { edited, told, running } = this.#store.getState();
    const change = (arm: Arm): Arm => (concerns(arm) ? withArmSetting(arm, path, value) : arm);
    for (const arm of running === null ? [] : told) {
      if (edited.arms.some(({ id }) => id === arm.id)) continue;
      this.#leaving.set(arm.id, change(this.#leaving.get(arm.id) ?? arm));
    }
    this.edit({ ...edited, arms: edited.arms.map(change) });
  }

  /**
   * Chooses another environment and keeps everything else. Its settings are those of the run or of the preset if they
   * have this environment, else the defaults.
   */
  chooseWorld(id: string): void {
    const { edited, running } = this.#store.getState();
    if (edited.environment.id === id) return;
    const known = [running, findPreset(edited.preset)?.experiment].find((one) => one?.environment.id === id);
    const environment = { id, settings: defaultSettings(id) };
    this.edit(known == null ? newlyExamined({ ...edited, environment }) : backIn(edited, known));
  }

  /** Ends the run on screen, of which only the kept part stays, and puts another experiment in its place. */
  open(experiment: Experiment, notice: Notice | null = null, linkedMachines: readonly MachineEntry[] = []): void {
    if (this.#store.getState().running !== null) {
      this.#cancel();
      this.#leaving.clear();
      this.#runner.reset();
    }
    this.replace(experiment, null, linkedMachines);
    this.#store.setState({ notice });
  }

  /**
   * Replaces the whole experiment. One from a link or a file also ends the run, as loading the page would, because its
   * own timeline must act.
   */
  replace(experiment: Experiment, notice: Notice | null, linkedMachines: readonly MachineEntry[] = []): void {
    if (notice !== null) {
      this.open(experiment, notice, linkedMachines);
      return;
    }
    const { problems } = checkExperiment(experiment);
    this.#store.setState({ edited: inPlace(experiment), copies: {}, marks: null, problems, notice, linkedMachines });
  }

  /** Looks again at the experiment on screen, if it is in the world of this text: more is known of that world now. */
  lookAgain(world: string): void {
    const { edited, running } = this.#store.getState();
    const isIn = (one: Experiment | null): one is Experiment => textOf(one?.environment.settings ?? {}) === world;
    const anew = (one: Experiment): Experiment => ({ ...one, environment: { ...one.environment } });
    if (isIn(edited)) this.#store.setState({ edited: anew(edited), problems: checkExperiment(edited).problems });
    if (isIn(running)) this.#store.setState({ running: anew(running) });
  }

  /** Starts the edited experiment. After a run, its live changes become starting values; planned changes stay. */
  begin(trains: boolean): void {
    const { experiment, problems } = checkExperiment(restartOf(this.#store.getState()));
    this.#store.setState({ problems });
    this.#leaving.clear();
    if (experiment !== null) this.#runner.start(experiment, trains);
  }

  /** Begins or resumes a run. A run that is over and was not edited since is repeated, with its live changes. */
  run(): void {
    const { phase, running, edited } = this.#store.getState();
    if (phase === 'running' || phase === 'preparing') return;
    const unchanged = running !== null && pendingDifferences(this.#store.getState()).length === 0;
    if (isResting(phase)) this.#runner.resume();
    else if (unchanged) this.#runner.start({ ...running, arms: inOrderOf(running.arms, edited.arms) }, true);
    else this.begin(true);
  }

  step(): void {
    const { phase } = this.#store.getState();
    if (phase === 'idle') this.begin(false);
    if (phase === 'idle' || isResting(phase)) {
      if (this.#store.getState().running !== null) this.#runner.step();
    }
  }

  /** Ends the run. Keeps the present values and the planned changes, or the run's timeline, to replay every change. */
  reset(keep: 'values' | 'timeline'): void {
    const state = this.#store.getState();
    this.#cancel();
    this.#leaving.clear();
    this.#runner.reset();
    const next = keep === 'timeline' && state.running !== null ? state.running : restartOf(state);
    this.#store.setState({ edited: next, problems: checkExperiment(next).problems });
  }

  /** Discards edits that would need a restart. */
  keepCurrentRun(): void {
    const { edited, running, told } = this.#store.getState();
    this.#leaving.clear();
    if (running === null) return;
    // Only planned changes go into the editor, if they are still known; live ones stay with the run.
    const isOfRun = edited.preset === running.preset;
    const timeline = running.timeline.filter((change) => !isOfRun || edited.timeline.includes(change));
    this.#store.setState({ edited: { ...running, arms: [...told], timeline }, copies: {}, marks: null, problems: [] });
  }

  /** Sends live edits that still wait, and resolves when the trainer has taken them. */
  async settle(): Promise<void> {
    if (this.#timer === null) return;
    this.#cancel();
    const { running } = this.#store.getState();
    if (!this.#flush()) return;
    await untilState(this.#store, (now) => now.running !== running || !isLive(now) || now.notice?.kind === 'refused');
  }

  /** Trains a finished run on, to so many updates in all. */
  async trainOn(updates: number): Promise<void> {
    this.edit({ ...this.#store.getState().edited, updates });
    await this.settle();
    const isAnswered = ({ phase, notice, problems }: LabState): boolean =>
      phase !== 'finished' || notice?.kind === 'refused' || problems.length > 0;
    await untilState(this.#store, isAnswered);
    if (this.#store.getState().phase === 'paused') this.#runner.resume();
  }

  /** Experiment for a link or a file: the run with its timeline, or the edited one before a run. */
  shared(): Experiment {
    const { running, edited } = this.#store.getState();
    return running ?? edited;
  }

  /** Machines for the same link or file: those of the run, or those of the link that was opened. */
  sharedMachines(): readonly MachineEntry[] {
    const { running, machines, linkedMachines } = this.#store.getState();
    return running === null ? linkedMachines : machines;
  }

  /** Originals of the copies among an experiment's arms, each an arm of the run. */
  #copiesIn({ arms }: Experiment, copied: string | undefined): LabState['copies'] {
    const { edited, copies } = this.#store.getState();
    const originals = arms.flatMap(({ id }): [string, string][] => {
      const isNew = edited.arms.every((arm) => arm.id !== id);
      const original = isNew ? copied && (copies[copied] ?? copied) : copies[id];
      return original === undefined ? [] : [[id, original]];
    });
    return Object.fromEntries(originals);
  }

  /** Copies names and the title from the editor into the run at once. */
  #rename(): void {
    const { running, edited, problems, told } = this.#store.getState();
    if (running === null || problems.length > 0) return;
    const withName = <A extends { id: string; name: string }>(arm: A): A => {
      const name = edited.arms.find(({ id }) => id === arm.id)?.name ?? arm.name;
      return name === arm.name ? arm : { ...arm, name };
    };
    this.#store.setState({
      running: { ...running, title: edited.title, arms: running.arms.map(withName) },
      told: told.map(withName),
    });
  }

  #later(): void {
    this.#cancel();
    this.#timer = setTimeout(() => this.#flush(), SETTLE);
  }

  #cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Sends live edits; true if there were any. */
  #flush(): boolean {
    const state = this.#store.getState();
    const { running, edited, told, problems, update } = state;
    if (running === null || problems.length > 0 || state.phase === 'failed' || state.phase === 'restored') return false;
    if (edited.updates !== running.updates) {
      const updates = Math.max(edited.updates, update, 1);
      this.#store.setState({ running: { ...running, updates }, edited: { ...edited, updates } });
      this.#runner.extend(updates);
    }
    if (!isLive(state)) return false;
    const leaving = [...this.#leaving.values()].filter(({ id }) => edited.arms.every((arm) => arm.id !== id));
    const to = { ...edited, arms: [...edited.arms, ...leaving] };
    const changes = liveChanges(differencesOf({ ...running, arms: [...told] }, to), running.arms);
    if (changes.length === 0) return false;
    const timeline = changes.map((change) => ({ ...change, update: 0 }));
    this.#store.setState({ told: effectiveArms({ ...running, arms: [...told], timeline }, 0) });
    this.#runner.change(changes);
    return true;
  }
}

/** The experiment with its world told of the model that its policies begin from; the same object where nothing changes. */
function inPlace(experiment: Experiment): Experiment {
  const environment = placeFor(experiment.environment, experiment.policy.model);
  return environment === experiment.environment ? experiment : { ...experiment, environment };
}

/** True if the run waits, and goes on when it is told to. */
function isResting(phase: LabState['phase']): boolean {
  return phase === 'paused' || phase === 'diverged' || phase === 'ready';
}
