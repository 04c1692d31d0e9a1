/** Areas of seeds as dots on a line from 0 to 1, one row a kind; read out as numbers by whoever names them. */
const WIDTH = 120;
const ROW = 13;
const ROOM = 4;

interface Row {
  readonly areas: readonly number[];
  /** Class of fair.css that colours the dots. */
  readonly className: string;
}

export function Seeds({ rows }: { rows: readonly Row[] }) {
  const height = ROW * rows.length;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} height={height} aria-hidden="true">
      <line x1={ROOM} x2={WIDTH - ROOM} y1={height / 2} y2={height / 2} className="fair-axis" />
      {rows.map(({ areas, className }, row) =>
        areas.map((area, seed) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a seed is its place in the list
            key={`${className}-${seed}`}
            cx={ROOM + area * (WIDTH - 2 * ROOM)}
            cy={(row + 0.5) * ROW}
            r={3}
            className={className}
          />
        )),
      )}
    </svg>
  );
}
