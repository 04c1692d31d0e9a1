/** Puts the stores together, opens the experiment of the page's address or of this browser's memory, and saves edits. */

import { challengeIn, withChallenge } from '../experiment/link/challenge';
import { HIDEABLES, withHidden } from '../experiment/link/hidden';
import { encodeLink, presetLink } from '../experiment/link/link';
import { defaultPreset } from '../experiment/presets/presets';
import { apart, once } from '../foundation/apart';
import { asLabError, LabError } from '../foundation/errors';
import { Curves } from '../measured/curves';
import type { PolicyArchive } from '../storage/policies';
import type { RunArchive } from '../storage/runs';
import type { SnapshotArchive } from '../storage/snapshots';
import type { SavedTextKind, TextArchive } from '../storage/texts';
import type { BackendChoice } from '../train/protocol';
import { FormulaDesk } from './desk/formulaDesk';
import type { KernelDesk } from './desk/kernels';
import { Speed } from './desk/speed';
import { FORMULAS, TextShelf, WORLDS } from './desk/textShelf';
import type { Texts } from './desk/texts';
import type { TuningDesk } from './desk/tuning';
import type { WorldDesk } from './desk/worldDesk';
import { type Arrival, arrive, fromLink, saveExperiment } from './edit/arrival';
import { Editor } from './edit/editor';
import type { Grid } from './keep/grid';
import { KeptRuns } from './keep/keptRuns';
import { Leaving } from './keep/leaving';
import { Models } from './keep/models';
import type { Policies } from './keep/policies';
import { PolicyShelf } from './keep/policyShelf';
import { createPreferences, type PreferencesStore } from './keep/preferences';
import { createLabStore, type LabStore } from './lab';
import type { RecordedRun } from './look/contenders';
import { DreamLooks } from './look/dreams';
import { Inspector } from './look/inspector';
import { createPlayback, type PlaybackStore } from './look/playback';
import { Runner } from './run/runner';
import { RunPause } from './run/runPause';
import { ALONE, openTabs, type Tabs } from './run/tabs';
import { startTrainerWorker, type TrainerWorker } from './run/trainerBridge';

export interface Lab {
  readonly store: LabStore;
  readonly preferences: PreferencesStore;
  readonly playback: PlaybackStore;
  readonly dreams: DreamLooks;
  readonly runner: Runner;
  readonly editor: Editor;
  readonly speed: Speed;
  readonly inspector: Inspector;
  /** Desk at which users' losses are written. */
  readonly desk: FormulaDesk;
  /** Formulas kept in this browser. */
  readonly formulas: TextShelf;
  /** The desk at which users' worlds are written; loaded when first asked for. */
  readonly worldDesk: () => Promise<WorldDesk>;
  /** Worlds kept in this browser. */
  readonly worlds: TextShelf;
  /** Sweep over several populations; loaded when first asked for. */
  readonly grid: () => Promise<Grid>;
  /** State of the page of kernels; loaded when the page is first opened. */
  readonly kernels: () => Promise<KernelDesk>;
  /** Policies saved from the run and opened from files; loaded when first asked for. */
  readonly policies: () => Promise<Policies>;
  /** Texts read by models from files; loaded when first asked for. */
  readonly texts: () => Promise<Texts>;
  /** Desk at which language models are taught texts; loaded when first asked for. */
  readonly tuning: () => Promise<TuningDesk>;
  /** Source of the policy files that experiments name. */
  readonly shelf: PolicyShelf;
  /** Language models of the reader's own. */
  readonly models: Models;
  /** Curves of the present run; null before the first. */
  curves(): Curves | null;
  /** Runs kept in this browser. */
  readonly kept: KeptRuns;
  /** The present run, if there is one, and those it is compared with. */
  recordedRuns(): RecordedRun[];
  /** Asks before the run on screen ends, where something would be lost. */
  readonly leaving: Leaving;
  /** Opens another link in this page, within `opened`: at once, or when the person has agreed that the run ends; or never. */
  follow(fragment: string, opened?: (open: () => void) => void): void;
  /** Puts the contents of a file on screen. */
  take(arrival: Arrival): void;
  /** True if the experiment on screen is still the link's. */
  isFromLink(): boolean;
  /** Fragment of the experiment on screen, with its `#`; empty for that of a first visit. */
  address(): string;
}

const AGAIN = 'The settings are as they were sent; ask for the link again.';

/** Milliseconds from the last edit to saving. */
const SAVE_AFTER = 500;

