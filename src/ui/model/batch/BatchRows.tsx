/**
 * Rows of a batch of any length: only those in sight are in the document. One stop for the keyboard, whose keys walk along the
 * tokens.
 */
import { type KeyboardEvent, type MouseEvent, memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { ChosenBatchToken, ShownRow } from '../../../batch/page/asked';
import type { Move, RowToken } from '../../../batch/page/rows';
import type { BatchDesk } from '../../../store/desk/batch';
import { useSize } from '../../kit/useSize';
import { learningOf } from '../tokens/Chip';
import './batch.css';

/** Pixels of a row, as in batch.css. */
const ROW = 30;
/** Pixels that browsers can scroll; what is longer is scrolled faster. */
const TALLEST = 8_000_000;
/** Rows beyond those in sight that are asked for, and that there have to be. */
const BEYOND = 14;
const LEAST_BEYOND = 6;
/** Pixels beside the tokens of a row, and of a letter at least, so that the narrowest token has room. */
const BESIDE = 118;
const LETTER = 8;

const KEYS: Readonly<Record<string, Move>> = {
  ...{ ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', PageUp: 'pageUp' },
  ...{ PageDown: 'pageDown', Home: 'first', End: 'last', j: 'next', k: 'before' },
};

export function BatchRows({ desk }: { desk: BatchDesk }) {
  const { laid, shown, chosen } = useStore(desk.store);
  const scroller = useRef<HTMLDivElement>(null);
  const letters = useRef<HTMLSpanElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const { width } = useSize(scroller);
  const rows = laid?.rows ?? 0;
  const seen = scroller.current?.clientHeight ?? 0;
  const height = Math.min(rows * ROW, TALLEST);
  /** Pixels of rows that a pixel of scrolling passes. */
  const speed = rows * ROW > TALLEST ? (rows * ROW - seen) / (TALLEST - seen) : 1;
  const first = Math.floor((scrolled * speed) / ROW);
  const last = Math.min(rows, first + Math.ceil(seen / ROW) + 1);

  useEffect(() => {
    const letter = Math.max(LETTER, (letters.current?.offsetWidth ?? 0) / 10);
    const columns = Math.max(8, Math.floor((width - BESIDE) / letter));
    if (width === 0) return;
    const lay = () => desk.lay(columns, Math.floor(((scroller.current?.scrollTop ?? 0) * speed) / ROW));
    // A window that is drawn wider would ask for every width on its way.
    const timer = setTimeout(lay, desk.store.getState().laid === null ? 0 : 150);
    return () => clearTimeout(timer);
  }, [desk, width, speed]);

  useLayoutEffect(() => {
    if (laid !== null && scroller.current !== null) scroller.current.scrollTop = (laid.top * ROW) / speed;
  }, [laid, speed]);

  useEffect(() => {
    if (laid === null || rows === 0) return;
    const has = shown !== null && shown.layout === laid.layout;
    const isEnough =
      has && shown.from <= Math.max(0, first - LEAST_BEYOND) && shown.to >= Math.min(rows, last + LEAST_BEYOND);
    if (!isEnough) desk.show(Math.max(0, first - BEYOND), Math.min(rows, last + BEYOND));
  }, [desk, laid, shown, rows, first, last]);

  useLayoutEffect(() => {
    const { current } = scroller;
    if (current === null || chosen === null) return;
    const [top, from] = [chosen.row * ROW, current.scrollTop * speed];
    if (top >= from + ROW && top + 2 * ROW <= from + current.clientHeight) return;
    const isFar = top < from - current.clientHeight || top > from + 2 * current.clientHeight;
    const above = isFar ? current.clientHeight / 2 : top < from + ROW ? ROW : current.clientHeight - 2 * ROW;
    current.scrollTop = Math.max(0, top - above) / speed;
  }, [chosen, speed]);

  const press = (event: KeyboardEvent) => {
    const move = KEYS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && chosen !== null && isGroups) desk.open(chosen);
    else if (move === undefined) return;
    else desk.move(move);
    event.preventDefault();
  };
  const pick = ({ target }: MouseEvent) => {
    const place = (target as Element).closest<HTMLElement>('[data-place]')?.dataset.place;
    const [trajectory = 0, token = 0] = place?.split('/').map(Number) ?? [];
    if (place !== undefined) desk.open({ trajectory, token });
  };
  const isGroups = laid?.view === 'groups';
  const here = shown?.rows.find((row) => (row.kind === 'head') === isGroups && chosenIn(row, chosen) !== null);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a list of thousands of chips would be read one by one */}
      <div
        ref={scroller}
        className="batch-rows edged relative"
        role="group"
        aria-label="Tokens; arrow keys walk along them, j and k along the trajectories"
        aria-activedescendant={
          here === undefined || chosen === null ? undefined : idOf(isGroups, chosen.trajectory, chosen.token)
        }
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys walk along the tokens
        tabIndex={0}
        data-testid="batch-rows"
        onKeyDown={press}
        onClick={pick}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
      >
        <span ref={letters} className="batch-row batch-letters" aria-hidden="true">
          0000000000
        </span>
        <div style={{ height }} />
        {shown !== null && (
          <div
            className="batch-slice"
            style={{ transform: `translateY(${scrolled + shown.from * ROW - scrolled * speed}px)` }}
          >
            {shown.rows.map((row, at) => {
              const number = shown.from + at;
              return (
                <RowView
                  key={number}
                  row={row}
                  number={number}
                  layout={shown.layout}
                  isPressed={isGroups}
                  chosen={chosenIn(row, chosen)}
                />
              );
            })}
          </div>
        )}
      </div>
    </>
  );
}

