/** Earlier runs, newest first: shown again, pinned behind the charts, noted, starred, deleted. */
import { useState } from 'react';
import type { KeptRun } from '../../storage/runs';
import { formatCount, plural } from '../format';
import { useKeptRuns, useLab } from '../useLab';
import './runs.css';

/** Rows before the rest is asked for. */
const FIRST = 8;

export function RunsPanel() {
  const { kept } = useLab();
  const { runs, problem, dropped, damaged } = useKeptRuns((state) => state);
  const [all, setAll] = useState(false);
  return (
    <>
      {problem !== null && (
        <p role="status" data-testid="runs-problem">
          <b>Runs are not being kept.</b> {problem}
        </p>
      )}
      {dropped !== '' && (
        <p className="small" role="status">
          To make room, the runs without a star that are quickest to train again were deleted: {dropped}.
        </p>
      )}
      {damaged > 0 && (
        <p role="status" data-testid="runs-damaged">
          {plural(damaged, 'kept run')} cannot be read and {damaged === 1 ? 'is' : 'are'} set aside: damaged, or written
          by something else.{' '}
          <button type="button" className="button button-quiet small" onClick={() => void kept.removeDamaged()}>
            Delete {damaged === 1 ? 'it' : 'them'}
          </button>
        </p>
      )}
      <p className="small soft">
        A run is named by what differs from the one before it. Pinned, its curves stand dotted behind the charts and its
        arms in the comparison.
      </p>
      <ol className="runs">
        {(all ? runs : runs.slice(0, FIRST)).map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ol>
      {!all && runs.length > FIRST && (
        <button type="button" className="button button-quiet small" onClick={() => setAll(true)}>
          {plural(runs.length - FIRST, 'older run')}
        </button>
      )}
    </>
  );
}

function RunRow({ run }: { run: KeptRun }) {
  const { kept, leaving } = useLab();
  const shown = useKeptRuns((state) => state.shown === run.id);
  const pinned = useKeptRuns((state) => state.pinned === run.id);
  const states = useKeptRuns((state) => state.states[run.run ?? '']);
  const isElsewhere = useKeptRuns((state) => state.elsewhere.has(run.run ?? ''));
  const date = new Date(run.date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <li className="run" data-testid="kept-run" data-shown={shown}>
      <div className="run-what">
        <p className="run-name">
          {run.name}
          {shown && <span className="small soft"> on screen</span>}
          {isElsewhere && <span className="small soft"> trains in another tab</span>}
        </p>
        <p className="small soft">
          {date} · {plural(run.updates, 'update')} · {run.device} · {formatCount(run.bytes / 1024)} KiB
          {states === undefined ? '' : ` · policies after update ${states.states.at(-1)?.update ?? 0}`}
        </p>
      </div>
      <Note run={run} />
      <div className="run-buttons">
        <button
          type="button"
          className="button button-quiet"
          aria-pressed={run.starred}
          aria-label={`${run.starred ? 'Starred' : 'Star'}: ${run.name}`}
          onClick={() => void kept.annotate(run.id, { starred: !run.starred })}
        >
          {run.starred ? 'Starred' : 'Star'}
        </button>
        <button
          type="button"
          className="button button-quiet"
          aria-pressed={pinned}
          aria-label={`${pinned ? 'Unpin' : 'Pin'} ${run.name}`}
          data-testid="pin-run"
          onClick={() => void kept.pin(pinned ? null : run)}
        >
          {pinned ? 'Unpin' : 'Pin'}
        </button>
        <button
          type="button"
          className="button button-quiet"
          disabled={shown}
          aria-label={`Show ${run.name}`}
          data-testid="show-run"
          onClick={() => leaving.ask(`“${run.name}” takes its place on screen.`, () => void kept.show(run))}
        >
          Show
        </button>
        <DeleteButton run={run} />
      </div>
    </li>
  );
}

/** Written when the field is left. */
function Note({ run }: { run: KeptRun }) {
  const { kept } = useLab();
  const [note, setNote] = useState(run.note);
  return (
    <input
      className="field run-note"
      aria-label={`Note on ${run.name}`}
      placeholder="Note"
      maxLength={500}
      value={note}
      onChange={({ target }) => setNote(target.value)}
      onBlur={() => note !== run.note && void kept.annotate(run.id, { note })}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  );
}

/** Asks once more: what is deleted is gone. */
function DeleteButton({ run }: { run: KeptRun }) {
  const { kept } = useLab();
  const [sure, setSure] = useState(false);
  return (
    <button
      type="button"
      className="button button-quiet"
      aria-label={`${sure ? 'Really delete' : 'Delete'} ${run.name}`}
      data-testid="delete-run"
      onBlur={() => setSure(false)}
      onClick={() => (sure ? void kept.remove(run.id) : setSure(true))}
    >
      {sure ? 'Really delete' : 'Delete'}
    </button>
  );
}
