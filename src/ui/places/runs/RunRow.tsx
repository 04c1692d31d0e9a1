/** A kept run in the table; opened, what can be done with it stands below. */

import { memo, useState } from 'react';
import type { SettingValue } from '../../../experiment/settings/setting';
import type { KeptRun } from '../../../storage/runs';
import type { DifferingSetting, RunFacts, Value } from '../../../store/keep/runTable';
import { isLive } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { formatCount, formatPercent, plural } from '../../kit/format';
import { Row } from '../../kit/Table';
import { goTo } from '../../model/place';
import { nameOfValue } from '../../model/settings/valueNames';
import { useKeptRuns, useLab, useLabState } from '../../model/useLab';
import { RunDetails } from './RunDetails';

interface Props {
  readonly run: KeptRun;
  readonly facts: RunFacts | null;
  /** Place of the run among those in view, for the columns' values. */
  readonly index: number;
  readonly columns: readonly DifferingSetting[];
  readonly isOpened: boolean;
  readonly onToggle: (id: number) => void;
}

function Drawn({ run, facts, index, columns, isOpened, onToggle }: Props) {
  const { kept, leaving } = useLab();
  const shown = useKeptRuns((state) => state.shown === run.id);
  const over = useKeptRuns((state) => state.compared.indexOf(run.id));
  // The row is up to some seconds behind the page's header, because a run is saved every few seconds.
  const isTraining = useLabState(isLive) && shown;
  const isElsewhere = useKeptRuns((state) => state.elsewhere.has(run.run ?? ''));
  const date = new Date(run.date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  const details = `run-${run.id}`;
  // An opened run has its words in their fields: said twice, each would move the fields and buttons while one types.
  const said = isOpened ? { starred: false, tags: [], note: '' } : run;
  const open = async () => {
    await kept.show(run);
    // A run that cannot be read is told of here, so the place stays.
    if (kept.store.getState().shown === run.id) goTo('lab');
  };
  return (
    <>
      <Row
        testId="kept-run"
        className="run"
        data-shown={shown}
        data-run={run.id}
        headClass="run-head"
        head={
          <>
            <button
              type="button"
              className="run-name bare to-left breaks"
              aria-expanded={isOpened}
              aria-controls={isOpened ? details : undefined}
              data-testid="run-details"
              onClick={() => onToggle(run.id)}
            >
              {run.name}
            </button>
            {said.starred && <span className="small run-mark edged unbroken">starred</span>}
            {shown && <span className="small soft"> on screen</span>}
            {isElsewhere && <span className="small soft"> trains in another tab</span>}
            {said.tags.map((tag) => (
              <span key={tag} className="small run-tag edged unbroken">
                {tag}
              </span>
            ))}
            <span className="run-about small soft block breaks">
              {facts === null ? '' : `${facts.world} · `}
              {isTraining ? `saved at update ${formatCount(run.updates)}` : plural(run.updates, 'update')} · {date}
            </span>
            {said.note !== '' && <span className="run-said small block breaks">{said.note}</span>}
          </>
        }
      >
        <td data-label="Overlay">
          <LayOver run={run} over={over} />
        </td>
        <td data-label="Success" className="small">
          <div>
            <Successes run={run} arms={facts?.arms ?? []} />
          </div>
        </td>
        {columns.map(({ path, label, values }) => (
          <td key={path} data-label={label} className="small">
            {written(path, values[index] ?? null)}
          </td>
        ))}
        <td className="run-open">
          <Button
            disabled={shown}
            title={shown ? 'Already on screen' : undefined}
            aria-label={`Open ${run.name}`}
            data-testid="show-run"
            onClick={() => leaving.ask(`“${run.name}” takes its place on screen.`, () => void open())}
          >
            Open
          </Button>
        </td>
      </Row>
      {isOpened && (
        <tr className="run-details" id={details}>
          <td colSpan={columns.length + 4}>
            <RunDetails run={run} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Row of a run, drawn again only where it changes: a search asks for all rows at every key. */
export const RunRow = memo(Drawn, (before, now) => {
  const { run, facts, isOpened, onToggle } = before;
  const isSame = run === now.run && facts === now.facts && isOpened === now.isOpened && onToggle === now.onToggle;
  return isSame && cellsOf(before) === cellsOf(now);
});

/** Heads of its columns and what it has in them, as a text. */
const cellsOf = ({ columns, index }: Props): string =>
  columns.map(({ path, values }) => `${path} ${values[index]?.join('/') ?? '–'}`).join('\n');

/** `over`: its place among those laid over one another; −1 for none. */
function LayOver({ run, over }: { run: KeptRun; over: number }) {
  const { kept } = useLab();
  // Ticked at once, though its curves are still being read.
  const [asked, setAsked] = useState<boolean | null>(null);
  const choose = async (wanted: boolean) => {
    setAsked(wanted);
    await kept.compare(run, wanted);
    setAsked(null);
  };
  return (
    <label className="run-over line inline close">
      <input
        type="checkbox"
        checked={asked ?? over >= 0}
        aria-label={`Lay over the others: ${run.name}`}
        data-testid={`compare-run-${run.id}`}
        onChange={({ target }) => void choose(target.checked)}
      />{' '}
      <span className="small">{over >= 0 ? over + 1 : ''}</span>
    </label>
  );
}

/** Successes by arm, in their order. */
function Successes({ run, arms }: { run: KeptRun; arms: readonly string[] }) {
  if (run.success.length === 0) return '–';
  return run.success.map((success, arm) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an arm is its place
    <span key={arm} className="block unbroken">
      <span className="soft">{arms[arm]}</span> {success === null ? '–' : formatPercent(success)}
    </span>
  ));
}

/** Arms that have another value stand apart, in their order; an arrow stands where a change acted. */
const written = (path: string, values: readonly Value[] | null): string =>
  values === null ? '–' : values.map((value) => courseInWords(path, [value].flat())).join(' / ');

const courseInWords = (path: string, course: readonly SettingValue[]): string =>
  course.map((value) => nameOfValue(path, value)).join(' → ');
