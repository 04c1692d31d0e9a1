/**
 * The tokens of one trajectory, or of two side by side, turn by turn. One stop of the keyboard for each trajectory: left and
 * right walk along the tokens, up and down along the turns, Home and End to the ends.
 */
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { isFixed } from '../../experiment/policyFiles';
import { ROLE } from '../../foundation/roles';
import type { LensName, TokenPlace } from '../../store/inspector';
import type { Inspection } from '../../train/protocol';
import type { ArmColour } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import { formatMeasured } from '../format';
import type { AttentionPlace } from '../inside/attention';
import { depthOf, writeValue } from './lenses';
import { TokenCell } from './TokenCell';
import { alignedIndex, type Turn, turnsOf } from './tokens';

interface Props {
  readonly shown: readonly Inspection[];
  readonly lens: LensName;
  /** Of the lens `attention`. */
  readonly place: AttentionPlace;
  readonly chosen: { readonly inspection: Inspection; readonly index: number };
  readonly words: readonly string[];
  readonly colours: ReadonlyMap<string, ArmColour>;
  readonly onChoose: (place: TokenPlace) => void;
  readonly onHover: (place: TokenPlace | null) => void;
}

export function Turns({ shown, lens, place, chosen, words, colours, onChoose, onHover }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const turns = shown.map(turnsOf);
  const rows = Math.max(...turns.map(({ length }) => length));
  const stop = (one: Inspection): number =>
    one === chosen.inspection ? chosen.index : alignedIndex(chosen.inspection, chosen.index, one);
  const view = { ...place, query: stop };
  const depth = depthOf(lens, shown, view);
  const focus = (arm: string, index: number): void => {
    grid.current?.querySelector<HTMLElement>(`[data-arm="${CSS.escape(arm)}"][data-index="${index}"]`)?.focus();
  };
  // What is opened begins at its token.
  useEffect(() => {
    // Once the dialog around it is open.
    queueMicrotask(() => grid.current?.querySelector<HTMLElement>('[data-chosen]')?.focus());
  }, []);
  const walk = (event: KeyboardEvent): void => {
    const index = step(event.key, chosen.inspection, chosen.index);
    if (index === null) return;
    event.preventDefault();
    focus(chosen.inspection.arm.id, index);
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
      {Array.from({ length: rows }, (_, turn) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its number
        <TurnRow key={turn} turn={turn}>
          {shown.map((one, side) => (
            <div key={one.arm.id} className="turn-tokens">
              {indices(turns[side]?.[turn]).map((index) => (
                <TokenCell
                  key={index}
                  inspection={one}
                  index={index}
                  word={words[one.tokens[index] ?? -1] ?? '?'}
                  lens={lens}
                  value={writeValue(lens, one, index, view)}
                  depth={depth(one, index)}
                  isStop={index === stop(one)}
                  isChosen={one === chosen.inspection && index === chosen.index}
                  onChoose={onChoose}
                  onHover={onHover}
                />
              ))}
            </div>
          ))}
        </TurnRow>
      ))}
    </div>
  );
}

function TurnRow({ turn, children }: { turn: number; children: React.ReactNode }) {
  return (
    <>
      <span className="turn-name small soft">{turn === 0 ? 'start' : `turn ${turn}`}</span>
      {children}
    </>
  );
}

function ArmHead({ inspection, colour }: { inspection: Inspection; colour: ArmColour | undefined }) {
  const { arm, rewards, successes, trajectory, numbers, isEqual } = inspection;
  const advantage = numbers.advantage[inspection.roles.indexOf(ROLE.action)] ?? Number.NaN;
  const against = isFixed(arm)
    ? 'a fixed policy'
    : isEqual
      ? `all ${rewards.length} rewards of the group are equal`
      : `advantage ${formatMeasured(advantage)}`;
  return (
    <div className="turns-arm">
      <h3 className="world-name">
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

function indices(turn: Turn | undefined): number[] {
  return turn === undefined ? [] : Array.from({ length: turn.to - turn.from }, (_, i) => turn.from + i);
}

/** Where a key leads; null if it leads nowhere. */
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
