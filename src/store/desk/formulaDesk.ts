/**
 * The desk at which a user's loss is written: the draft of one loss of one arm, what is wrong with it, and its way
 * into the experiment. Applied, it is an edit like any other: live while a run goes on, and so a mark on its timeline.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { policyText, predictionText } from '../../experiment/arm/formulaTexts';
import {
  formulaOf,
  lossPath,
  NOWHERE,
  OWN_LOSS_LIMITS,
  type OwnLoss,
  standingFor,
  withLossPart,
} from '../../experiment/arm/ownLosses';
import { presentValue } from '../../experiment/arm/ownLossSettings';
import { learnsFromReward } from '../../experiment/arm/relevance';
import { type Arm, type Experiment, withArmPart } from '../../experiment/experiment';
import { checkExperiment } from '../../experiment/parse';
import { DRAWN, type Role } from '../../foundation/roles';
import { weightOn } from '../../hyperparameters/weights';
import type { Editor } from '../edit/editor';
import type { LabStore } from '../lab';

export interface FormulaDraft {
  /** Id of the arm that the draft is for. */
  readonly arm: string;
  /** Name of the arm's loss that it replaces when it is applied; null while the arm does not have it. */
  readonly was: string | null;
  readonly loss: OwnLoss;
}

export interface DeskState {
  /** Draft on the desk; null while it is closed. */
  readonly draft: FormulaDraft | null;
  /** Losses of arms before each Apply, the last one at the end. */
  readonly before: readonly { readonly arm: string; readonly losses: Arm['losses'] }[];
}

/** Applies that can be taken back. */
const UNDOS = 50;

export class FormulaDesk {
  readonly store: StoreApi<DeskState> = createStore<DeskState>(() => ({ draft: null, before: [] }));
  readonly #lab: LabStore;
  readonly #editor: Editor;
  /** Drafts left by Escape, which is pressed by mistake too: the last of each loss. */
  #left: readonly FormulaDraft[] = [];

  constructor(lab: LabStore, editor: Editor) {
    this.#lab = lab;
    this.#editor = editor;
  }

  /**
   * Opens a loss of an arm, or a new one, which begins with the arm's present loss: on the tokens of a role, if one is
   * given.
   */
  open(armId: string, name: string | null = null, role: Role | null = null): void {
    const arm = this.#lab.getState().edited.arms.find(({ id }) => id === armId);
    if (arm === undefined) return;
    const known = arm.losses.find((loss) => loss.name === name);
    const left = this.#left.find((one) => isSameLoss(one, { arm: armId, was: known?.name ?? null }));
    this.#left = this.#left.filter((one) => one !== left);
    this.store.setState({
      draft: left ?? { arm: armId, was: known?.name ?? null, loss: known ?? beginning(arm, role) },
    });
  }

  /** Begins with another text, one that an arm has in a place; the draft goes there unless another loss has it. */
  startFrom(place: 'policy' | 'predict', text: string): void {
    const { draft } = this.store.getState();
    const arm = this.#lab.getState().edited.arms.find(({ id }) => id === draft?.arm);
    if (draft === null || arm === undefined) return;
    const standing = standingFor(arm, place);
    const isFree = standing === undefined || standing.name === draft.was;
    const to = draft.loss.place !== 'added' && isFree ? place : 'added';
    this.change({ text, place: to });
  }

  /** Takes the draft to another arm, as a loss that is new there. */
  moveTo(armId: string): void {
    const { draft } = this.store.getState();
    const arm = this.#lab.getState().edited.arms.find(({ id }) => id === armId);
    if (draft === null || arm === undefined || armId === draft.arm) return;
    const { loss } = draft;
    const isTaken = loss.place !== 'added' && standingFor(arm, loss.place) !== undefined;
    const name = arm.losses.some((one) => one.name === loss.name) ? freeName(arm) : loss.name;
    this.store.setState({ draft: { arm: armId, was: null, loss: { ...loss, name } } });
    if (isTaken) this.change({ place: 'added' });
  }

