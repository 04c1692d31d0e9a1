/** Kept runs laid over one another: a measure of all their arms in one chart. An arm has its colour, a run its dashes. */
import { Fragment, useCallback, useMemo, useState } from 'react';
import { FINAL_UPDATES, finalUpdatesWords, summarise } from '../../../experiment/conclude/statistics';
import { type CurvePoint, Curves, completed } from '../../../measured/curves';
import type { RecordedRun } from '../../../store/look/contenders';
import { StackedChoice } from '../../kit/Choice';
import { plural } from '../../kit/format';
import { useArrived } from '../../kit/part';
import { PlotPlace } from '../../kit/plot/PlotPlace';
import type { PlotProps, Series } from '../../kit/plot/plot';
import { Swatch } from '../../kit/plot/Swatch';
import { Row, Table } from '../../kit/Table';
import { armColours } from '../../model/armColour';
import { valueAxis } from '../../model/charts/drawn/scale';
import { decisiveCharts } from '../../model/charts/kinds/decisiveDefinitions';
import { type ChartDefinition, windowOf } from '../../model/charts/kinds/definition';
import { chartOf, otherCharts } from '../../model/charts/kinds/definitions';
import { horizontalAxis, placeInWords, writeTick } from '../../model/charts/progress';
import { placeLink } from '../../model/place';
import { useKeptRuns, useLab, usePreferences } from '../../model/useLab';
import { toldApart } from './runNames';

const CHARTS: readonly ChartDefinition[] = [...decisiveCharts, ...otherCharts];
/** Points of a line, as a chart at rest has. */
const LIMIT = 200;
/** Lines whose names find room at their ends; with more, the table below names them. */
const NAMED = 8;
/** Share of the longest run's updates below which a run's names stand at its own end. */
const SHORT = 0.9;
/** Dashes of the runs, in the order in which they were chosen. */
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '12 4', '1 3', '4 4', '10 2'] as const;

interface DrawnRun {
  readonly run: RecordedRun;
  readonly points: readonly CurvePoint[];
}

/** Curves of a run's measures, computed once. */
const known = new WeakMap<RecordedRun, Curves>();

function curvesOf(run: RecordedRun): Curves {
  const curves = known.get(run) ?? new Curves(run.history, run.experiment);
  known.set(run, curves);
  return curves;
}

/** Points of every run, computed in short tasks; those before until then. */
function useDrawn(runs: readonly RecordedRun[], definition: ChartDefinition): readonly DrawnRun[] {
  const smoothing = usePreferences((state) => state.smoothing);
  const draw = useCallback(async () => {
    const shape = { limit: LIMIT, window: windowOf(definition, smoothing) };
    const drawn: DrawnRun[] = [];
    for (const run of runs) {
      drawn.push({ run, points: (await completed(curvesOf(run), definition.metric, shape)).points });
    }
    return drawn;
  }, [runs, definition, smoothing]);
  return useArrived(draw) ?? [];
}

export function RunCurves() {
  const { kept } = useLab();
  // The runs themselves are kept outside of the state, which has their ids.
  const ids = useKeptRuns((state) => state.compared);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they change with their ids
  const runs = useMemo(() => kept.overlaid(), [kept, ids]);
  const [metric, setMetric] = useState<ChartDefinition['metric']>('successRate');
  const definition = chartOf(metric);
  const drawn = useDrawn(runs, definition);
  if (runs.length === 0) return null;
  return (
    <section id="run-curves" className="stack" aria-label="Runs laid over one another" data-testid="run-curves">
      <div className="row ends">
        <StackedChoice
          label="Measure"
          value={metric}
          options={CHARTS.map((chart) => [chart.metric, `${chart.title}, ${chart.unit}`])}
          onChoose={setMetric}
        />
        <a className="button" href={placeLink('sure')}>
          Compare their arms over seeds
        </a>
      </div>
      <PlotPlace className="run-curves-plot" height={320} plot={plotOf(definition, drawn)} />
      <Ends definition={definition} drawn={drawn} />
    </section>
  );
}

