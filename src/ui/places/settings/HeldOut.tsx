/** Note beside the world's settings: if success is also measured on tasks that training never draws. */

import type { EnvironmentDefinition } from '../../../environments/environment';
import { holdsTasksOut, usualExamination } from '../../../experiment/examination';
import { Button } from '../../kit/Button';
import { useLab, useLabState } from '../../model/useLab';

/** Settings with which worlds set tasks aside. */
const SETS_ASIDE = /^(?:\w+-)?(?:heldOut|holdOut)$/;

export function HeldOut({ definition }: { definition: EnvironmentDefinition }) {
  const lab = useLab();
  const edited = useLabState((state) => state.edited);
  const holds = holdsTasksOut(edited.environment);
  const { every } = edited.evaluation;
  if (holds === null) return null;
  if (holds && every === 0) {
    const usual = usualExamination(edited);
    return (
      <p className="small" data-testid="held-out">
        Some tasks are never trained on, but no policy is tested on them.{' '}
        <Button
          className="button-quiet small"
          data-testid="examine"
          onClick={() => lab.editor.edit({ ...lab.store.getState().edited, evaluation: usual })}
        >
          Test every {usual.every} updates
        </Button>
      </p>
    );
  }
  const setting = definition.settings.find(({ key }) => SETS_ASIDE.test(key));
  return (
    <p className="small soft" data-testid="held-out">
      {holds
        ? `Some tasks are never trained on; every ${every} updates the policies are tested on them.`
        : `Every task is trained on, and success is of those.${setting === undefined ? '' : ` “${setting.label}” keeps some for testing.`}`}
    </p>
  );
}