/** The chosen token if it is in a row; its row's number is another once rows are laid out again. */
function chosenIn(row: ShownRow, chosen: ChosenBatchToken | null): number | null {
  if (chosen === null || row.kind === 'group' || row.trajectory !== chosen.trajectory) return null;
  const { token } = chosen;
  const isIn = row.kind === 'head' || (token >= row.from && token < row.from + row.tokens.length);
  return isIn ? token : null;
}

const idOf = (isHead: boolean, trajectory: number, token: number): string =>
  isHead ? `batch-head-${trajectory}` : `batch-token-${trajectory}-${token}`;

interface RowProps {
  readonly row: ShownRow;
  /** A row of this number and layout has always the same content. */
  readonly number: number;
  readonly layout: number;
  /** True where heads of trajectories are pressed to see their tokens. */
  readonly isPressed: boolean;
  /** Index of the chosen token of this row; null for none. */
  readonly chosen: number | null;
}

const RowView = memo(
  function RowView({ row, isPressed, chosen }: RowProps) {
    if (row.kind === 'group') return <div className="batch-row batch-head soft one-line">{row.words}</div>;
    if (row.kind === 'head') {
      const { trajectory, words } = row;
      if (!isPressed) return <div className="batch-row batch-head one-line">{words}</div>;
      return (
        <button
          id={idOf(true, trajectory, 0)}
          type="button"
          tabIndex={-1}
          className={`batch-row batch-head batch-open${chosen === null ? '' : ' strip-chosen'} one-line to-left full bare`}
          data-place={`${trajectory}/0`}
        >
          {words}
        </button>
      );
    }
    const { trajectory, role, begins, from, tokens } = row;
    return (
      <div className={`batch-row batch-${role}`}>
        <span className="batch-role small">{begins ? role : ''}</span>
        {tokens.map((token, at) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
            key={at}
            id={idOf(false, trajectory, from + at)}
            type="button"
            tabIndex={-1}
            className={`chip batch-chip ${lookOf(token)}${chosen === from + at ? ' strip-chosen' : ''} clips firm hand`}
            style={{ width: `${token.width + 1}ch` }}
            data-place={`${trajectory}/${from + at}`}
          >
            {token.text}
          </button>
        ))}
      </div>
    );
  },
  (a, b) => a.number === b.number && a.layout === b.layout && a.chosen === b.chosen && a.isPressed === b.isPressed,
);

const lookOf = ({ weight, predictWeight }: RowToken): string =>
  Number.isNaN(weight) ? 'batch-unweighed' : `chip-${learningOf(Math.abs(weight), predictWeight)}`;