// Loaded when first asked for, or ahead of that while the page is idle.
const code = {
  grid: apart(() => import('./keep/grid')),
  kernels: apart(() => import('./desk/kernels')),
  policies: apart(() => import('./keep/policies')),
  texts: apart(() => import('./desk/texts')),
  tuning: apart(() => import('./desk/tuning')),
  policyArchive: apart(() => import('../storage/policies')),
  worldDesk: apart(() => import('./desk/worldDesk')),
  textArchive: apart(() => import('../storage/texts')),
  runArchive: apart(() => import('../storage/runs')),
  snapshotArchive: apart(() => import('../storage/snapshots')),
};

async function openPolicies(): Promise<PolicyArchive> {
  return (await code.policyArchive()).openPolicyArchive();
}

async function refusePolicies(): Promise<never> {
  throw new LabError('storage', 'A lab in another page’s frame keeps no files.', 'Open it in a page of its own.');
}

async function openTexts(kind: SavedTextKind): Promise<TextArchive> {
  return (await code.textArchive()).openTextArchive(kind);
}

async function refuseTexts({ plural }: SavedTextKind): Promise<never> {
  throw new LabError('storage', `A lab in another page’s frame keeps no ${plural}.`, 'Open it in a page of its own.');
}

async function openArchive(): Promise<RunArchive> {
  return (await code.runArchive()).openRunArchive();
}

async function openSnapshots(): Promise<SnapshotArchive> {
  return (await code.snapshotArchive()).openSnapshotArchive();
}

/**
 * The lab of a page. `archive` is null for a guest, a page in another page's frame: it begins with its link, never with
 * what was left here, and keeps nothing.
 */
