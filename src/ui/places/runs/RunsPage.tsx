/** The place of the runs that this browser keeps: found, told apart, laid over one another, opened, gone on with, deleted. */

import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { finalUpdatesWords } from '../../../experiment/conclude/statistics';
import { inSlices } from '../../../foundation/slices';
import type { KeptRun } from '../../../storage/runs';
import {
  ANY_RUN,
  choicesOf,
  type DifferingSetting,
  differingSettings,
  factsOfAll,
  isWanted,
  type RunFacts,
  type RunFilter,
} from '../../../store/keep/runTable';
import { Button } from '../../kit/Button';
import { StackedChoice } from '../../kit/Choice';
import { Check, SearchField } from '../../kit/Fields';
import { joinNames, plural } from '../../kit/format';
import { useArrived } from '../../kit/part';
import { Scrolling, Table } from '../../kit/Table';
import { useGrowing } from '../../kit/useGrowing';
import { PlaceHead } from '../../model/Group';
import { placeLink } from '../../model/place';
import { useKeptRuns, useLab } from '../../model/useLab';
import { RunCurves } from './RunCurves';
import { RunRow } from './RunRow';
import '../../kit/styles/reading.css';
import './runs.css';

export function RunsPage() {
  const runs = useKeptRuns((state) => state.runs);
  const isOpened = useKeptRuns((state) => state.isOpened);
  return (
    <main className="reading" data-testid="runs">
      <PlaceHead
        id="runs"
        about="This browser keeps every run and its policies while it trains; nothing is sent. A run is named by what differs from the run before it."
      />
      <StorageMessages />
      {isOpened && runs.length === 0 && (
        <p data-testid="no-runs">
          None yet. Each run that you train is kept here: <a href={placeLink('lab')}>go to the lab</a> and press Run.
        </p>
      )}
      {runs.length > 0 && <Found runs={runs} />}
    </main>
  );
}

/** Facts of the runs; null until they are read. */
function useFacts(runs: readonly KeptRun[]): readonly (RunFacts | null)[] | null {
  const read = useCallback(async () => ({ runs, facts: await inSlices(factsOfAll(runs)) }), [runs]);
  const known = useArrived(read);
  // A row of the list before, until the new one is read: that of a moment.
  return useMemo(() => {
    if (known === null) return null;
    const byId = new Map(known.runs.map(({ id }, index) => [id, known.facts[index] ?? null]));
    return runs.map(({ id }) => byId.get(id) ?? null);
  }, [runs, known]);
}

function Found({ runs }: { runs: readonly KeptRun[] }) {
  const facts = useFacts(runs);
  const [filter, setFilter] = useState(ANY_RUN);
  const wanted = useDeferredValue(filter);
  const found = useMemo(
    () =>
      runs.flatMap((run, i) => (isWanted(run, facts?.[i] ?? null, wanted) ? [{ run, facts: facts?.[i] ?? null }] : [])),
    [runs, facts, wanted],
  );
  const choices = useMemo(() => choicesOf(runs, facts ?? []), [runs, facts]);
  const differing = useMemo(() => differingSettings(found.map((one) => one.facts)), [found]);
  return (
    <>
      <Filters filter={filter} choices={choices} onChange={setFilter} />
      <Overlaid />
      <p className="small soft" role="status">
        {found.length === runs.length ? plural(runs.length, 'run') : `${found.length} of ${plural(runs.length, 'run')}`}
        {differing.length > 0 && `; ${plural(differing.length, 'setting differs', 'settings differ')} among them`}
      </p>
      <RunsTable found={found} differing={differing} />
      <RunCurves />
    </>
  );
}

/** Way to the curves, which stand under the list: nothing of it moves while runs are ticked. */
function Overlaid() {
  const count = useKeptRuns(({ compared }) => compared.length);
  if (count === 0) return <p className="small soft">Tick runs under “Overlay” to lay their curves over one another.</p>;
  const show = () => document.getElementById('run-curves')?.scrollIntoView({ block: 'start' });
  return (
    <p className="small soft">
      {count === 1 ? 'The curves of one run are' : `The curves of ${count} runs are`} under the list.{' '}
      <Button className="button-quiet small" data-testid="runs-to-curves" onClick={show}>
        Show them
      </Button>
    </p>
  );
}

interface FiltersProps {
  readonly filter: RunFilter;
  readonly choices: ReturnType<typeof choicesOf>;
  readonly onChange: (filter: RunFilter) => void;
}

