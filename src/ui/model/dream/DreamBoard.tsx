/**
 * The dream on a board: the real world, faint, and over it the cells that the dreamed answers name: the present one as
 * a disc, earlier ones as dots, joined where all are one dream. An answer that names no cell leaves none.
 */
import type { BoardScene } from '../../../environments/environment';
import { Board } from '../worlds/boards/Board';

export type Cell = readonly [x: number, y: number] | null;

interface Props {
  /** Boards from the prompt to the turn shown. */
  readonly way: readonly BoardScene[];
  /** Cell after each turn up to the one shown. */
  readonly cells: readonly Cell[];
  readonly isOneDream: boolean;
  readonly colour: string;
  readonly label: string;
}

const points = (cells: readonly Cell[]): string =>
  cells.flatMap((cell) => (cell === null ? [] : [`${cell[0] + 0.5},${cell[1] + 0.5}`])).join(' ');

export function DreamBoard({ way, cells, isOneDream, colour, label }: Props) {
  const now = way.at(-1);
  if (now === undefined) return <div className="board board-empty veil" role="img" aria-label={label} />;
  const ghost = cells.at(-1) ?? null;
  return (
    <div className="dream-board relative">
      <Board way={way} now={now} colour={colour} label={label} />
      <svg
        className="board"
        viewBox={`0 0 ${now.width} ${now.height}`}
        aria-hidden="true"
        stroke={colour}
        fill={colour}
      >
        {isOneDream && <polyline className="dream-way" points={points([way[0]?.agent ?? null, ...cells])} />}
        {cells.slice(0, -1).map((cell, turn) =>
          cell === null ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
            <circle key={turn} className="dream-past" cx={cell[0] + 0.5} cy={cell[1] + 0.5} r="0.11" />
          ),
        )}
        {ghost !== null && (
          <>
            <polyline className="dream-gap" points={points([now.agent, ghost])} />
            <circle className="dream-ghost" cx={ghost[0] + 0.5} cy={ghost[1] + 0.5} r="0.28" />
          </>
        )}
      </svg>
    </div>
  );
}
