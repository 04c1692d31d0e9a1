/** A run whose settings were changed on the way can be started again in two ways; the person says which. */
import { changesMade } from '../../../store/restart';
import { Dialog } from '../../kit/Dialog';
import { useLab, useLabState } from '../../useLab';
import { lossWords } from './lossWords';

interface Props {
  readonly onClose: () => void;
  readonly onReset: () => void;
}

export function ResetDialog({ onClose, onReset }: Props) {
  const lab = useLab();
  const changes = useLabState(changesMade);
  const stake = lab.leaving.stake();
  const reset = (keep: 'values' | 'timeline') => {
    onClose();
    lab.editor.reset(keep);
    onReset();
  };
  return (
    <Dialog title="Back to the beginning" onClose={onClose}>
      <p>
        {changes === 1 ? 'One setting was' : `${changes} settings were`} changed while this run was training. The curves
        on screen are cleared either way. {stake === null ? '' : lossWords(stake)}
      </p>
      <div className="dialog-buttons">
        <button type="button" className="button button-primary" onClick={() => reset('values')}>
          Start from the settings as they are now
        </button>
        <button type="button" className="button" onClick={() => reset('timeline')}>
          Replay the run, changes included
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