function Filters({ filter, choices, onChange }: FiltersProps) {
  const selects = [
    { key: 'world', label: 'World', names: choices.worlds },
    { key: 'method', label: 'Method', names: choices.methods },
    { key: 'tag', label: 'Tag', names: choices.tags },
  ] as const;
  return (
    <search className="runs-filters row ends">
      <label className="stack close">
        <span className="small soft">Search</span>
        <SearchField
          placeholder="name, note, tag, arm"
          text={filter.text}
          onText={(text) => onChange({ ...filter, text: text })}
        />
      </label>
      {selects.map(
        ({ key, label, names }) =>
          (names.length > 1 || filter[key] !== '') && (
            <StackedChoice
              key={key}
              label={label}
              testId={`runs-${key}`}
              value={filter[key]}
              options={[['', 'any'], ...names.map((name) => [name, name] as const)]}
              onChoose={(chosen) => onChange({ ...filter, [key]: chosen })}
            />
          ),
      )}
      <Check
        className="line tall"
        checked={filter.isStarred}
        onCheck={(isStarred) => onChange({ ...filter, isStarred })}
      >
        starred
      </Check>
    </search>
  );
}

function StorageMessages() {
  const { kept } = useLab();
  const { problem, dropped, damaged, deleted } = useKeptRuns((state) => state);
  return (
    <div className="runs-messages stack" aria-live="polite">
      {problem !== null && (
        <p data-testid="runs-problem">
          <b>Runs are not being kept.</b> {problem}
        </p>
      )}
      {dropped !== '' && (
        <p className="small">
          To make room, the runs without a star that are quickest to train again were deleted: {dropped}.
        </p>
      )}
      {damaged > 0 && (
        <p data-testid="runs-damaged">
          {plural(damaged, 'kept run')} cannot be read and {damaged === 1 ? 'is' : 'are'} set aside: damaged, or written
          by something else.{' '}
          <Button className="button-quiet small" onClick={() => void kept.removeDamaged()}>
            Delete {damaged === 1 ? 'it' : 'them'}
          </Button>
        </p>
      )}
      {deleted.length > 0 && (
        <p data-testid="runs-deleted">
          Deleted: {joinNames(deleted.map(({ name }) => name))}.{' '}
          <Button data-testid="undelete" onClick={() => void kept.undelete()}>
            Undo
          </Button>
        </p>
      )}
    </div>
  );
}

/** Rows drawn in a task. */
const PART = 30;
/** Settings shown at first: a table that must be scrolled sideways tells little. */
const FEW = 6;

interface FoundRun {
  readonly run: KeptRun;
  /** Facts of the run; null until they are read, or where its experiment cannot be. */
  readonly facts: RunFacts | null;
}

/** Head of the buttons' column, for listeners. */
const OPEN = { key: 'open', head: <span className="hidden-text">open</span> };

interface Props {
  readonly found: readonly FoundRun[];
  readonly differing: readonly DifferingSetting[];
}

/** Table of runs, drawn again only for another list: not at every key of a search that waits for its turn. */
const RunsTable = memo(function RunsTable({ found, differing }: Props) {
  const drawn = useGrowing(found.length, PART);
  const [isAll, setAll] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const toggle = useCallback((id: number) => setOpened((before) => (before === id ? null : id)), []);
  const columns = isAll ? differing : differing.slice(0, FEW);
  const success = `Success, ${finalUpdatesWords(Math.max(...found.map(({ run }) => run.updates)))}`;
  return (
    <>
      <Scrolling label="Kept runs">
        <Table
          className="table-folds full"
          columns={['Run', 'Overlay', success, ...columns.map(({ path, label }) => ({ key: path, head: label })), OPEN]}
          caption="Kept runs, the newest first"
        >
          {found.slice(0, drawn).map(({ run, facts }, index) => (
            <RunRow
              key={run.id}
              run={run}
              facts={facts}
              index={index}
              columns={columns}
              isOpened={opened === run.id}
              onToggle={toggle}
            />
          ))}
        </Table>
      </Scrolling>
      {differing.length > FEW && (
        <Button className="button-quiet small" onClick={() => setAll(!isAll)}>
          {isAll ? 'Fewer settings' : `${plural(differing.length - FEW, 'more setting')}`}
        </Button>
      )}
    </>
  );
});
