/**
 * Arms against a baseline over seeds: by which measurement, by what of its curve, and what may be concluded. Loaded apart
 * from the page.
 */

import { useState } from 'react';
import { SUMMARIES, type Summary } from '../../../../../experiment/conclude/comparison';
import { contendersOf } from '../../../../../store/look/contenders';
import { Caption } from '../../../../kit/Caption';
import { StackedChoice } from '../../../../kit/Choice';
import { Check } from '../../../../kit/Fields';
import { plural } from '../../../../kit/format';
import { Row, Table } from '../../../../kit/Table';
import { type ArmColour, armColours } from '../../../../model/armColour';
import { placeLink } from '../../../../model/place';
import { useKeptRuns, useLab } from '../../../../model/useLab';
import {
  conclusion,
  differenceInWords,
  type Figure,
  improvementInWords,
  iqmInWords,
  meanInWords,
} from './comparisonWords';
import { MEASURES, type Measure, scaleOf, summariesOf } from './measures';
import { type Extent, SeedDots } from './SeedDots';
import { type Compared, type ComparisonRow, useComparison } from './useComparison';
import './compare.css';

const COLUMNS = ['seed by seed', 'mean', 'mean of the middle half', 'difference', 'chance to be better'] as const;

export function ComparePanel() {
  const [measure, setMeasure] = useState<Measure>(MEASURES[0] as Measure);
  const [asked, setSummary] = useState<Summary>('area');
  const [baseline, setBaseline] = useState('');
  const summary = summariesOf(measure).includes(asked) ? asked : 'area';
  const [without, setWithout] = useState<readonly string[]>([]);
  const compared = useComparison({ measure, summary, baseline, without: without.join() });
  const contenders = <Contenders without={without} onChange={setWithout} />;
  if (compared === null) {
    return (
      <>
        <p className="small soft">The comparison begins with the first update, or with kept runs chosen for it.</p>
        {contenders}
      </>
    );
  }
  const against = compared.rows.find(({ contender }) => contender.key === baseline) ?? compared.rows[0];
  return (
    <>
      <div className="row padded">
        <StackedChoice
          label="Measurement"
          value={measure.metric}
          options={MEASURES.map(({ metric, label }) => [metric, label])}
          onChoose={(chosen) => setMeasure(MEASURES.find(({ metric }) => metric === chosen) ?? measure)}
        />
        <StackedChoice
          label="Summary of each seed"
          testId="compare-summary"
          value={summary}
          options={summariesOf(measure).map((id) => [id, SUMMARIES[id].label])}
          onChoose={(chosen) => setSummary(chosen as Summary)}
        />
        <StackedChoice
          label="Baseline"
          testId="compare-baseline"
          value={against?.contender.key ?? ''}
          options={compared.rows.map(({ contender }) => [contender.key, contender.name])}
          onChoose={setBaseline}
        />
      </div>
      {contenders}
      {against !== undefined && <Comparisons {...{ compared, against, measure, summary }} />}
      <Explanation rows={compared.rows} />
    </>
  );
}

interface ComparisonsProps {
  readonly compared: Compared;
  readonly against: ComparisonRow;
  readonly measure: Measure;
  readonly summary: Summary;
}

function Comparisons({ compared: { rows, updates }, against, measure, summary }: ComparisonsProps) {
  const scale = scaleOf(measure, summary);
  const extent = extentOf(rows);
  const baseline = against.contender.name;
  return (
    <Table
      className="compare-table table-folds full"
      testId="compare-table"
      captionClass="small soft"
      caption={
        <>
          {measure.label}, {SUMMARIES[summary].label}, over {lengthInWords(rows, updates)};{' '}
          {scale.lowerIsBetter ? 'less' : 'more'} is better
        </>
      }
      columns={['arm', ...COLUMNS, 'conclusion']}
    >
      {rows.map(({ contender, values, comparison }) => {
        const colour = colourOf(contender);
        const cells = [
          <SeedDots key="dots" {...{ values, extent, colour, scale }} row={comparison} />,
          <Written key="mean" {...meanInWords(comparison, scale)} />,
          <Written key="iqm" {...iqmInWords(comparison, scale)} />,
          <Written key="difference" {...differenceInWords(comparison, scale)} />,
          <Written key="improvement" {...improvementInWords(comparison)} />,
        ];
        return (
          <Row
            key={contender.key}
            testId={`compare-${contender.key.replace(' ', '-')}`}
            head={
              <>
                <span className="bold" style={{ color: colour.stroke }}>
                  {contender.name}
                </span>
                <span className="compare-about small soft block unbroken">
                  {' '}
                  {plural(comparison.seeds, 'seed')}
                  {contender.isFixed && ', a fixed policy'}
                </span>
              </>
            }
          >
            {COLUMNS.map((column, index) => (
              <td key={column} data-label={column} data-column={index}>
                <div>{cells[index]}</div>
              </td>
            ))}
            <td data-label="conclusion" data-column="conclusion">
              <div>{conclusion(comparison, baseline, scale)}</div>
            </td>
          </Row>
        );
      })}
    </Table>
  );
}