const lengthOf = ({ run }: DrawnRun): number => run.history.count;

const namesOf = (drawn: readonly DrawnRun[]): string[] =>
  toldApart(drawn.map(({ run }) => ({ name: run.label, updates: run.history.count })));

/** Lines of each run, an arm each. */
function linesOf(drawn: readonly DrawnRun[]): Series[][] {
  const lines = drawn.reduce((sum, { run }) => sum + run.experiment.arms.length, 0);
  const longest = Math.max(...drawn.map(lengthOf));
  const names = namesOf(drawn);
  return drawn.map(({ run, points }, number) => {
    const colours = armColours(run.experiment.arms);
    return run.experiment.arms.map(({ id, name }, arm): Series => {
      const places = points.flatMap(({ at, mean, band }) =>
        at[arm] == null ? [] : [{ at: at[arm], value: mean[arm] ?? null, band: band[arm] ?? null }],
      );
      return {
        id: `${run.id} ${id}`,
        name: drawn.length === 1 ? name : `${number + 1} ${name}`,
        title: `${name}, ${names[number]}`,
        kind: 'mean',
        colour: colours.get(id)?.stroke ?? 'var(--ink)',
        dash: DASHES[number % DASHES.length] ?? '',
        isJoined: true,
        points: places,
        isShort: run.history.count < SHORT * longest,
        ...(lines <= NAMED ? { label: '' } : {}),
      };
    });
  });
}

function plotOf(definition: ChartDefinition, drawn: readonly DrawnRun[]): PlotProps {
  const points = drawn.flatMap((one) => one.points);
  const updates = Math.max(1, ...drawn.map(lengthOf));
  const horizontal = horizontalAxis('updates', updates, points);
  const series = linesOf(drawn).flat();
  return {
    title: `${definition.title}, ${definition.unit}, of ${plural(drawn.length, 'run')}`,
    description: `Mean of each arm over its seeds. The table below has their means, ${finalUpdatesWords(updates)}.`,
    across: {
      domain: [0, horizontal.end],
      ticks: horizontal.ticks,
      write: writeTick,
      words: (at) => placeInWords('updates', at),
      name: 'updates',
    },
    up: { ...valueAxis(definition, points, null, 'whole'), write: definition.format },
    series,
    format: definition.format,
    room: series.length <= NAMED ? 144 : 12,
  };
}

/** Arms under each run's name: their lines, and a number, the same one as in the list above. */
function Ends({ definition, drawn }: { definition: ChartDefinition; drawn: readonly DrawnRun[] }) {
  const lines = linesOf(drawn);
  const names = namesOf(drawn);
  const longest = Math.max(...drawn.map(lengthOf));
  const written = ({ history }: RecordedRun, arm: number): string => {
    const { mean } = summarise(history.lastOfSeeds(arm, definition.metric, FINAL_UPDATES));
    return mean === null ? '–' : definition.format(mean);
  };
  return (
    <Table
      className="run-curves-ends small"
      columns={['Run and arm', `${definition.title}, ${finalUpdatesWords(longest)}`]}
      caption="Runs laid over one another"
    >
      {drawn.map(({ run }, number) => (
        <Fragment key={run.id}>
          <tr>
            <th scope="rowgroup" colSpan={2} className="above-8 bold breaks">
              {drawn.length === 1 ? '' : `${number + 1} `}
              {names[number]}
            </th>
          </tr>
          {lines[number]?.map(({ id, colour, dash = '' }, arm) => (
            <Row
              key={id}
              head={
                <>
                  <Swatch stroke={colour} dash={dash} /> {run.experiment.arms[arm]?.name}
                </>
              }
              cells={[written(run, arm)]}
            />
          ))}
        </Fragment>
      ))}
    </Table>
  );
}
