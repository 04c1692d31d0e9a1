/** Before a run ends that something would be lost with: why it would end, what would be lost, and the choice. */
import { useStore } from 'zustand';
import type { Stake } from '../../../store/leaving';
import { Dialog } from '../../kit/Dialog';
import { plural } from '../../kit/format';
import { useLab } from '../../useLab';

export function LeaveDialog() {
  const { leaving } = useLab();
  const asked = useStore(leaving.store, (state) => state.asked);
  if (asked === null) return null;
  return (
    <Dialog title="End the run on screen?" onClose={() => leaving.answer(false)}>
      <p data-testid="leave-why">
        {asked.why} {lossWords(asked.stake)}
      </p>
      <div className="dialog-buttons">
        <button
          type="button"
          className="button button-primary"
          data-testid="leave-stay"
          onClick={() => leaving.answer(false)}
        >
          Keep the run
        </button>
        <button type="button" className="button" data-testid="leave-go" onClick={() => leaving.answer(true)}>
          End it
        </button>
      </div>
    </Dialog>
  );
}

function lossWords({ updates, isLive, isUnkept, keptUpdate }: Stake): string {
  const curves = isUnkept
    ? 'Its curves, which this browser does not keep, would be lost'
    : 'Its curves stay among the kept runs';
  const policies =
    keptUpdate === null
      ? 'what its policies have learned would be lost'
      : `it can be continued from there, from update ${keptUpdate} on`;
  const trained = `It has trained for ${plural(updates, 'update')}${isLive ? ' and can go on' : ''}.`;
  return isLive || keptUpdate !== null ? `${trained} ${curves}; ${policies}.` : `${trained} ${curves}.`;
}
