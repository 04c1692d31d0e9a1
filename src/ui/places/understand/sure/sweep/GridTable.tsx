/** A line for every population of a sweep: its values, and success of every arm, or how far it is. */

import type { Experiment } from '../../../../../experiment/experiment';
import type { GridCell } from '../../../../../store/keep/grid';
import { Button } from '../../../../kit/Button';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { useKeptRuns, useLab } from '../../../../model/useLab';
import { shareInWords } from './shares';

interface Props {
  readonly experiment: Experiment;
  readonly labels: readonly string[];
  readonly cells: readonly GridCell[];
  readonly current: number | null;
}

export function GridTable({ experiment, labels, cells, current }: Props) {
  const { arms } = experiment;
  return (
    <Scrolling className="grid-table unbroken" label="Populations of the sweep">
      <Table
        caption="Populations of the sweep: success over the last 20 updates"
        columns={[...labels, ...arms.map(({ id, name }) => ({ key: id, head: name })), 'Run']}
        testId="grid-table"
      >
        {cells.map((cell) => (
          <Row key={cell.index} head={cell.values[0]} testId={`grid-cell-${cell.index}`}>
            {cell.values.slice(1).map((value, axis) => (
              <td key={labels[axis + 1]}>{value}</td>
            ))}
            {arms.map(({ id }) => {
              const own = cell.arms?.find((arm) => arm.id === id);
              return <td key={id}>{own === undefined ? '–' : shareInWords(own)}</td>;
            })}
            <td>
              <RunOf cell={cell} isCurrent={cell.index === current} />
            </td>
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}

function RunOf({ cell, isCurrent }: { readonly cell: GridCell; readonly isCurrent: boolean }) {
  const lab = useLab();
  const kept = useKeptRuns(({ runs }) => runs.find(({ run }) => cell.run !== null && run === cell.run));
  if (isCurrent) return 'on screen';
  if (kept === undefined) return cell.arms === null ? 'to come' : 'done';
  const show = () => lab.leaving.ask(`“${kept.name}” comes on screen.`, () => void lab.kept.show(kept));
  return (
    <Button className="button-quiet small" onClick={show}>
      {cell.arms === null ? `Show, at ${kept.updates}` : 'Show'}
    </Button>
  );
}
