/**
 * Every edit of the experiment goes through here. Before a run it simply replaces the experiment; while one is live, what
 * can act at once is sent to the trainer (a moment later, so that a moving slider is one change and not fifty), and the
 * rest waits for the person to choose between a restart and the current run.
 */
import { defaultSettings } from '../environments/registry';
import { type Arm, type ArmSettingPath, type Experiment, withArmSetting } from '../experiment/experiment';
import type { MachineEntry } from '../experiment/machines';
import { checkExperiment } from '../experiment/parse';
import { findPreset } from '../experiment/presets';
import type { SettingValue } from '../experiment/setting';
import { effectiveArms } from '../experiment/timeline';
import { inOrderOf } from './armOrder';
import { differencesOf, liveChanges } from './differences';
import { isLive, type LabStore, type Notice, pendingDifferences } from './lab';
import { restartOf } from './restart';
import type { Runner } from './runner';

/** Milliseconds between the last movement of a control and its effect. */
const SETTLE = 150;

const ARRIVALS: ReadonlySet<Notice['kind']> = new Set(['link', 'file', 'restored']);

export class Editor {
  readonly #store: LabStore;
  readonly #runner: Runner;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Arms of the run that are to leave it with a restart, as edits of all arms have made them meanwhile. */
  readonly #leaving = new Map<string, Arm>();

  constructor(store: LabStore, runner: Runner) {
    this.#store = store;
    this.#runner = runner;
    store.subscribe((now, before) => {
      if (isLive(now) && !isLive(before) && now.running !== null && before.running !== null) this.#later();
    });
  }

  edit(experiment: Experiment): void {
    const { notice } = this.#store.getState();
    this.#store.setState({
      edited: experiment,
      problems: checkExperiment(experiment).problems,
      // Where the settings came from is no longer so.
      notice: notice !== null && ARRIVALS.has(notice.kind) ? null : notice,
    });
    this.#rename();
    if (this.#store.getState().running !== null) this.#later();
    // What a link told of a run was of another experiment now.
    else this.#store.setState({ linkedMachines: [] });
  }

  /** One setting in every arm that `concerns`, those included that train on until a restart removes them. */
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
   * Another environment, everything else as it is: with the settings that the run or the preset has for it, or else at its
   * defaults.
   */
  chooseWorld(id: string): void {
    const { edited, running } = this.#store.getState();
    if (edited.environment.id === id) return;
    const known = [running, findPreset(edited.preset)?.experiment].find((one) => one?.environment.id === id);
    this.edit({ ...edited, environment: known?.environment ?? { id, settings: defaultSettings(id) } });
  }

  /**
   * Another experiment altogether. One that came with a link or a file takes the page, as loading it afresh would: its own
   * timeline must be what runs. A preset chosen during a run waits for a restart.
   */
  replace(experiment: Experiment, notice: Notice | null, linkedMachines: readonly MachineEntry[] = []): void {
    if (notice !== null && this.#store.getState().running !== null) {
      this.#cancel();
      this.#runner.reset();
    }
    const { problems } = checkExperiment(experiment);
    this.#store.setState({ edited: experiment, problems, notice, linkedMachines });
  }

  /** Starts what is edited from the beginning. With a run behind it, its live changes become starting values; planned ones stay. */
  begin(run: boolean): void {
    const { experiment, problems } = checkExperiment(restartOf(this.#store.getState()));
    this.#store.setState({ problems });
    this.#leaving.clear();
    if (experiment !== null) this.#runner.start(experiment, run);
  }

  /** Begins, goes on, or does the same run again, its live changes replayed, if nothing was edited since. */
  run(): void {
    const { phase, running, edited } = this.#store.getState();
    if (phase === 'running' || phase === 'preparing') return;
    const unchanged = running !== null && pendingDifferences(this.#store.getState()).length === 0;
    if (phase === 'paused' || phase === 'ready') this.#runner.resume();
    else if (unchanged) this.#runner.start({ ...running, arms: inOrderOf(running.arms, edited.arms) }, true);
    else this.begin(true);
  }

  step(): void {
    const { phase } = this.#store.getState();
    if (phase === 'idle') this.begin(false);
    if (phase === 'idle' || phase === 'paused' || phase === 'ready') {
      if (this.#store.getState().running !== null) this.#runner.step();
    }
  }

  /** Back to before the first update: with the values as they are now and what was planned, or to replay the changes made meanwhile. */
  reset(keep: 'values' | 'timeline'): void {
    const state = this.#store.getState();
    this.#cancel();
    this.#leaving.clear();
    this.#runner.reset();
    const next = keep === 'timeline' && state.running !== null ? state.running : restartOf(state);
    this.#store.setState({ edited: next, problems: checkExperiment(next).problems });
  }

  /** Forgets edits that would need a restart. */
  keepCurrentRun(): void {
    const { edited, running, told } = this.#store.getState();
    this.#leaving.clear();
    if (running === null) return;
    // What was made live stays apart from what was planned, as long as that is still known.
    const isOfRun = edited.preset === running.preset;
    const timeline = running.timeline.filter((change) => !isOfRun || edited.timeline.includes(change));
    this.#store.setState({ edited: { ...running, arms: [...told], timeline }, problems: [] });
  }

  /** The experiment a link or a file should carry: the run with its timeline, or what is edited before one. */
  shared(): Experiment {
    const { running, edited } = this.#store.getState();
    return running ?? edited;
  }

  /** What goes along with it: what its run ran on, or what came with it. */
  sharedMachines(): readonly MachineEntry[] {
    const { running, machines, linkedMachines } = this.#store.getState();
    return running === null ? linkedMachines : machines;
  }

  /** Names and titles say the same thing in the run and in the editor at once. */
  #rename(): void {
    const { running, edited, problems, told } = this.#store.getState();
    if (running === null || problems.length > 0) return;
    const named = <A extends { id: string; name: string }>(arm: A): A => {
      const name = edited.arms.find(({ id }) => id === arm.id)?.name ?? arm.name;
      return name === arm.name ? arm : { ...arm, name };
    };
    this.#store.setState({
      running: { ...running, title: edited.title, arms: running.arms.map(named) },
      told: told.map(named),
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

  #flush(): void {
    const state = this.#store.getState();
    const { running, edited, told, problems, update } = state;
    if (running === null || problems.length > 0 || state.phase === 'failed' || state.phase === 'restored') return;
    if (edited.updates !== running.updates) {
      const updates = Math.max(edited.updates, update, 1);
      this.#store.setState({ running: { ...running, updates }, edited: { ...edited, updates } });
      this.#runner.extend(updates);
    }
    if (!isLive(state)) return;
    const leaving = [...this.#leaving.values()].filter(({ id }) => edited.arms.every((arm) => arm.id !== id));
    const to = { ...edited, arms: [...edited.arms, ...leaving] };
    const changes = liveChanges(differencesOf({ ...running, arms: [...told] }, to), running.arms);
    if (changes.length === 0) return;
    const timeline = changes.map((change) => ({ ...change, update: 0 }));
    this.#store.setState({ told: effectiveArms({ ...running, arms: [...told], timeline }, 0) });
    this.#runner.change(changes);
  }
}
