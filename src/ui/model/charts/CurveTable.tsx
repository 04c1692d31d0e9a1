/**
 * Curve of a chart as a table: every update with its mean and interval; each seed's own number at full precision. Rows
 * are drawn once: a measurement does not change.
 */
import { memo } from 'react';
import { bandInWords, type Curves, summaryOf } from '../../../measured/curves';
import type { ProgressAxis } from '../../../measured/progress';
import { Row, Scrolling, Table } from '../../kit/Table';
import { useGrowing } from '../../kit/useGrowing';
import { useLab, useLabState, usePreferences } from '../useLab';
import { useRedraw } from './drawn/redraw';
import { type ChartDefinition, formatInterval, isOfArm } from './kinds/definition';
import { placeInWords } from './progress';

/** Preparation that a table needs none of: a row is computed when it is drawn. */
const AT_ONCE = () => true;
/** Rows drawn at most: the newest. */
const ROWS = 500;
/** Rows drawn in one task. */
const PART = 40;

export function CurveTable({ definition }: { definition: ChartDefinition }) {
  const lab = useLab();
  const arms = useLabState((state) => state.running?.arms);
  const seeds = useLabState((state) => state.running?.seeds ?? 1);
  const over = usePreferences((state) => state.progress);
  useRedraw(true, AT_ONCE);
  const curves = lab.curves();
  const count = curves?.history.count ?? 0;
  const first = Math.max(0, count - ROWS);
  const drawn = useGrowing(count - first, PART);
  if (curves === null || arms === undefined) return <p className="soft small">Nothing has been measured yet.</p>;
  const rows = Array.from({ length: drawn }, (_, index) => count - 1 - index);
  const ids = arms.map(({ id }) => id).join();
  const drawnArms = arms.filter(({ id }) => isOfArm(definition, id));
  return (
    <Scrolling className="curve-table scrolls" label={`${definition.title}, table`} busy={drawn < count - first}>
      <Table
        className="small full unbroken"
        captionClass="small soft"
        caption={`${definition.title}, ${definition.unit}, newest first${
          first > 0 ? `; the last ${ROWS} updates` : ''
        }. ${bandInWords(seeds)}`}
        columns={['update', ...drawnArms.map(({ id, name }) => ({ key: id, head: name }))]}
      >
        {rows.map((update) => (
          <Update key={update} update={update} arms={ids} over={over} curves={curves} definition={definition} />
        ))}
      </Table>
    </Scrolling>
  );
}

interface UpdateProps {
  readonly update: number;
  /** Ids of arms, parted by commas. */
  readonly arms: string;
  readonly over: ProgressAxis;
  readonly curves: Curves;
  readonly definition: ChartDefinition;
}

const Update = memo(function Update({ update, arms, over, curves, definition }: UpdateProps) {
  const { metric, format } = definition;
  return (
    <Row head={update}>
      {arms.split(',').map((id, arm) => {
        if (!isOfArm(definition, id)) return null;
        const place = over === 'updates' ? null : curves.progress.at(over, update, arm);
        const seeds = curves.history.ofSeeds(update, arm, metric);
        const { mean, band } = summaryOf(seeds);
        const [low, high] = band;
        return (
          <td
            key={id}
            data-arm={id}
            data-update={update}
            data-value={mean ?? ''}
            data-at={place ?? undefined}
            data-seeds={seeds.join(' ')}
          >
            {mean === null ? 'not measured' : format(mean)}
            {low != null && high != null && (
              <span className="soft block"> {formatInterval(definition, [low, high])}</span>
            )}
            {place !== null && <span className="soft block"> at {placeInWords(over, place)}</span>}
          </td>
        );
      })}
    </Row>
  );
});
