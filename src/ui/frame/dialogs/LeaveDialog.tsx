/** Question before a run ends with a loss: why it would end, what would be lost, and the choice. */

import { useStore } from 'zustand';
import { Button } from '../../kit/Button';
import { Dialog } from '../../kit/Dialog';
import { lossWords } from '../../model/run/lossWords';
import { useLab } from '../../model/useLab';

export function LeaveDialog() {
  const { leaving } = useLab();
  const { asked, isSaving } = useStore(leaving.store);
  if (asked === null) return null;
  return (
    <Dialog title="End the run on screen?" isQuestion onClose={() => leaving.answer(false)}>
      <p data-testid="leave-why">
        {asked.why} {lossWords(asked.stake)}
      </p>
      <div className="dialog-buttons">
        <Button className="button-primary" data-testid="leave-stay" onClick={() => leaving.answer(false)}>
          {asked.stake.isLive ? 'Let it go on' : 'Stay with it'}
        </Button>
        <Button
          className="button-steady"
          data-testid="leave-go"
          disabled={isSaving}
          onClick={() => leaving.answer(true)}
        >
          {isSaving ? 'Saving…' : 'End it'}
        </Button>
      </div>
    </Dialog>
  );
}
