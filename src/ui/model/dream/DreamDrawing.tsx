/** A dream up to a turn: on the board where answers name places, else written beside what was seen. */

import { useLayoutEffect, useRef } from 'react';
import type { BoardScene, Scene } from '../../../environments/scene';
import type { ExperimentWorld } from '../environment';
import { Board } from '../worlds/boards/Board';
import { AnswerPairs } from './AnswerPairs';
import type { DreamedAnswer } from './answers';

interface Props {
  readonly answers: readonly DreamedAnswer[];
  /** Answers of the turns shown. */
  readonly shown: readonly DreamedAnswer[];
  readonly scenes: readonly Scene[];
  readonly world: ExperimentWorld;
  readonly isOneDream: boolean;
  readonly colour: string;
  readonly label: string;
}

export function DreamDrawing({ answers, shown, scenes, world, isOneDream, colour, label }: Props) {
  const { environment, words } = world;
  const cellNamed = (tokens: readonly number[]): Cell => environment.cellNamed?.(tokens) ?? null;
  if (!answers.some(({ seen }) => cellNamed(seen) !== null)) {
    return <DreamTokens answers={shown} scenes={scenes} words={words} label={label} />;
  }
  const now = shown.at(-1);
  return (
    <div>
      <DreamBoard
        way={scenes.slice(0, shown.length + 1) as readonly BoardScene[]}
        cells={shown.map(({ dreamed }) => cellNamed(dreamed))}
        isOneDream={isOneDream}
        colour={colour}
        label={label}
      />
      <p className="dream-now small clips above-4">
        {now === undefined ? null : (
          <>
            <span className="soft">dreamed</span> <AnswerPairs answer={now} words={words} />{' '}
            <span className="soft">seen</span>
          </>
        )}
      </p>
    </div>
  );
}

type Cell = readonly [x: number, y: number] | null;

interface DreamBoardProps extends Pick<Props, 'isOneDream' | 'colour' | 'label'> {
  /** Boards from the prompt to the turn shown. */
  readonly way: readonly BoardScene[];
  /** Cell after each turn up to the one shown. */
  readonly cells: readonly Cell[];
}

const points = (cells: readonly Cell[]): string =>
  cells.flatMap((cell) => (cell === null ? [] : [`${cell[0] + 0.5},${cell[1] + 0.5}`])).join(' ');

/**
 * The dream on a board: the real world, faint, and over it the cells that the dreamed answers name: the present one as
 * a disc, earlier ones as dots, joined where all are one dream. An answer that names no cell leaves none.
 */
function DreamBoard({ way, cells, isOneDream, colour, label }: DreamBoardProps) {
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

interface DreamTokensProps {
  /** Answer after each turn up to the one shown. */
  readonly answers: readonly DreamedAnswer[];
  readonly scenes: readonly Scene[];
  readonly words: readonly string[];
  readonly label: string;
}

/** The dream of a world whose answers name no places: every answer so far, what was dreamed over what was seen. */
function DreamTokens({ answers, scenes, words, label }: DreamTokensProps) {
  const list = useRef<HTMLOListElement>(null);
  const { length } = answers;
  useLayoutEffect(() => {
    if (list.current !== null && length > 0) list.current.scrollTop = list.current.scrollHeight;
  }, [length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <ol ref={list} className="dream-tokens fine shrinks raised" tabIndex={0} aria-label={label}>
      {length === 0 && <li className="soft">before the first answer</li>}
      {answers.map((answer, turn) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
        <li key={turn}>
          <span className="small soft">{scenes[turn + 1]?.action ?? `turn ${turn + 1}`}</span>
          {answer.seen.length === 0 ? (
            <span className="soft">the episode ended: no answer</span>
          ) : (
            <AnswerPairs answer={answer} words={words} />
          )}
        </li>
      ))}
    </ol>
  );
}
