/** A board up to one turn: where the agent began, the way it took, where it is, and its goal. */
import type { BoardFrame } from '../../environments/environment';

interface Props {
  readonly frames: readonly BoardFrame[];
  /** The last frame drawn. */
  readonly turn: number;
  readonly colour: string;
  readonly label: string;
}

const CELL = 20;
const GAP = 1;
const center = (at: number): number => at * CELL + CELL / 2;

export function Board({ frames, turn, colour, label }: Props) {
  const [first] = frames;
  if (first === undefined) return null;
  const { width, height, goal } = first;
  const way = frames.slice(0, turn + 1);
  const agent = way.at(-1)?.agent ?? first.agent;
  const cells = Array.from(
    { length: width * height },
    (_, index) => [index % width, Math.floor(index / width)] as const,
  );
  return (
    <svg className="board" viewBox={`0 0 ${width * CELL} ${height * CELL}`} role="img" aria-label={label}>
      {cells.map(([x, y]) => (
        <rect
          key={`${x},${y}`}
          x={x * CELL + GAP / 2}
          y={y * CELL + GAP / 2}
          width={CELL - GAP}
          height={CELL - GAP}
          className={first.walls.some(([wx, wy]) => wx === x && wy === y) ? 'board-wall' : 'board-cell'}
        />
      ))}
      <rect
        className="board-goal"
        x={goal[0] * CELL + 2}
        y={goal[1] * CELL + 2}
        width={CELL - 4}
        height={CELL - 4}
        rx="2"
      />
      <circle
        className="board-start"
        cx={center(first.agent[0])}
        cy={center(first.agent[1])}
        r={CELL * 0.14}
        stroke={colour}
      />
      <polyline
        className="board-way"
        points={way.map(({ agent: [x, y] }) => `${center(x)},${center(y)}`).join(' ')}
        stroke={colour}
      />
      <circle cx={center(agent[0])} cy={center(agent[1])} r={CELL * 0.26} fill={colour} />
    </svg>
  );
}
