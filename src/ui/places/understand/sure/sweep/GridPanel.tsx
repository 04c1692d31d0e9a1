/** A sweep over several populations: how far it is, its result and its table. */

import { useMemo } from 'react';
import { useStore } from 'zustand';
import { finalUpdatesWords } from '../../../../../experiment/conclude/statistics';
import type { Experiment } from '../../../../../experiment/experiment';
import { titleOf } from '../../../../../experiment/grid/lines';
import { labelOf } from '../../../../../experiment/grid/offered';
import { type Grid, type GridCell, type GridState, secondsLeft } from '../../../../../store/keep/grid';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { plural } from '../../../../kit/format';
import { loading, useArrived } from '../../../../kit/part';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { armColours } from '../../../../model/armColour';
import { useKeptRuns, useLab, useLabState } from '../../../../model/useLab';
import { SweptResult } from './SweptResult';
import { shareInWords, shareOf } from './shares';
import './sweep.css';

export function GridPanel() {
  const lab = useLab();
  const grid = useArrived(lab.grid);
  return grid === null ? loading('the sweep') : <Shown grid={grid} />;
}

function Shown({ grid }: { readonly grid: Grid }) {
  const state = useStore(grid.store);
  const { experiment, axes, cells, current, problem } = state;
  const labelled = useMemo(
    () => axes.map((axis) => ({ ...axis, key: experiment === null ? axis.key : labelOf(experiment, axis.key) })),
    [experiment, axes],
  );
  const done = useMemo(
    () => cells.flatMap((cell) => (cell.arms === null ? [] : [{ ...cell, arms: cell.arms }])),
    [cells],
  );
  const colours = useMemo(() => (experiment === null ? null : armColours(experiment.arms)), [experiment]);
  const told = problem !== null && <p role="alert">{problem}</p>;
  if (experiment === null) {
    return (
      <>
        {told}
        <Caption said="Success against a setting, value by value." about="sweeps">
          Values of one arm’s number train together; of anything else (group size, width, the world) one population
          trains after the other.
        </Caption>
      </>
    );
  }
  const labels = labelled.map(({ key }) => key);
  return (
    <>
      <p>
        {titleOf(labelled)}: “{experiment.title}”, {plural(cells.length, 'population')} one after the other.
      </p>
      {told}
      <Progress grid={grid} state={state} />
      {done.length > 0 && (
        <SweptResult
          axes={labelled}
          cells={done}
          colours={axes.length === 1 ? colours : null}
          named={done.length === cells.length ? labels : null}
          said="Each population has its own run"
          preset={experiment.preset}
          link={`#${grid.link()}`}
        />
      )}
      <GridTable experiment={experiment} labels={labels} cells={cells} current={current} />
      <div className="dialog-buttons">
        <a className="button" href={`#${grid.link()}`} data-testid="grid-link">
          Link to this sweep
        </a>
        <Button onClick={() => grid.forget()}>Put away</Button>
      </div>
    </>
  );
}

function Progress({ grid, state }: { readonly grid: Grid; readonly state: GridState }) {
  const lab = useLab();
  // Time left moves with every measurement.
  useLabState(({ tick }) => tick);
  const phase = useLabState((now) => now.phase);
  const isOpened = useKeptRuns((kept) => kept.isOpened);
  const { cells, current } = state;
  const now = lab.store.getState();
  const done = cells.filter(({ arms }) => arms !== null).length;
  const cell = current === null ? undefined : cells[current];
  const part = cell === undefined ? 0 : Math.min(1, now.update / cell.experiment.updates);
  const trains = cell !== undefined && (phase === 'running' || phase === 'preparing');
  const left = trains ? secondsLeft(state, now) : null;
  const time =
    left === null ? '' : ` About ${left < 90 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`} left.`;
  const on =
    cell === undefined
      ? ''
      : ` ${trains ? 'Training' : 'Resting at'} ${grid.nameOf(cell)}, update ${now.update} of ${cell.experiment.updates}.`;
  return (
    <>
      <p className="small" role="status" data-testid="grid-progress">
        {done} of {cells.length} done.{on}
        {time}
      </p>
      {done < cells.length && (
        <div className="grid-steering row above-4">
          <progress max={cells.length} value={done + part} aria-label="The sweep so far" />
          {trains ? (
            <Button onClick={() => grid.pause()}>Pause</Button>
          ) : (
            <Button className="button-primary" disabled={!isOpened} onClick={() => grid.goOn()}>
              {done === 0 && cell === undefined ? 'Run the sweep' : 'Go on'}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface Props {
  readonly experiment: Experiment;
  readonly labels: readonly string[];
  readonly cells: readonly GridCell[];
  readonly current: number | null;
}

/** A line for every population of a sweep: its values, and success of every arm, or how far it is. */
function GridTable({ experiment, labels, cells, current }: Props) {
  const { arms } = experiment;
  return (
    <Scrolling className="grid-table unbroken" label="Populations of the sweep">
      <Table
        caption={`Populations of the sweep: success, ${finalUpdatesWords(experiment.updates)}`}
        columns={[...labels, ...arms.map(({ id, name }) => ({ key: id, head: name })), 'Run']}
        testId="grid-table"
      >
        {cells.map((cell) => (
          <Row key={cell.index} head={cell.values[0]} testId={`grid-cell-${cell.index}`}>
            {cell.values.slice(1).map((value, axis) => (
              <td key={labels[axis + 1]}>{value}</td>
            ))}
            {arms.map(({ id }) => {
              const finals = cell.arms?.find((arm) => arm.id === id)?.seeds.map(({ final }) => final);
              return <td key={id}>{finals === undefined ? '–' : shareInWords(shareOf(finals, 'mean'))}</td>;
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
