/** A board up to one turn: what lies where, where the agent began, the way it took, where it is and what it carries. */
import type { BoardScene } from '../../../../environments/scene';
import './board.css';

/** A scene to be drawn, in its arm's colour and with its name for those who do not see it. */
export interface DrawnScene<S> {
  readonly now: S;
  readonly colour: string;
  readonly label: string;
}

interface Props extends DrawnScene<BoardScene> {
  /** Boards from the prompt to the turn shown. */
  readonly way: readonly BoardScene[];
}

const CELL = 20;
const GAP = 1;
const center = (at: number): number => at * CELL + CELL / 2;

export function Board({ way, now, colour, label }: Props) {
  const { width, height, cells, agent, boxes, carrying } = now;
  const start = way[0]?.agent ?? agent;
  return (
    <svg className="board" viewBox={`0 0 ${width * CELL} ${height * CELL}`} role="img" aria-label={label}>
      {cells.map((kind, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
        <Cell key={index} kind={kind} x={(index % width) * CELL} y={Math.floor(index / width) * CELL} />
      ))}
      <circle className="board-start" cx={center(start[0])} cy={center(start[1])} r={CELL * 0.14} stroke={colour} />
      <polyline
        className="board-way"
        points={way.map(({ agent: [x, y] }) => `${center(x)},${center(y)}`).join(' ')}
        stroke={colour}
      />
      {boxes.map(([x, y], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a box keeps its number while it moves
        <Box key={index} x={x * CELL} y={y * CELL} />
      ))}
      <circle cx={center(agent[0])} cy={center(agent[1])} r={CELL * 0.26} fill={colour} />
      {carrying === 'key' ? <Key x={agent[0] * CELL} y={agent[1] * CELL} isHeld /> : null}
    </svg>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function Cell({ kind, x, y }: Place & { kind: BoardScene['cells'][number] }) {
  const floor = kind === 'wall' ? 'board-wall' : kind === 'ice' ? 'board-ice' : 'veil';
  return (
    <>
      <rect x={x + GAP / 2} y={y + GAP / 2} width={CELL - GAP} height={CELL - GAP} className={floor} />
      <Lying kind={kind} x={x} y={y} />
    </>
  );
}

/** Thing that lies on a cell. */
function Lying({ kind, x, y }: Place & { kind: BoardScene['cells'][number] }) {
  switch (kind) {
    case 'goal':
      return <rect className="board-goal" x={x + 2} y={y + 2} width={CELL - 4} height={CELL - 4} rx="2" />;
    case 'target':
      return <path className="board-goal" d={corners(x, y)} />;
    case 'hole':
      return <ellipse className="board-hole" cx={x + CELL / 2} cy={y + CELL / 2} rx={CELL * 0.36} ry={CELL * 0.3} />;
    case 'ice':
      return <path className="board-glint" d={`M${x + 4} ${y + 9}l5 -5M${x + 8} ${y + 11}l3 -3`} />;
    case 'key':
      return <Key x={x} y={y} isHeld={false} />;
    case 'door':
      return (
        <>
          <rect className="board-door" x={x + 2} y={y + 2} width={CELL - 4} height={CELL - 4} />
          <circle className="board-keyhole" cx={x + CELL / 2} cy={y + CELL / 2 - 1.5} r="2" />
          <path className="board-keyhole" d={`M${x + 9.2} ${y + 9}h1.6l1 5h-3.6z`} />
        </>
      );
    case 'open-door':
      return <path className="board-frame" d={`M${x + 3} ${y + 2}v16M${x + 17} ${y + 2}v16`} />;
    default:
      return null;
  }
}

/** Four corners, where a box has to stand. */
function corners(x: number, y: number): string {
  const [near, far, arm] = [3, CELL - 3, 4];
  return [
    `M${x + near} ${y + near + arm}v${-arm}h${arm}`,
    `M${x + far - arm} ${y + near}h${arm}v${arm}`,
    `M${x + far} ${y + far - arm}v${arm}h${-arm}`,
    `M${x + near + arm} ${y + far}h${-arm}v${-arm}`,
  ].join('');
}

function Box({ x, y }: Place) {
  return (
    <g className="board-box">
      <rect x={x + 4} y={y + 4} width={CELL - 8} height={CELL - 8} rx="1" />
      <path d={`M${x + 4} ${y + 4}l12 12M${x + 16} ${y + 4}l-12 12`} />
    </g>
  );
}

/** Bow, shaft and two teeth; small and light on the agent that holds it. */
function Key({ x, y, isHeld }: Place & { isHeld: boolean }) {
  return (
    <g
      className={isHeld ? 'board-key board-key-held' : 'board-key'}
      transform={`translate(${x + CELL / 2} ${y + CELL / 2}) scale(${isHeld ? 0.55 : 1})`}
    >
      <circle cx="-4" cy="0" r="2.6" />
      <path d="M-1.4 0H6.4M3.4 0v3M6.2 0v3" />
    </g>
  );
}