  /** Hands the draft, unchanged, to a copy of the arm it was for. */
  handTo(armId: string): void {
    const { draft } = this.store.getState();
    if (draft !== null) this.store.setState({ draft: { ...draft, arm: armId } });
  }

  close(): void {
    this.store.setState({ draft: null });
  }

  /** Closes the desk and keeps the draft: the next opening of the same loss finds it. */
  leave(): void {
    const { draft } = this.store.getState();
    if (draft !== null) this.#left = [draft, ...this.#left.filter((one) => !isSameLoss(one, draft))].slice(0, UNDOS);
    this.close();
  }

  /** Changes name, place or text. Values go on where the new text has a parameter for them. */
  change(to: Partial<Pick<OwnLoss, 'name' | 'place' | 'text'>>): void {
    const { draft } = this.store.getState();
    if (draft === null) return;
    const { text = draft.loss.text, ...rest } = to;
    const retold = { ...draft.loss, name: WRITTEN };
    const [changed = retold] = withLossPart([retold], { name: WRITTEN, part: { kind: 'text' } }, text);
    // An empty text would take the loss away; here it is one that is still to be written.
    const loss = { ...changed, text, name: draft.loss.name, ...rest };
    this.store.setState({ draft: { ...draft, loss: loss.place === 'added' ? withWeight(loss) : loss } });
  }

  /** One of the loss's numbers, by its path. It acts at once where the arm has this number already. */
  setNumber(path: string, value: number): void {
    const { draft } = this.store.getState();
    const part = lossPath(path);
    if (draft === null || part === null) return;
    const [loss = draft.loss] = withLossPart([draft.loss], part, value);
    this.store.setState({ draft: { ...draft, loss } });
    const { edited } = this.#lab.getState();
    const next = replacing(edited, draft.arm, (arm) => {
      const had = arm.losses.find(({ name }) => name === draft.was && name === loss.name);
      if (had === undefined || presentValue(arm, path) === undefined) return arm;
      return part.part.kind === 'on' && had.place !== 'added' ? arm : withArmPart(arm, path, value);
    });
    // A value that the applied text does not allow waits for Apply.
    if (checkExperiment(next).problems.length === 0) this.#editor.edit(next);
  }

  /** Puts the draft into its arm; does nothing while the experiment has something against it. */
  apply(): void {
    const { draft, before } = this.store.getState();
    const { edited } = this.#lab.getState();
    const arm = edited.arms.find(({ id }) => id === draft?.arm);
    if (draft === null || arm === undefined || problemsOf(edited, draft).length > 0) return;
    this.#editor.edit(withDraft(edited, draft));
    this.store.setState({
      draft: { ...draft, was: draft.loss.name },
      before: [...before, { arm: arm.id, losses: arm.losses }].slice(-UNDOS),
    });
  }

  /** Takes the last Apply back; the draft keeps its text. */
  undo(): void {
    const { draft, before } = this.store.getState();
    const last = before.at(-1);
    if (last === undefined) return;
    this.#editor.edit(replacing(this.#lab.getState().edited, last.arm, (arm) => ({ ...arm, losses: last.losses })));
    const isThere = last.losses.some(({ name }) => name === draft?.was);
    const next = draft?.arm === last.arm && !isThere ? { ...draft, was: null } : draft;
    this.store.setState({ draft: next, before: before.slice(0, -1) });
  }

  /** Takes a loss away from an arm; `undo` brings it back. */
  remove(armId: string, name: string): void {
    const { edited } = this.#lab.getState();
    const arm = edited.arms.find(({ id }) => id === armId);
    if (arm === undefined) return;
    const { draft, before } = this.store.getState();
    const losses = arm.losses.filter((loss) => loss.name !== name);
    this.#editor.edit(replacing(edited, armId, (now) => ({ ...now, losses })));
    this.store.setState({
      draft: draft?.arm === armId && draft.was === name ? null : draft,
      before: [...before, { arm: armId, losses: arm.losses }].slice(-UNDOS),
    });
  }
}

