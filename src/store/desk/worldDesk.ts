/**
 * The desk at which a user's world is written: its text, what the checks say of it, the episode that is played in it, and
 * its way into the experiment. The draft stays in this browser until another takes its place.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EnvironmentSettings } from '../../environments/environment';
import WALK from '../../environments/own/template/walk.js?raw';
import type { Episode, Player, WorkshopQuestion } from '../../environments/own/workshop/asked';
import { newlyExamined } from '../../experiment/examination';
import type { Experiment } from '../../experiment/experiment';
import { isWorldKey, textOf } from '../../experiment/ownWorld';
import type { Editor } from '../edit/editor';
import { isLive, type LabStore } from '../lab';
import type { Runner } from '../run/runner';
import { type ComplaintSource, type HeardBy, HeldComplaints } from './heldComplaints';
import { openedInWorld, shippedTitles } from './oneFileWorlds';
import { shelfName } from './textShelf';
import { type Workshop, workshop } from './workshop';
import { heard, type WorldDeskState } from './worldDeskState';
import { earlierAt, saveDraft, savedDraft, savedEarlier, saveEarlier, type WorldDraft } from './worldDrafts';
import { hostOf, quickHost } from './worldHost';

/** Names of texts to begin from beside those of the lab’s worlds. */
const [SMALLEST, OPEN] = ['@smallest', '@open'];
/** Milliseconds from the last character to the checks. */
const SETTLE = 250;
const BEGINNING: Episode = { task: 1, split: 'train', player: 'hand', actions: [] };

export class WorldDesk {
  readonly store: StoreApi<WorldDeskState>;
  readonly #lab: LabStore;
  readonly #editor: Editor;
  readonly #runner: Pick<Runner, 'mendWorld'>;
  readonly #workshop: Workshop;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #complaints = new HeldComplaints((heard) => this.#hear(heard));
  /** Turn that the next episode shows; null for its last. */
  #next: number | null = null;
  /** Text that this tab read or wrote last: where another is kept, another tab wrote it. */
  #known: string;

  constructor(lab: LabStore, editor: Editor, runner: Pick<Runner, 'mendWorld'>, tried: Workshop = workshop) {
    this.#lab = lab;
    this.#editor = editor;
    this.#runner = runner;
    this.#workshop = tried;
    const draft = savedDraft() ?? { name: null, text: WALK, settings: {} };
    this.#known = draft.text;
    const nothing = { report: null, checking: null, played: null, shown: 0, mistake: null, trained: null };
    const earlier = savedEarlier();
    this.store = createStore<WorldDeskState>(() => ({ ...draft, ...nothing, earlier, episode: BEGINNING }));
  }

  /** Begins to try the text; `close` ends it. */
  open(): void {
    // A person who has written nothing yet comes to see the world on screen, as after a link.
    const isWrittenHere = [this.store.getState(), savedDraft()].some(
      (draft) => draft !== null && draft.text !== WALK && draft.isOthers !== true,
    );
    this.#try();
    if (!isWrittenHere) void this.beginFromExperiment();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#complaints.forget('play', 'check');
    this.#workshop.forget('play', 'check');
  }

  write(text: string): void {
    this.store.setState({ text, isOthers: false });
    this.#complaints.typed();
    this.#later();
  }

  /** Takes another text, with a name of its own or the one its title gives it. */
  take(text: string, name: string | null = null, settings: EnvironmentSettings = {}, isOthers = false): void {
    const draft = draftIn(this.store.getState());
    if (draft.text !== text) this.#keepEarlier(draft);
    this.store.setState({ text, name, settings, isOthers, episode: BEGINNING, shown: 0 });
    this.#try();
  }

  rename(name: string): void {
    this.store.setState({ name: shelfName(name) });
    this.#save();
  }

  set(key: string, value: number | boolean | string): void {
    const { settings } = this.store.getState();
    this.store.setState({ settings: { ...settings, [key]: value } });
    this.#later();
  }

  /** Plays the person's action at the turn on screen: later turns of the episode are dropped. */
  act(action: readonly string[]): void {
    const { episode, played, shown } = this.store.getState();
    if (played === null) return;
    const actions = played.turns.slice(1, shown + 1).map((turn) => turn.action ?? []);
    this.#play({ ...episode, player: 'hand', actions: [...actions, action] });
  }

  /** Has the episode played at random or by the expert, and shows its end. */
  watch(player: Exclude<Player, 'hand'>): void {
    const { episode } = this.store.getState();
    this.#play({ ...episode, player, actions: [] });
  }

  /** Takes the last action back. */
  back(): void {
    const { episode, played, shown } = this.store.getState();
    if (played === null || shown === 0) return;
    const actions = played.turns.slice(1, shown).map((turn) => turn.action ?? []);
    this.#play({ ...episode, player: 'hand', actions });
  }

  again(): void {
    this.#play({ ...this.store.getState().episode, player: 'hand', actions: [] }, 0);
  }

  /** Chooses another task: by its number, or from the other side of the split. */
  chooseTask(to: Partial<Pick<Episode, 'task' | 'split'>>): void {
    this.#play({ ...this.store.getState().episode, ...to, player: 'hand', actions: [] }, 0);
  }

  nextTask(): void {
    this.chooseTask({ task: this.store.getState().episode.task + 1 });
  }

  show(turn: number): void {
    const { played } = this.store.getState();
    this.store.setState({ shown: Math.min(Math.max(0, turn), (played?.turns.length ?? 1) - 1) });
  }

