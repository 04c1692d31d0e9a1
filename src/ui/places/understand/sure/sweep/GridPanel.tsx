/** A sweep over several populations: how far it is, its picture, finding and table. */

import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Experiment } from '../../../../../experiment/experiment';
import { gridInWords } from '../../../../../experiment/grid/finding';
import { labelOf } from '../../../../../experiment/grid/offered';
import { type Grid, type GridCell, type GridState, secondsLeft } from '../../../../../store/keep/grid';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { plural } from '../../../../kit/format';
import { useArrived } from '../../../../kit/part';
import { pictureOf } from '../../../../kit/plot/picture';
import { saveFile } from '../../../../kit/saveFile';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { useKeptRuns, useLab, useLabState } from '../../../../model/useLab';
import { GridChart, gridPlot } from './GridChart';
import { shareInWords } from './shares';
import { FLATTERED } from './sweepWords';
import './sweep.css';

export function GridPanel() {
  const lab = useLab();
  const grid = useArrived(lab.grid);
  return grid === null ? <p className="small soft">Loading the sweep.</p> : <Shown grid={grid} />;
}

function Shown({ grid }: { readonly grid: Grid }) {
  const state = useStore(grid.store);
  const { experiment, axes, cells, problem } = state;
  const done = useMemo(
    () => cells.flatMap((cell) => (cell.arms === null ? [] : [{ ...cell, arms: cell.arms }])),
    [cells],
  );
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
  const labels = axes.map(({ key }) => labelOf(experiment, key));
  const named = axes.map((axis, index) => ({ ...axis, key: labels[index] ?? axis.key }));
  const title = `Success against ${labels.join(' and ')}`;
  const save = async () => {
    const plot = gridPlot({ title, experiment, axes: named, cells: done });
    const svg = await pictureOf(plot, { note: gridInWords(named, done).join(' '), description: `#${grid.link()}` });
    saveFile(`unmask-${experiment.preset}-sweep.svg`, new Blob([svg], { type: 'image/svg+xml' }));
  };
  return (
    <>
      <p>
        {title}: “{experiment.title}”, {plural(cells.length, 'population')} one after the other.
      </p>
      {told}
      <Progress grid={grid} state={state} />
      {done.length > 0 && (
        <div className="split sweep-shown">
          <GridChart title={title} experiment={experiment} axes={named} cells={done} />
          <div data-testid="grid-finding">
            {done.length === cells.length && gridInWords(named, done).map((words) => <p key={words}>{words}</p>)}
            <Caption said="Each population against the best, seed by seed, by 95% intervals." about="the comparison">
              {FLATTERED}
            </Caption>
          </div>
        </div>
      )}
      <GridTable experiment={experiment} labels={labels} cells={cells} current={state.current} />
      <div className="dialog-buttons">
        {done.length > 0 && <Button onClick={() => void save()}>Save the picture</Button>}
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
        <div className="grid-steering row">
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
