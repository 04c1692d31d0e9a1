/** Question before a run that was changed on the way starts again: from the changed values, or by the same timeline. */

import { useState } from 'react';
import { useStore } from 'zustand';
import { changesMade } from '../../../store/edit/restart';
import { Button } from '../../kit/Button';
import { Dialog } from '../../kit/Dialog';
import { useLab, useLabState } from '../useLab';
import { lossWords } from './lossWords';

type Way = 'values' | 'timeline';

const WAYS: readonly (readonly [way: Way, words: string, kind: string])[] = [
  ['values', 'Start from the settings as they are now', 'button button-primary'],
  ['timeline', 'Replay the run, changes included', 'button'],
];

export function ResetDialog({ onClose, onReset }: { onClose: () => void; onReset: () => void }) {
  const lab = useLab();
  const changes = useLabState(changesMade);
  // Draws again with every update: the dialog tells what would be lost now.
  useLabState(({ tick, keptUpdate }) => `${tick}, ${keptUpdate}`);
  const stake = lab.leaving.stake();
  const [chosen, setChosen] = useState<Way | null>(null);
  const isSaving = useStore(lab.leaving.store, (state) => state.isSaving);
  const cancel = () => {
    lab.leaving.stay();
    onClose();
  };
  const reset = (keep: Way) => {
    setChosen(keep);
    lab.leaving.end(() => {
      onClose();
      lab.editor.reset(keep);
      onReset();
    });
  };
  return (
    <Dialog title="Back to the beginning" isQuestion onClose={cancel}>
      <p>
        {changes === 1 ? 'One setting was' : `${changes} settings were`} changed while this run was training. The curves
        on screen are cleared either way. {stake === null ? '' : lossWords(stake)}
      </p>
      <div className="dialog-buttons">
        {WAYS.map(([way, words, kind]) => (
          <button key={way} type="button" className={kind} disabled={isSaving} onClick={() => reset(way)}>
            {isSaving && way === chosen ? 'Saving…' : words}
          </button>
        ))}
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </Dialog>
  );
}
