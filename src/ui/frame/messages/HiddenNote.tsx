/**
 * Note of the controls that the link hides, with a button that shows them: a lesson may hide controls, not remove them.
 */

import { HIDEABLE } from '../../../experiment/link/hidden';
import { Button } from '../../kit/Button';
import { joinNames } from '../../kit/format';
import { useLab, useLabState } from '../../model/useLab';

export function HiddenNote() {
  const lab = useLab();
  const hidden = useLabState((state) => state.hidden);
  if (hidden.length === 0) return null;
  const showAll = () => {
    lab.store.setState({ hidden: [] });
    document.getElementById('arms-title')?.focus();
  };
  return (
    <aside
      className="hidden-note small row words-apart baseline"
      aria-label="Hidden by the link"
      data-testid="hidden-note"
    >
      <span>The link you opened hides some controls: {joinNames(hidden.map((part) => HIDEABLE[part]))}.</span>
      <Button className="button-quiet small" data-testid="show-all" onClick={showAll}>
        Show all
      </Button>
    </aside>
  );
}
