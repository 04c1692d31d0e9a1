/** Picture of a formula while one types it: its loss and its slope, one plot a sign of the advantage, and as a table. */
import { useMemo } from 'react';
import type { Formula } from '../../../../formula/compile';
import { notationOf } from '../../../../formula/notation';
import { RUN_INPUTS } from '../../../../formula/vocabulary';
import { formatMeasured } from '../../../kit/format';
import { linear } from '../../../kit/plot/axes';
import { PlotPlace } from '../../../kit/plot/PlotPlace';
import type { PlotProps } from '../../../kit/plot/plot';
import { Row, Scrolling, Table } from '../../../kit/Table';
import { MathML } from '../../../model/formula/MathML';
import { BEFORE, type DrawnRole, type Picture, type PictureSide, pictureOf } from './picture';

interface Props {
  readonly formula: Formula;
  readonly values: readonly number[];
  readonly role: DrawnRole;
  /** The text has a mistake since. */
  readonly isOld: boolean;
}

export function LossPicture({ formula, values, role, isOld }: Props) {
  const picture = useMemo(() => pictureOf(formula, values, role), [formula, values, role]);
  const { across, sides, gap, isAway } = picture;
  const lines = useMemo(() => {
    const named = formula.parameters.map(({ name }, i) => [name, values[i] ?? 0] as const);
    return notationOf(formula.program, Object.fromEntries(named));
  }, [formula, values]);
  return (
    <section className="own-loss-picture column short scrolls" aria-label="Loss and slope">
      <p className="small">
        <b>{isOld ? 'Before the mistake: loss and slope' : 'Loss and slope'}</b>{' '}
        <span className="soft">
          of one {role} token alone, against its{' '}
          {across === 'ratio' ? 'ratio to the policy before the update' : 'probability'}
          {formula.reads.has('ref_logp') && `, where the reference gives it ${BEFORE}`}
          {RUN_INPUTS.some((name) => formula.reads.has(name)) && ', at update 0, without a success so far'}
        </span>
      </p>
      <div className="cards own-loss-plots">
        {sides.map((side) => (
          <figure key={side.advantage}>
            {side.advantage !== null && <figcaption className="small">{nameOf(side)}</figcaption>}
            <PlotPlace className="own-loss-plot" height={184} plot={plotOf(picture, side)} />
          </figure>
        ))}
      </div>
      <p className="small soft">Solid: the loss. Dashed: its slope by the token’s log-prob. {gap}</p>
      {isAway && (
        <p className="small caution">
          Its slope is above 0: minimising it makes tokens less likely. Cross-entropy is −logp.
        </p>
      )}
      <details className="small">
        <summary>Written out</summary>
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <p key={i} className="own-loss-line">
            <MathML formula={line} />
          </p>
        ))}
      </details>
      <details className="small">
        <summary>As table</summary>
        <PictureTable picture={picture} />
      </details>
    </section>
  );
}

const nameOf = ({ advantage }: PictureSide): string => (advantage === 1 ? 'A = 1' : 'A = −1');

/** Largest size of a value on the vertical axis: a steep end beyond it would press everything else flat. */
const MOST = 10;

function plotOf({ across, sides }: Picture, side: PictureSide): PlotProps {
  const all = sides.flatMap(({ points }) => points.flatMap(({ loss, slope }) => [loss, slope]));
  const values = all.filter((value) => value !== null).map((value) => Math.min(Math.max(value, -MOST), MOST));
  const line = (id: 'loss' | 'slope', dash: string) => ({
    id,
    name: id,
    kind: 'mean' as const,
    colour: id === 'loss' ? 'var(--own)' : 'var(--soft-ink)',
    dash,
    points: side.points.map((point) => ({ at: point.at, value: point[id] })),
  });
  const end = across === 'ratio' ? 2 : 1;
  return {
    title: side.advantage === null ? 'Loss and slope' : `Loss and slope, ${nameOf(side)}`,
    description: 'The numbers are under “As table”.',
    across: {
      domain: [0, end],
      ticks: across === 'ratio' ? [0, 0.5, 1, 1.5, 2] : [0, 0.25, 0.5, 0.75, 1],
      write: String,
      words: (at) => `${across} ${formatMeasured(at)}`,
    },
    up: { ...linear(Math.min(0, ...values), Math.max(0, ...values)), write: formatMeasured },
    series: [line('slope', '4 3'), line('loss', '')],
    format: formatMeasured,
    together: 'own-loss',
  };
}

/** Step between the points that the table has. */
const EACH = 8;

function PictureTable({ picture: { across, sides } }: { picture: Picture }) {
  const [first] = sides;
  const write = (value: number | null | undefined) =>
    value === null || value === undefined ? 'not finite' : formatMeasured(value);
  const named = (side: PictureSide, what: string) => (side.advantage === null ? what : `${what}, ${nameOf(side)}`);
  return (
    <Scrolling className="limited" label="Loss and slope, table">
      <Table
        caption={`Loss and slope against the ${across}`}
        columns={[across, ...sides.flatMap((side) => [named(side, 'loss'), named(side, 'slope')])]}
      >
        {first?.points.map(({ at }, i) =>
          i % EACH !== 0 ? null : (
            <Row key={at} head={formatMeasured(at)}>
              {sides.flatMap(({ advantage, points }) => [
                <td key={`loss ${advantage}`}>{write(points[i]?.loss)}</td>,
                <td key={`slope ${advantage}`}>{write(points[i]?.slope)}</td>,
              ])}
            </Row>
          ),
        )}
      </Table>
    </Scrolling>
  );
}
