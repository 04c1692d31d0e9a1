/** Agreement of world and dream by the number of turns dreamed: a bar each, over the dreams from every turn of the episode. */
import type { DreamView } from '../../../train/looks/shown';
import { formatPercent, plural } from '../../kit/format';
import { Row, Table } from '../../kit/Table';

type Counts = Pick<DreamView, 'dreamed' | 'agreed'>;

const shareAfter = ({ dreamed, agreed }: Counts, turn: number): number =>
  (agreed[turn] ?? Number.NaN) / (dreamed[turn] ?? 0);

export function HorizonBars({ counts, colour }: { counts: Counts; colour: string }) {
  const { length } = counts.dreamed;
  return (
    <>
      <svg viewBox={`0 0 ${length} 100`} preserveAspectRatio="none" aria-hidden="true">
        {Array.from({ length }, (_, turn) => {
          const height = 100 * (shareAfter(counts, turn) || 0);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a number of turns is its place
            <g key={turn}>
              <rect className="veil" x={turn + 0.1} y="0" width="0.8" height="100" />
              <rect x={turn + 0.1} y={100 - height} width="0.8" height={height} fill={colour} />
            </g>
          );
        })}
      </svg>
      <p className="dream-axis small soft between">
        <span>1</span>
        <span>{length > 1 ? plural(length, 'turn') : 'turn'}</span>
      </p>
    </>
  );
}

export function HorizonTable({ counts }: { counts: Counts }) {
  return (
    <details className="dream-table small">
      <summary>Agreement by turns dreamed</summary>
      <Table className="table-numbers" columns={['turns', 'agree', 'tokens']}>
        {Array.from(counts.dreamed, (of, turn) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a number of turns is its place
          <Row key={turn} data-agreed={counts.agreed[turn]} data-of={of} head={turn + 1}>
            <td>{of === 0 ? '–' : formatPercent(shareAfter(counts, turn))}</td>
            <td>
              {counts.agreed[turn]} of {of}
            </td>
          </Row>
        ))}
      </Table>
    </details>
  );
}
