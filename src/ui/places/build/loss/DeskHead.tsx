/** Head of the desk: the loss's name, the loss it replaces and the source of its text; Apply, and the way back. */

import { policyText, predictionText, scheduledPredictionText } from '../../../../experiment/arm/formulaTexts';
import { LOSS_PLACES, type LossPlace, type OwnLoss } from '../../../../experiment/arm/ownLosses';
import type { Arm } from '../../../../experiment/experiment';
import { findObjective, objectivePresets, withObjective } from '../../../../experiment/objectives/objectivePresets';
import type { FormulaDraft } from '../../../../store/desk/formulaDesk';
import { isLive } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { NameField } from '../../../kit/Fields';
import { ShelfButton } from '../../../kit/ShelfButton';
import { canAddArm, duplicateArm } from '../../../model/arms/edits';
import { useDesk, useIsApplied } from '../../../model/useDesk';
import { useLab, useLabState } from '../../../model/useLab';

const PLACE_WORDS: Readonly<Record<LossPlace, string>> = {
  policy: 'replaces the policy loss',
  predict: 'replaces the prediction loss',
  added: 'is added to the others',
};

interface Props {
  readonly draft: FormulaDraft;
  readonly arm: Arm;
  readonly problems: readonly string[];
}

export function DeskButtons({ draft, arm, problems }: Props) {
  const lab = useLab();
  const { desk } = lab;
  const live = useLabState(isLive);
  const { was } = draft;
  const applied = useIsApplied(draft);
  const addable = useLabState((state) => canAddArm(state.edited));
  const applyToCopy = () => {
    const { edited } = lab.store.getState();
    const next = duplicateArm(edited, arm.id);
    const copy = next.arms.find(({ id }) => edited.arms.every((one) => one.id !== id));
    if (copy === undefined) return;
    lab.editor.edit(next);
    desk.handTo(copy.id);
    desk.apply();
  };
  const canUndo = useDesk((state) => state.before.length > 0);
  return (
    <span className="own-loss-buttons row near push">
      <Button
        className="button-primary"
        data-testid="own-loss-apply"
        disabled={problems.length > 0 || applied}
        title={problems.join(' ')}
        onClick={() => desk.apply()}
      >
        {applied ? 'Applied' : live ? 'Apply while it trains' : 'Apply'}
      </Button>
      <Button
        data-testid="own-loss-copy"
        disabled={problems.length > 0 || !addable}
        title="A new arm, a copy of this one, gets the loss: the two can be compared."
        onClick={applyToCopy}
      >
        Apply to a copy
      </Button>
      <Button data-testid="own-loss-undo" aria-label="Undo Apply" disabled={!canUndo} onClick={() => desk.undo()}>
        Undo
      </Button>
      {was !== null && <Button onClick={() => desk.remove(arm.id, was)}>Remove</Button>}
      <Button data-testid="own-loss-close" onClick={() => desk.close()}>
        Close
      </Button>
    </span>
  );
}

export function DeskFields({ loss, arm }: { loss: OwnLoss; arm: Arm }) {
  const { desk, formulas } = useLab();
  return (
    <>
      <NameField
        name={loss.name}
        testId="own-loss-name"
        onName={(name) => desk.change({ name: name.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-') })}
      />
      <Choice<LossPlace>
        label="The loss"
        labelClass="small soft"
        testId="own-loss-place"
        value={loss.place}
        options={LOSS_PLACES.map((place) => [place, PLACE_WORDS[place]] as const)}
        onChoose={(place) => desk.change({ place })}
      />
      <StartFrom arm={arm} />
      <ShelfButton
        shelf={formulas}
        testId="own-loss-shelf"
        name={loss.name}
        text={loss.text}
        onTake={(taken) => desk.change(taken)}
      />
    </>
  );
}

/** Choice of another text to begin with: one that the arm or an objective has. The editor's undo brings the old one back. */
function StartFrom({ arm }: { arm: Arm }) {
  const { desk } = useLab();
  const take = (from: string) => {
    if (from === 'predict') return desk.startFrom('predict', predictionText(arm));
    if (from === 'success' || from === 'update') return desk.startFrom('predict', scheduledPredictionText(arm, from));
    const preset = findObjective(from);
    desk.startFrom('policy', policyText(preset === undefined ? arm : withObjective(arm, preset)));
  };
  return (
    <Choice
      aria-label="Start from another text"
      className="field own-loss-start"
      testId="own-loss-start"
      value={null}
      unset="Start from…"
      options={[
        {
          title: 'This arm',
          options: [
            ['policy', 'its policy loss'],
            ['predict', 'its prediction loss'],
            ['success', 'its prediction loss, λ by success'],
            ['update', 'its prediction loss, λ by update'],
          ],
        },
        { title: 'Policy loss of', options: objectivePresets.map(({ id, title }) => [id, title] as const) },
      ]}
      onChoose={take}
    />
  );
}