  /** The episode up to the turn on screen, to be played on by hand. */
  takeOver(): void {
    const { episode, played, shown } = this.store.getState();
    const actions = played?.turns.slice(1, shown + 1).map((turn) => turn.action ?? []) ?? [];
    this.#play({ ...episode, player: 'hand', actions });
  }

  /** Texts to begin from, by name, with their titles; earlier drafts apart, for they change. */
  async templates(): Promise<(readonly [name: string, title: string])[]> {
    const text = textOf(this.#lab.getState().edited.environment.settings);
    return [
      [SMALLEST, 'A walk on a line: the smallest'],
      ...(text === undefined ? [] : [[OPEN, 'The experiment’s world'] as const]),
      ...(await shippedTitles()),
    ];
  }

  /** Begins from a text of the list, by its name. */
  async begin(name: string): Promise<void> {
    if (name === OPEN) return this.beginFromExperiment();
    const earlier = earlierAt(this.store.getState().earlier, name);
    if (earlier !== undefined) return this.take(earlier.text, earlier.name, earlier.settings, earlier.isOthers);
    const { shippedWorlds } = await import('../../environments/own/shipped');
    this.take(shippedWorlds.get(name) ?? WALK);
  }

  /** Begins from the experiment's world, unless that is the text already, or somebody writes while a named one arrives. */
  async beginFromExperiment(): Promise<void> {
    const { settings } = this.#lab.getState().edited.environment;
    const world = textOf(settings);
    if (world === undefined) return;
    if (!world.startsWith('@')) return this.#beginFrom(world, settings);
    const { text: before } = this.store.getState();
    const { textFor } = await import('../../environments/own/shipped');
    if (this.store.getState().text === before) this.#beginFrom(textFor(world), settings);
  }

  #beginFrom(text: string, settings: EnvironmentSettings): void {
    const values = Object.fromEntries(Object.entries(settings).filter(([key]) => !isWorldKey(key)));
    if (text !== this.store.getState().text) this.take(text, null, values, true);
  }

  /** True if an episode can be played in the text's world, so that it can be trained on. */
  isPlayable(): boolean {
    const { mistake, played } = this.store.getState();
    return mistake === null && played !== null && !this.#complaints.isHeld;
  }

  /** Puts the world into its host and runs it; a run under way goes on until the person chooses. */
  async train(): Promise<void> {
    const edited = () => this.#lab.getState().edited;
    const experiment = await this.#openIn(() => hostOf(edited(), this.store.getState().report?.isText));
    // In a world that is written further, an examination that was turned off stays off.
    this.#editor.edit(edited().environment.id === 'own' ? experiment : newlyExamined(experiment));
    const state = this.#lab.getState();
    if (state.problems.length === 0 && !isLive(state)) this.#editor.run();
  }

  /**
   * Trains this world with two arms and as few updates as make a curve, in place of the run on screen, once the
   * checks have counted its words.
   */
  async trainQuickly(): Promise<void> {
    const { report } = this.store.getState();
    if (report === null) return;
    this.#editor.edit(await this.#openIn(() => quickHost(report)));
    this.#editor.begin(true);
  }

  async #openIn(host: () => Experiment): Promise<Experiment> {
    const { text, settings } = this.store.getState();
    const experiment = await openedInWorld(host, text, settings);
    this.store.setState({ trained: text });
    return experiment;
  }

  /** Has a run that its world stopped go on in this text. */
  mend(): void {
    this.#runner.mendWorld(this.store.getState().text);
  }

  #play(episode: Episode, show: number | null = null): void {
    this.#complaints.forget('play');
    this.#next = show;
    this.store.setState({ episode });
    const { text, settings } = this.store.getState();
    this.#ask('play', { type: 'play', text, settings, episode });
  }

  #later(): void {
    clearTimeout(this.#timer);
    this.store.setState({ checking: 0 });
    this.#timer = setTimeout(() => this.#try(), SETTLE);
  }

  #try(): void {
    clearTimeout(this.#timer);
    const { text, settings, episode, shown } = this.store.getState();
    this.#complaints.forget('check');
    this.store.setState({ checking: 0 });
    this.#play(episode, shown);
    this.#ask('check', { type: 'check', text, settings });
    this.#save();
  }

  #save(): void {
    const draft = draftIn(this.store.getState());
    const { text } = draft;
    const there = savedDraft();
    if (there !== null && there.text !== this.#known && there.text !== text) this.#keepEarlier(there);
    this.#known = text;
    saveDraft(draft);
  }

  /** Keeps a draft whose place another text takes; the smallest world is to be had anyway. */
  #keepEarlier(draft: WorldDraft): void {
    if (draft.text === WALK) return;
    this.store.setState({ earlier: saveEarlier(draft) });
  }

  #ask(who: ComplaintSource, question: WorkshopQuestion): void {
    this.#workshop.ask(who, question, (answer) => answer !== null && this.#complaints.take({ who, answer }));
  }

  #hear({ who, answer }: HeardBy): void {
    this.store.setState((now) => heard(now, answer, this.#next));
    if (who === 'check' && answer.type === 'mistaken') this.store.setState({ checking: null });
  }
}

const draftIn = ({ name, text, settings, isOthers = false }: WorldDraft): WorldDraft => ({
  name,
  text,
  settings,
  isOthers,
});
