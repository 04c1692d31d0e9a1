/**
 * Desk at which a user writes a loss: its text, its picture and its numbers, beside the curves it will change. It is at
 * the window's lower edge and covers no more; on a phone it is the whole window.
 */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type OwnLoss, parameterValues } from '../../../../experiment/arm/ownLosses';
import { isFixed } from '../../../../experiment/arm/policyFiles';
import { rolesIn } from '../../../../foundation/roles';
import type { FormulaDraft } from '../../../../store/desk/formulaDesk';
import { judge } from '../../../../store/desk/lossJudgement';
import { isLive } from '../../../../store/lab';
import { Choice } from '../../../kit/Choice';
import { CodeEditor, type CodeMark } from '../../../kit/code/CodeEditor';
import { armColours } from '../../../model/armColour';
import { ArmMark } from '../../../model/arms/ArmName';
import { worldOf } from '../../../model/environment';
import { useDesk, useIsApplied } from '../../../model/useDesk';
import { useLab, useLabState } from '../../../model/useLab';
import { DeskButtons, DeskFields } from './DeskHead';
import { DraftNumbers } from './DraftNumbers';
import { LossPicture } from './LossPicture';
import { formulaLanguage } from './language';
import type { DrawnRole } from './picture';
import './formula-desk.css';

export function FormulaPanel() {
  const draft = useDesk((state) => state.draft);
  const edited = useLabState((state) => state.edited);
  const arm = edited.arms.find(({ id }) => id === draft?.arm);
  return draft === null || arm === undefined ? null : <Desk draft={draft} />;
}

function Desk({ draft }: { draft: FormulaDraft }) {
  const { desk } = useLab();
  const edited = useLabState((state) => state.edited);
  const live = useLabState(isLive);
  const applied = useIsApplied(draft);
  useReturningFocus();
  const arm = edited.arms.find(({ id }) => id === draft.arm);
  const { formula, mistake, reach, problems } = useMemo(() => {
    return judge(edited, draft, rolesIn(worldOf(edited.environment)?.environment));
  }, [edited, draft]);
  const marks = useMemo((): CodeMark[] => {
    if (mistake === null) return [];
    return [{ ...mistake.span, message: `${mistake.what} ${mistake.advice}` }];
  }, [mistake]);
  // While the text has a mistake, picture and numbers stay those of the text before it.
  const legible = useRef(formula);
  legible.current = formula ?? legible.current;
  const { current: shown } = legible;
  const { values: set } = draft.loss;
  const values = useMemo(
    () => (shown === null ? [] : parameterValues({ text: shown.text, values: set })),
    [shown, set],
  );
  if (arm === undefined) return null;
  const keys = ({ key, defaultPrevented }: KeyboardEvent) => {
    // Completions and panels open in the desk are closed first.
    if (key === 'Escape' && !defaultPrevented && document.querySelector('.popover') === null) desk.leave();
  };
  return (
    <section
      className="own-loss-desk"
      role="dialog"
      aria-label="A loss of your own"
      data-testid="own-loss"
      onKeyDown={keys}
    >
      <div className="own-loss-head row pair">
        <h2>
          A loss of your own <span className="soft">for</span> <ArmMark colour={armColours(edited.arms).get(arm.id)} />
        </h2>
        <Choice
          aria-label="Arm that the loss is for"
          testId="own-loss-arm"
          value={arm.id}
          options={edited.arms.filter((one) => !isFixed(one)).map(({ id, name }) => [id, name] as const)}
          onChoose={(id) => desk.moveTo(id)}
        />
        <DeskButtons draft={draft} arm={arm} problems={problems} />
        <div className="row whole">
          <DeskFields loss={draft.loss} arm={arm} />
        </div>
      </div>
      <div className="own-loss-body short grow">
        <div className="column short">
          <CodeEditor
            label="Text of the loss. Tab leaves it; Control and Space complete a name; Control and Enter apply it."
            testId="formula-text"
            className="own-loss-text grow"
            language={formulaLanguage}
            takesFocus
            text={draft.loss.text}
            marks={marks}
            onText={(text) => desk.change({ text })}
            onApply={() => problems.length === 0 && desk.apply()}
          />
          <p className="own-loss-said small tall" role="status" data-testid="own-loss-said">
            {mistake !== null ? (
              <span className="alarm">{mistake.message}</span>
            ) : problems.length > 0 ? (
              <span className="alarm">{problems.join(' ')}</span>
            ) : applied && !live ? (
              <span>Applied. Press Run, at the top, to train with it.</span>
            ) : (
              <span className="soft">Tab leaves the text · Ctrl + Space completes · Ctrl + Enter applies</span>
            )}
          </p>
        </div>
        {shown !== null && (
          <LossPicture formula={shown} values={values} role={drawnRole(draft.loss)} isOld={formula === null} />
        )}
        {shown !== null && (
          <DraftNumbers loss={{ ...draft.loss, text: shown.text }} arm={arm} formula={shown} reach={reach} />
        )}
      </div>
    </section>
  );
}

/** A token that the loss is used for: an observation where it predicts, or has no weight on actions. */
function drawnRole({ place, on }: OwnLoss): DrawnRole {
  return place === 'predict' || (place === 'added' && on.action === 0) ? 'observation' : 'action';
}

/** Focus that is inside when it closes returns to where it was: seen while it is drawn, before the editor takes it. */
function useReturningFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