export function openLab(
  fragment: string,
  startWorker: () => TrainerWorker = startTrainerWorker,
  archive: (() => Promise<RunArchive>) | null = once(openArchive),
  policiesKept: (() => Promise<SnapshotArchive>) | null = archive === null ? null : once(openSnapshots),
  tabs: Tabs = archive === null ? ALONE : openTabs(),
): Lab {
  const store = createLabStore();
  const preferences = createPreferences();
  const backendChoice = (): BackendChoice => preferences.getState().backend;
  const shelf = new PolicyShelf(store, archive === null ? refusePolicies : openPolicies);
  const runner = new Runner(store, startWorker, backendChoice, () => shelf.seek(), archive !== null, tabs);
  const editor = new Editor(store, runner);
  const arrival = archive === null ? fromLink(fragment) : arrive(fragment);
  const { experiment, machines, hidden } = arrival;
  // A guest's link was chosen by the page around it, so only a broken link needs a notice.
  const notice = archive === null && arrival.notice?.kind === 'link' ? null : arrival.notice;
  editor.replace(experiment, notice, machines);
  // A guest hides everything that edits.
  store.setState({ hidden: archive === null ? HIDEABLES : hidden, challenge: arrival.challenge });
  void receiveResult(store, arrival);
  let linked = arrival.notice?.kind === 'link' ? JSON.stringify(experiment) : null;
  let kept: Curves | null = null;
  const pause = new RunPause(store, runner);
  const keptRuns = new KeptRuns(store, runner, archive, policiesKept, tabs);
  const leaving = new Leaving(store, archive === null ? null : keptRuns.store, runner);
  const arrivedFresh = notice === null || notice.kind === 'restored';
  void keptRuns.open(experiment, !arrivedFresh);
  if (archive !== null) remember(store, editor);
  const playback = createPlayback(store);
  runner.probe();
  const grid = once(async () => {
    const opened = new (await code.grid()).Grid({ store, editor, runner, kept: keptRuns, leaving });
    await opened.open();
    return opened;
  });
  const receiveSweep = async ({ experiment, sweep }: Arrival): Promise<void> => {
    if (sweep !== null) (await grid()).offer(experiment, sweep);
  };
  void receiveSweep(arrival);
  preferences.subscribe((now, before) => {
    if (now.backend !== before.backend) runner.probe();
  });
  const models = new Models(store, editor, startWorker, shelf);
  return {
    store,
    preferences,
    playback,
    dreams: new DreamLooks(playback, preferences, runner.requests),
    runner,
    editor,
    speed: new Speed(pause, startWorker, backendChoice),
    inspector: new Inspector(store, runner.requests),
    desk: new FormulaDesk(store, editor),
    formulas: new TextShelf(FORMULAS, archive === null ? refuseTexts : openTexts),
    worldDesk: once(async () => new (await code.worldDesk()).WorldDesk(store, editor, runner)),
    worlds: new TextShelf(WORLDS, archive === null ? refuseTexts : openTexts),
    grid,
    kernels: once(async () => new (await code.kernels()).KernelDesk(pause, startWorker, preferences)),
    policies: once(
      async () =>
        new (await code.policies()).Policies(store, runner.requests, editor, startWorker, backendChoice, shelf),
    ),
    texts: once(async () => new (await code.texts()).Texts(startWorker, backendChoice)),
    tuning: once(async () => new (await code.tuning()).TuningDesk(store, models, startWorker)),
    shelf,
    models,
    curves() {
      const { history, running } = store.getState();
      if (history === null || running === null) return null;
      if (kept?.history !== history) kept = new Curves(history, running);
      return kept;
    },
    kept: keptRuns,
    leaving,
    recordedRuns() {
      const { running, history } = store.getState();
      const besides = keptRuns.besides();
      if (running === null || history === null) return [...besides];
      return [{ id: 0, experiment: running, history, label: '' }, ...besides];
    },
    follow(next, opened = (open) => open()) {
      if (next.length <= 1) return;
      const arrival = fromLink(next, 'what was on screen stays');
      const { notice, experiment } = arrival;
      if (notice?.kind === 'broken-link') {
        store.setState({ notice });
        return;
      }
      const text = JSON.stringify(experiment);
      // Back may lead to the run on screen, which then goes on.
      const isOnScreen = store.getState().running !== null && JSON.stringify(editor.shared()) === text;
      const open = () => {
        // A card of the lab's own: its title says all that the notice would.
        const news = next === `#${presetLink(experiment.preset)}` ? null : notice;
        if (!isOnScreen) editor.open(experiment, news, arrival.machines);
        store.setState({ hidden: arrival.hidden, challenge: arrival.challenge });
        void receiveResult(store, arrival);
        void receiveSweep(arrival);
        linked = text;
      };
      if (isOnScreen) return opened(open);
      leaving.ask(`The link that you opened brings another: “${experiment.title}”.`, () => opened(open));
    },
    take(arrival) {
      editor.replace(arrival.experiment, arrival.notice, arrival.machines);
      void receiveResult(store, arrival);
    },
    address() {
      // A guest's parts are hidden by the page around it, not by its link.
      const hides = archive === null ? [] : store.getState().hidden;
      const plain = withHidden(encodeLink(editor.shared(), editor.sharedMachines()), hides);
      const fragment = withChallenge(plain, challengeIn(store.getState().challenge, editor.shared()));
      return fragment === encodeLink(defaultPreset.experiment) ? '' : `#${fragment}`;
    },
    isFromLink: () => linked !== null && JSON.stringify(editor.shared()) === linked,
  };
}

/** Draws a link's result behind the charts; it is judged when the same experiment has run here. */
async function receiveResult(store: LabStore, { experiment, result }: Arrival): Promise<void> {
  store.setState(({ sent, ghost }) => (sent === null ? { ghost } : { sent: null, ghost: null }));
  if (result === null) return;
  try {
    const [{ decodeResult }, { ghostOf }] = await Promise.all([
      import('../experiment/conclude/result'),
      import('../measured/sentResult'),
    ]);
    const isLink = typeof result === 'string';
    const received = isLink ? await decodeResult(result) : result;
    // Arms keep the experiment's names: a result cannot give an arm another name.
    const arms = received.arms.map((arm, i) => ({ ...arm, name: experiment.arms[i]?.name ?? arm.name }));
    const decoded = { ...received, arms };
    const isOfThese = decoded.arms.map(({ id }) => id).join() === experiment.arms.map(({ id }) => id).join();
    if (!isOfThese) throw new LabError('invalid-link', 'The result that came with this link is of other arms.', AGAIN);
    const ghost = ghostOf(decoded, 'as sent');
    store.setState({ sent: { from: isLink ? 'link' : 'file', result: decoded, experiment, ghost }, ghost });
  } catch (cause) {
    const { what, advice } = asLabError(cause);
    store.setState({ notice: { kind: 'broken-link', text: what, advice } });
  }
}

function remember(store: LabStore, editor: Editor): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.subscribe((now, before) => {
    if (now.edited === before.edited && now.running === before.running) return;
    clearTimeout(timer);
    timer = setTimeout(() => saveExperiment(editor.shared()), SAVE_AFTER);
  });
}
