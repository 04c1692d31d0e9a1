/** Line of the work at hand and its progress, else of the device it runs on; in a place that does not move. */

import type { KernelDesk, Work } from '../../../../store/desk/kernels';
import { Button } from '../../../kit/Button';
import { useLabState } from '../../../model/useLab';
import { useKernels } from './useKernels';

export function WorkLine({ store }: { store: KernelDesk }) {
  const { work, waiting, done, of, text, device } = useKernels(store, (state) => state);
  // The end of a fixture file's check is told beside the file.
  const ended = useKernels(store, (state) => (state.ended?.work?.type === 'fixtures' ? null : state.ended));
  const training = useLabState(({ phase }) => phase === 'running' || phase === 'preparing');
  const phase = work !== null ? (waiting ? 'waiting' : 'working') : ended !== null ? 'ended' : 'idle';
  const idle =
    device === null
      ? 'Checks and times are of this device, through WebGPU where there is any. Checks run beside a run that trains; timing pauses it and lets it go on.'
      : `Done on ${device.description}. ${device.reason}`;
  const words =
    work === null
      ? ended === null
        ? idle
        : `${ended.what} ${ended.advice}`
      : waiting
        ? `Waiting: ${text}.`
        : `${nameOf(work)}, ${Math.min(done + 1, of)} of ${of}: ${text}${training ? '. The run goes on beside it.' : ''}`;
  return (
    <div className="kernel-work line padded" data-testid="kernel-work" data-phase={phase} data-work={work?.type ?? ''}>
      {work !== null && (
        <>
          <progress max={of} value={done} aria-label="How far it is" />
          <Button data-testid="kernel-stop" onClick={() => store.stop()}>
            Stop
          </Button>
        </>
      )}
      <p className="small soft">{words}</p>
      <span className="hidden-text" aria-live="polite">
        {work !== null ? `${nameOf(work)}.` : ended !== null ? words : device !== null ? 'Done.' : ''}
      </span>
    </div>
  );
}

function nameOf(work: Work): string {
  if (work.type === 'check') return work.kernels.length > 1 ? 'Checking all' : `Checking ${work.kernels[0] ?? ''}`;
  return work.type === 'time' ? `Timing ${work.kernel}` : `Running ${work.name}`;
}