function Written({ value, about }: Figure) {
  return (
    <>
      {value}
      {about !== '' && ' '}
      {about !== '' && <span className="compare-about small soft block unbroken">{about}</span>}
    </>
  );
}

/** Runs of different lengths are cut to the shortest. */
function lengthInWords(rows: readonly ComparisonRow[], updates: number): string {
  const longer = rows.some(({ contender }) => contender.run.history.count > updates);
  return longer ? `the first ${plural(updates, 'update')}, which all of these runs have` : plural(updates, 'update');
}

function Explanation({ rows }: { rows: readonly ComparisonRow[] }) {
  const few = Math.min(...rows.map(({ comparison }) => comparison.seeds)) < 8;
  return (
    <Caption said="In brackets: 95% intervals, limited to values that the measurement can have." about="the intervals">
      Student’s t below 8 seeds, the bootstrap over seeds from 8. The difference is taken seed by seed, from the same
      start on the same tasks; unpaired, where runs share no seeds or tasks, it is that of the means (Welch’s t, or the
      bootstrap of each apart). The chance is that a seed of the arm does better than one of the baseline
      (Mann–Whitney). The middle half of the seeds has the interquartile mean, which one lucky seed cannot move.{' '}
      {few && 'Interquartile means and chances have an interval from 8 seeds on: with fewer, not enough to tell.'}
    </Caption>
  );
}

const colourOf = ({ run, arm }: ComparisonRow['contender']): ArmColour => {
  const { arms } = run.experiment;
  return armColours(arms).get(arms[arm]?.id ?? '') ?? { stroke: 'var(--ink)', dash: '' };
};

/** All seeds of all arms, and their intervals as far as seeds lie. */
function extentOf(rows: readonly ComparisonRow[]): Extent {
  const finite = rows.flatMap(({ values }) => values.filter(Number.isFinite));
  const [low, high] = [Math.min(...finite), Math.max(...finite)];
  const never = rows.some(({ values }) => values.includes(Number.POSITIVE_INFINITY));
  return [low, never ? high + 0.15 * (high - low || 1) : high];
}

interface Props {
  /** Keys of those that are left out. */
  readonly without: readonly string[];
  readonly onChange: (without: readonly string[]) => void;
}

/** Choice of the runs and arms that are compared: the run on screen, the pinned one, and any others that are kept. */
function Contenders({ without, onChange }: Props) {
  const lab = useLab();
  // The contenders are those of the kept runs that were chosen.
  useKeptRuns((state) => state);
  const contenders = contendersOf(lab.recordedRuns());
  const chosen = contenders.filter(({ key }) => !without.includes(key)).length;
  return (
    <details className="contenders" data-testid="contenders">
      <summary>
        Runs and arms compared: {chosen} of {plural(contenders.length, 'arm')}
      </summary>
      <fieldset className="row row-close padded-4">
        <legend className="small soft">Arms</legend>
        {contenders.map(({ key, name }) => (
          <Check
            key={key}
            checked={!without.includes(key)}
            testId={`contender-${key.replace(' ', '-')}`}
            onCheck={(wanted) => onChange(wanted ? without.filter((one) => one !== key) : [...without, key])}
          >
            {name}
          </Check>
        ))}
      </fieldset>
      <p className="small padded-4">
        <a href={placeLink('runs')}>Choose kept runs</a> to compare them with the one on screen.
      </p>
    </details>
  );
}
