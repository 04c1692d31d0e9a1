/** Every token of the episode, a line for each turn, marked by who said it. A line's number shows its turn. */

import type { PlayedTurn } from '../../../../environments/own/workshop/asked';
import { rolesIn } from '../../../../foundation/roles';
import { Button } from '../../../kit/Button';
import { writeToken } from '../../../model/tokens/tokenWords';
import '../../../model/tokens/roles.css';

interface Props {
  readonly turns: readonly PlayedTurn[];
  readonly shown: number;
  readonly onShow: (turn: number) => void;
}

export function TurnList({ turns, shown, onShow }: Props) {
  const hasThoughts = turns.some(({ said }) => said.some(({ role }) => role === 'thought'));
  return (
    <>
      <p className="small soft row near" aria-hidden="true">
        {rolesIn(hasThoughts ? { thoughts: true } : null).map((role) => (
          <span key={role} className={`chip token-${role}`}>
            {role}
          </span>
        ))}
      </p>
      <ol className="play-turns stack close limited" aria-label="Tokens of the episode" data-testid="play-turns">
        {turns.map(({ said }, turn) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
          <li key={turn} data-shown={turn === shown}>
            <Button className="button-quiet small" aria-current={turn === shown} onClick={() => onShow(turn)}>
              <span className="hidden-text">Show turn </span>
              {turn}
            </Button>
            <span className="play-tokens row near">
              {said.map(({ word, role }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
                <span key={at} className={`chip token-${role}`} title={role}>
                  {writeToken(word)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
