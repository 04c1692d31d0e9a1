/** One turn of a trajectory, token by token. */
import { memo } from 'react';
import type { TokenPlace } from '../../../store/look/inspector';
import type { Inspection } from '../../../train/looks/shown';
import type { Look } from './lenses';
import { TokenCell } from './TokenCell';
import type { Turn } from './tokens';

interface Props extends Turn {
  readonly inspection: Inspection;
  readonly look: Look;
  readonly words: readonly string[];
  /** The token of this turn that the keyboard stops at, and the chosen one; null where it is in another turn. */
  readonly stop: number | null;
  readonly chosen: number | null;
  readonly onChoose: (place: TokenPlace) => void;
  readonly onHover: (place: TokenPlace) => void;
}

export const TurnTokens = memo(function TurnTokens(props: Props) {
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
