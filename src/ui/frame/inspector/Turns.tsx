/**
 * The tokens of one trajectory, or of two side by side, turn by turn. One stop of the keyboard for each trajectory: left and
 * right walk along the tokens, up and down along the turns, Home and End to the ends. Long ones are drawn part by part, and
 * again only where something changes: what a lens shows of all tokens comes a moment after it was chosen.
 */
import { type KeyboardEvent, memo, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { ROLE } from '../../../foundation/roles';
import type { LensName, TokenPlace } from '../../../store/look/inspector';
import type { Inspection } from '../../../train/looks/shown';
import { formatMeasured } from '../../kit/format';
import { useGrowing } from '../../kit/useGrowing';
import type { ArmColour } from '../../model/armColour';
import { ArmMark } from '../../model/arms/ArmName';
import { type Look, lookThrough } from './lenses';
import { TokenCell } from './TokenCell';
import { alignedIndex, numberOf, type TokenTurn, turnsOf } from './tokens';

interface Props {
  readonly shown: readonly Inspection[];
  readonly lens: LensName;
  /** Layer and head of the lens `attention`; head null: the mean of all. */
  readonly layer: number;
  readonly head: number | null;
  readonly chosen: ChosenToken;
  readonly words: readonly string[];
  readonly colours: ReadonlyMap<string, ArmColour>;
  readonly onChoose: (place: TokenPlace) => void;
  readonly onHover: (place: TokenPlace | null) => void;
}

export interface ChosenToken {
  readonly inspection: Inspection;
  readonly index: number;
}

/** Tokens of each trajectory drawn in one task, the last turn to its end. */
const PART = 96;

export const Turns = memo(function Turns(props: Props) {
  const { lens, layer, head, chosen, words, colours, onChoose, onHover } = props;
  const grid = useRef<HTMLDivElement>(null);
  const { shown, look } = useLook(props.shown, lens, layer, head, chosen);
  const rows = useMemo(() => rowsOf(shown), [shown]);
  const longest = Math.max(...shown.map(({ tokens }) => tokens.length));
  const drawn = useGrowing(longest, PART);
  const stops = stopsOf(shown, chosen);
  const isThere = rows.some(
    ({ first, turns }) => first < drawn && turns.some((turn) => turn !== undefined && isIn(turn, chosen.index)),
  );
  // The list opens with the chosen token in focus; a token that a key led to is focused once it is drawn, which may be at once.
  const awaits = useRef(true);
  useEffect(() => {
    if (isThere && awaits.current) {
      // A microtask later: the dialog around the list is open then.
      queueMicrotask(() => grid.current?.querySelector<HTMLElement>('[data-chosen]')?.focus());
    }
    awaits.current = !isThere;
  });
  const walk = (event: KeyboardEvent): void => {
    const index = step(event.key, chosen.inspection, chosen.index);
    if (index === null) return;
    event.preventDefault();
    const arm = chosen.inspection.arm.id;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-arm="${CSS.escape(arm)}"][data-index="${index}"]`);
    if (cell != null) cell.focus();
    else {
      awaits.current = true;
      onChoose({ arm, index });
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: this is no group of form controls
    <div
      ref={grid}
      className={`turns${shown.length > 1 ? ' turns-two' : ''}`}
      role="group"
      aria-label="Tokens, turn by turn"
      onKeyDown={walk}
      onPointerLeave={() => onHover(null)}
    >
      <span />
      {shown.map((one) => (
        <ArmHead key={one.arm.id} inspection={one} colour={colours.get(one.arm.id)} />
      ))}
      {rows
        .filter(({ first }) => first < drawn)
        .map(({ turns }, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its number
          <TurnRow key={row} turn={row}>
            {shown.map((one, side) => {
              const { from, to } = turns[side] ?? NO_TURN;
              const stop = stops[side] ?? -1;
              const isOwn = one === chosen.inspection && isIn({ from, to }, chosen.index);
              return (
                <TurnTokens
                  key={one.arm.id}
                  {...{ inspection: one, from, to, look, words, onChoose, onHover }}
                  stop={isIn({ from, to }, stop) ? stop : null}
                  chosen={isOwn ? chosen.index : null}
                />
              );
            })}
          </TurnRow>
        ))}
    </div>
  );
});

const NO_TURN: TokenTurn = { from: 0, to: 0 };

const isIn = ({ from, to }: TokenTurn, index: number): boolean => from <= index && index < to;

/** Trajectories and how they look: a moment later than asked for, where that is long to draw, and never one without the other. */
function useLook(
  shown: readonly Inspection[],
  lens: LensName,
  layer: number,
  head: number | null,
  chosen: ChosenToken,
) {
  // Only attention is looked at from somewhere.
  const from = lens === 'attention' ? chosen : null;
  const scene = useMemo(() => {
    const stops = from === null ? [] : stopsOf(shown, from);
    const query = (one: Inspection): number => stops[shown.indexOf(one)] ?? 0;
    return { shown, look: lookThrough(lens, shown, { layer, head, query }) };
  }, [shown, lens, layer, head, from]);
  return useDeferredValue(scene);
}

/** Token of each trajectory at which the keyboard stops: the chosen one, and the one aligned with it in the other. */
const stopsOf = (shown: readonly Inspection[], { inspection, index }: ChosenToken): number[] =>
  shown.map((one) => (one === inspection ? index : alignedIndex(inspection, index, one)));

/** Rows of turns: at each number the turn of every trajectory, and the first of their tokens. */
function rowsOf(shown: readonly Inspection[]): { turns: readonly (TokenTurn | undefined)[]; first: number }[] {
  const turns = shown.map(turnsOf);
  return Array.from({ length: Math.max(...turns.map(({ length }) => length)) }, (_, row) => {
    const here = turns.map((own) => own[row]);
    return { turns: here, first: Math.min(...here.flatMap((turn) => (turn === undefined ? [] : [turn.from]))) };
  });
}

function TurnRow({ turn, children }: { turn: number; children: React.ReactNode }) {
  return (
    <>
      <span className="turn-name small soft above-8">{turn === 0 ? 'start' : `turn ${turn}`}</span>
      {children}
    </>
  );
}

function ArmHead({ inspection, colour }: { inspection: Inspection; colour: ArmColour | undefined }) {
  const { arm, rewards, successes, trajectory, isEqual } = inspection;
  const advantage = numberOf(inspection, 'advantage', inspection.roles.indexOf(ROLE.action));
  const against = isFixed(arm)
    ? 'a fixed policy'
    : isEqual
      ? `all ${rewards.length} rewards of the group are equal`
      : `advantage ${formatMeasured(advantage)}`;
  return (
    <div className="turns-arm">
      <h3 className="world-name line">
        <ArmMark colour={colour} />
        <span className="arm-name-text">{arm.name}</span>
      </h3>
      <p className="small soft">
        {successes[trajectory] === 1 ? 'success' : 'failed'}, reward {formatMeasured(rewards[trajectory] ?? Number.NaN)}
        , {against}
      </p>
    </div>
  );
}

/** Index of the token to which a key leads; null if it leads nowhere. */
function step(key: string, inspection: Inspection, index: number): number | null {
  const last = inspection.tokens.length - 1;
  const to = (turnsOn: number): number => {
    const turns = turnsOf(inspection);
    const turn = turns.findLastIndex(({ from }) => from <= index);
    const there = turns[turn + turnsOn];
    return there === undefined ? index : Math.min(there.from + index - (turns[turn]?.from ?? 0), there.to - 1);
  };
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'ArrowRight':
      return Math.min(last, index + 1);
    case 'ArrowUp':
      return to(-1);
    case 'ArrowDown':
      return to(1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

interface TurnTokensProps extends TokenTurn {
  readonly inspection: Inspection;
  readonly look: Look;
  readonly words: readonly string[];
  /** The token of this turn that the keyboard stops at, and the chosen one; null where it is in another turn. */
  readonly stop: number | null;
  readonly chosen: number | null;
  readonly onChoose: (place: TokenPlace) => void;
  readonly onHover: (place: TokenPlace) => void;
}

/** One turn of a trajectory, token by token. */
const TurnTokens = memo(function TurnTokens(props: TurnTokensProps) {
  const { inspection, from, to, look, words, stop, chosen, onChoose, onHover } = props;
  return (
    <div className="turn-part">
      <div className="turn-tokens">
        {Array.from({ length: to - from }, (_, place) => from + place).map((index) => (
          <TokenCell
            key={index}
            inspection={inspection}
            index={index}
            word={words[inspection.tokens[index] ?? -1] ?? '?'}
            lens={look.lens}
            value={look.write(inspection, index)}
            depth={look.depth(inspection, index)}
            isStop={index === stop}
            isChosen={index === chosen}
            onChoose={onChoose}
            onHover={onHover}
          />
        ))}
      </div>
    </div>
  );
});