const isSameLoss = (a: Pick<FormulaDraft, 'arm' | 'was'>, b: Pick<FormulaDraft, 'arm' | 'was'>): boolean =>
  a.arm === b.arm && a.was === b.was;

/** A name that no person types, while parts of a draft change. */
const WRITTEN = 'draft';

function replacing(experiment: Experiment, armId: string, next: (arm: Arm) => Arm): Experiment {
  return { ...experiment, arms: experiment.arms.map((arm) => (arm.id === armId ? next(arm) : arm)) };
}

/** The experiment with the draft in its arm, where the loss stood that it replaces. */
function withDraft(experiment: Experiment, { arm: armId, was, loss }: FormulaDraft): Experiment {
  return replacing(experiment, armId, (arm) => {
    const isThere = was !== null && arm.losses.some(({ name }) => name === was);
    const losses = arm.losses.map((one) => (one.name === was ? loss : one));
    return { ...arm, losses: isThere ? losses : [...losses, loss] };
  });
}

/**
 * A new loss for an arm: the text of the arm's policy loss, or of its prediction loss, whichever it has alone. For a role
 * the one that the role has, and in its place; a role that has neither gets an added one.
 */
function beginning(arm: Arm, role: Role | null): OwnLoss {
  const isFree = (place: 'policy' | 'predict'): boolean => standingFor(arm, place) === undefined;
  const has = (place: 'policy' | 'predict'): boolean => {
    if (role !== null) return weightOn(place === 'policy' ? arm.pg : arm.ce, role) > 0;
    return place === 'predict' || learnsFromReward(arm);
  };
  const place = (['policy', 'predict'] as const).find((one) => isFree(one) && has(one)) ?? 'added';
  const isDrawn = role !== null && DRAWN.includes(role);
  const isOfReward = place === 'policy' || (place === 'added' && isDrawn);
  const text = isOfReward ? policyText(arm) : predictionText(arm);
  const on = place === 'added' && role !== null ? { ...NOWHERE, [role]: isDrawn ? 1 : 0.1 } : NOWHERE;
  const loss: OwnLoss = { name: freeName(arm), text, place, on, values: {} };
  return place === 'added' ? withWeight(loss) : loss;
}

function freeName({ losses }: Arm): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'mine' : `mine-${number}`;
    if (losses.every((loss) => loss.name !== name)) return name;
  }
}

/** An added loss without any weight gets a usual one: on actions where it reads the advantage, else on observations. */
function withWeight(loss: OwnLoss): OwnLoss {
  if (Object.values(loss.on).some((weight) => weight !== 0)) return loss;
  try {
    const isOfReward = formulaOf(loss.text).reads.has('advantage');
    return { ...loss, on: isOfReward ? { ...NOWHERE, action: 1 } : { ...NOWHERE, observation: 0.1 } };
  } catch {
    // A text with a mistake gets its weight when the mistake is mended.
    return loss;
  }
}

/** Problems that a draft adds to the experiment. */
export function problemsOf(experiment: Experiment, draft: FormulaDraft): string[] {
  const { losses } = experiment.arms.find(({ id }) => id === draft.arm) ?? { losses: [] };
  if (draft.was === null && losses.length >= OWN_LOSS_LIMITS.losses)
    return [`An arm may have at most ${OWN_LOSS_LIMITS.losses} losses of its own: remove one, or change one.`];
  const had = new Set(checkExperiment(experiment).problems.map(({ path, message }) => `${path} ${message}`));
  const { problems } = checkExperiment(withDraft(experiment, draft));
  return problems.filter(({ path, message }) => !had.has(`${path} ${message}`)).map(({ message }) => message);
}
