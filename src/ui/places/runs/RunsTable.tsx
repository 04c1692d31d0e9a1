/** Kept runs, one a row: name, outcome, and the settings in which those in view differ. */

import { memo, useCallback, useState } from 'react';
import { FINAL_UPDATES } from '../../../experiment/conclude/statistics';
import type { KeptRun } from '../../../storage/runs';
import type { DifferingSetting, RunFacts } from '../../../store/keep/runTable';
import { Button } from '../../kit/Button';
import { plural } from '../../kit/format';
import { Scrolling, Table } from '../../kit/Table';
import { useGrowing } from '../../kit/useGrowing';
import { RunRow } from './RunRow';

/** Rows drawn in a task. */
const PART = 30;
/** Settings shown at first: a table that must be scrolled sideways tells little. */
const FEW = 6;

export interface FoundRun {
  readonly run: KeptRun;
  /** Facts of the run; null until they are read, or where its experiment cannot be. */
  readonly facts: RunFacts | null;
}

/** Head of the means that a run is kept with. */
const SUCCESS = `Success, last ${FINAL_UPDATES}`;

/** Head of the buttons' column, for listeners. */
const OPEN = { key: 'open', head: <span className="hidden-text">open</span> };

interface Props {
  readonly found: readonly FoundRun[];
  readonly differing: readonly DifferingSetting[];
}

/** Table of runs, drawn again only for another list: not at every key of a search that waits for its turn. */
export const RunsTable = memo(function RunsTable({ found, differing }: Props) {
  const drawn = useGrowing(found.length, PART);
  const [isAll, setAll] = useState(false);
  const [opened, setOpened] = useState<number | null>(null);
  const toggle = useCallback((id: number) => setOpened((before) => (before === id ? null : id)), []);
  const columns = isAll ? differing : differing.slice(0, FEW);
  return (
    <>
      <Scrolling label="Kept runs">
        <Table
          className="table-folds full"
          columns={['Run', 'Overlay', SUCCESS, ...columns.map(({ path, label }) => ({ key: path, head: label })), OPEN]}
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
