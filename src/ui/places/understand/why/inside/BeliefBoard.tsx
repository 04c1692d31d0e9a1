/** A board of choices: each cell that one can walk to, with what the policy does there, to be believed in. */
import { useId } from 'react';
import type { BeliefView } from '../../../../../train/looks/shown';
import { HIDDEN } from '../../../../kit/Table';
import { actionSign, cellName } from './beliefs';

interface Props {
  readonly view: BeliefView;
  readonly onBelieve: (cell: string) => void;
}

export function BeliefBoard({ view, onBelieve }: Props) {
  const name = useId();
  const { width, cells } = view.board;
  const standing = new Map(view.cells.map((one) => [one.at[1] * width + one.at[0], one]));
  return (
    <fieldset className="shrinks">
      <legend className="small soft">It is to believe it is on</legend>
      <div
        className="belief-board above-4"
        style={{ gridTemplateColumns: `repeat(${width}, 1fr)` }}
        data-testid="belief-board"
      >
        {cells.map((kind, index) => {
          const found = standing.get(index);
          const isPresent = found?.cell === view.present;
          const key = `${index % width},${Math.floor(index / width)}`;
          if (found === undefined || isPresent) {
            return (
              <span key={key} className={`belief-cell belief-${isPresent ? 'present' : kind}`}>
                {isPresent && (
                  <>
                    <span aria-hidden="true">{actionSign(found.likeliest)}</span>
                    <span className={HIDDEN}>it stands here</span>
                  </>
                )}
              </span>
            );
          }
          return (
            <label key={key} className="belief-cell belief-choice relative hand">
              <input
                type="radio"
                name={name}
                value={found.cell}
                checked={found.cell === view.believed}
                onChange={() => onBelieve(found.cell)}
                aria-label={`${cellName(found.at)}, where it goes ${found.likeliest}`}
              />
              <span aria-hidden="true">{actionSign(found.likeliest)}</span>
            </label>
          );
        })}
      </div>
      <p className="small soft belief-key line above-8">
        <span className="belief-cell belief-present" aria-hidden="true" /> it stands here
        <span className="belief-cell belief-goal" aria-hidden="true" /> goal
      </p>
    </fieldset>
  );
}
