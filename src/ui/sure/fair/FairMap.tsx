/**
 * The gap between world model and mask as a table that is its own picture: in each cell the areas of all seeds as dots, the
 * mask's above the world model's, and the difference of their means; faint where its interval holds 0.
 */
import type { MapCell, MapRow } from '../../../experiment/fairGround';
import { cellInWords, PLACE_NAMES, SCALE_NAMES } from '../../../experiment/fairMapWords';
import { signOf } from '../../../experiment/fairNumbers';
import { Row, Scrolling, Table } from '../../kit/Table';
import { Seeds } from './Seeds';

export function FairMap({ rows }: { rows: readonly MapRow[] }) {
  const scales = rows[0]?.cells.map(({ scale }) => scale) ?? [];
  return (
    <Scrolling label="The map of when">
      <Table
        className="fair-map table-folds small"
        testId="fair-map"
        columns={['World', ...scales.map((scale) => SCALE_NAMES[scale] ?? scale)]}
        captionClass="soft"
        caption={
          <>
            World model minus action mask, area under the success curve; <span className="fair-dot fair-mask" /> a seed
            of the mask, <span className="fair-dot fair-model" /> of the world model, from 0 to 1
          </>
        }
      >
        {rows.map((row) => (
          <Row key={row.place} head={PLACE_NAMES[row.place] ?? row.place}>
            {row.cells.map((cell) => (
              <Cell key={cell.scale} row={row} cell={cell} />
            ))}
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}

function Cell({ row, cell }: { row: MapRow; cell: MapCell }) {
  const { mean } = cell.gap;
  const words = cellInWords(row, cell);
  const sign = signOf(cell.gap);
  return (
    <td
      className={sign === 0 ? 'fair-open' : sign > 0 ? 'fair-ahead' : 'fair-behind'}
      data-label={SCALE_NAMES[cell.scale] ?? cell.scale}
      title={words}
    >
      <a href={`#${cell.links[1]}`} target="_blank" rel="noreferrer" aria-label={words}>
        <span className="fair-gap">
          {mean < 0 ? '−' : '+'}
          {Math.abs(mean).toFixed(2)}
        </span>
        <Seeds
          rows={[
            { areas: cell.mask, className: 'fair-mask' },
            { areas: cell.model, className: 'fair-model' },
          ]}
        />
      </a>
    </td>
  );
}
