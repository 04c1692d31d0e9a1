/**
 * The gap between world model and mask as a table that is its own picture: in each cell the areas of all seeds as dots, the
 * mask's above the world model's, and the difference of their means; faint where its interval holds 0.
 */
import type { MapCell, MapRow } from '../../experiment/fairGround';
import { cellInWords, PLACE_NAMES, SCALE_NAMES, signOf } from '../../experiment/fairWords';
import { Seeds } from './Seeds';

export function FairMap({ rows }: { rows: readonly MapRow[] }) {
  const scales = rows[0]?.cells.map(({ scale }) => scale) ?? [];
  return (
    <div className="fair-scroll">
      <table className="fair-map small" data-testid="fair-map">
        <caption className="soft">
          World model minus action mask, area under the success curve; <span className="fair-dot fair-mask" /> a seed of
          the mask, <span className="fair-dot fair-model" /> of the world model, from 0 to 1
        </caption>
        <thead>
          <tr>
            <th scope="col">World</th>
            {scales.map((scale) => (
              <th scope="col" key={scale}>
                {SCALE_NAMES[scale] ?? scale}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.place}>
              <th scope="row">{PLACE_NAMES[row.place] ?? row.place}</th>
              {row.cells.map((cell) => (
                <Cell key={cell.scale} row={row} cell={cell} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ row, cell }: { row: MapRow; cell: MapCell }) {
  const { mean } = cell.gap;
  const words = cellInWords(row, cell);
  const sign = signOf(cell.gap);
  return (
    <td className={sign === 0 ? 'fair-open' : sign > 0 ? 'fair-ahead' : 'fair-behind'} title={words}>
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
