/** Events of a run besides its changes: what it ran on, and losses that were mended. */
import type { MachineEntry } from '../../../../experiment/machines';
import { machineRows, machineWords } from '../../../../store/look/machineRows';
import { useLabParts } from '../../../model/useLab';

export function RunEvents() {
  const { machines, linkedMachines: linked, happenings } = useLabParts('machines', 'linkedMachines', 'happenings');
  return (
    <>
      <Machines testId="run-machines" entries={machineRows(machines)} />
      {happenings.length > 0 && (
        <ul className="timeline small above-8" data-testid="happenings">
          {happenings.map(({ update, text }) => (
            <li key={`${update}:${text}`}>
              <span className="timeline-mark" aria-hidden="true" />
              at update {update}: {text}
            </li>
          ))}
        </ul>
      )}
      {linked.length > 0 && (
        <>
          <p className="soft small">What the run behind the link you opened ran on; yours need not:</p>
          <Machines testId="linked-machines" entries={linked} />
        </>
      )}
    </>
  );
}

function Machines({ testId, entries }: { readonly testId: string; readonly entries: readonly MachineEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <ol className="timeline small above-8" data-testid={testId}>
      {entries.map((entry, i) => (
        <li key={entry.update} data-backend={entry.backend}>
          <span className="timeline-mark" aria-hidden="true" />
          from update {entry.update}: {machineWords(entry, entries[i - 1] ?? null)}
        </li>
      ))}
    </ol>
  );
}
