/** An episode in the world that is being written: its picture, what may be done, and every token that was said. */

import type { PlayedTurn } from '../../../../environments/own/workshop/asked';
import { rolesIn } from '../../../../foundation/roles';
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { formatDecimals } from '../../../kit/format';
import { writeToken } from '../../../model/tokens/tokenWords';
import { SceneView } from '../../../model/worlds/boards/SceneView';
import { Actions } from './Actions';
import { useWorldDesk } from './useWorldDesk';
import '../../../model/tokens/roles.css';

export function Play({ desk }: { desk: WorldDesk }) {
  const played = useWorldDesk(desk, (state) => state.played);
  const shown = useWorldDesk(desk, (state) => state.shown);
  const episode = useWorldDesk(desk, (state) => state.episode);
  if (played === null) return <p className="soft">Its episodes are played here as soon as the file can be read.</p>;
  const { turns, scenes, maxTurns, hasHeldOut, hasExpert } = played;
  const turn = turns[shown];
  return (
    <>
      <div className="row near">
        <label className="small soft">
          Task{' '}
          <input
            type="number"
            className="field play-task"
            min={0}
            max={2 ** 31}
            value={episode.task}
            onChange={({ target }) => desk.chooseTask({ task: Math.max(0, Math.floor(Number(target.value) || 0)) })}
          />
        </label>
        {hasHeldOut && (
          <Choice
            aria-label="Side of the split"
            value={episode.split}
            options={[
              ['train', 'of training'],
              ['held-out', 'held out'],
            ]}
            onChoose={(split) => desk.chooseTask({ split })}
          />
        )}
        <Button onClick={() => desk.watch('random')}>A random episode</Button>
        <Button
          disabled={!hasExpert}
          title={hasExpert ? undefined : 'The file has no expert().'}
          onClick={() => desk.watch('expert')}
        >
          The expert’s
        </Button>
      </div>
      <div className="play-stage">
        <SceneView
          scenes={scenes}
          turn={Math.min(shown, scenes.length - 1)}
          colour="var(--ink)"
          label={`The world after turn ${shown}`}
        />
      </div>
      <div className="play-steps row near">
        <Button disabled={shown === 0} onClick={() => desk.show(shown - 1)}>
          Previous
        </Button>
        <input
          type="range"
          aria-label="Turn shown"
          min={0}
          max={Math.max(1, turns.length - 1)}
          value={shown}
          onChange={({ target }) => desk.show(Number(target.value))}
        />
        <Button disabled={shown >= turns.length - 1} onClick={() => desk.show(shown + 1)}>
          Next
        </Button>
        <p className="small whole" role="status" data-testid="play-outcome">
          turn {shown} of at most {maxTurns} · reward {formatDecimals(turn?.reward ?? 0, 2)}
          {turn?.floor == null ? '' : ` · floor ${formatDecimals(turn.floor, 3)} nats`}
          {shown < turns.length - 1 || !played.isDone ? '' : played.isSuccess ? ' · success' : ' · over, no success'}
        </p>
      </div>
      <Actions desk={desk} played={played} shown={shown} />
      <TurnList turns={turns} shown={shown} onShow={(at) => desk.show(at)} />
    </>
  );
}

interface Props {
  readonly turns: readonly PlayedTurn[];
  readonly shown: number;
  readonly onShow: (turn: number) => void;
}

/** Every token of the episode, a line for each turn, marked by who said it. A line's number shows its turn. */
function TurnList({ turns, shown, onShow }: Props) {
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
      <ol className="play-turns stack close limited" aria-label="Tokens of the episode">
        {turns.map(({ said }, turn) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
          <li key={turn} data-shown={turn === shown}>
            <Button className="button-quiet small" aria-current={turn === shown} onClick={() => onShow(turn)}>
              <span className="hidden-text">Show turn </span>
              {turn}
            </Button>
            <span className="row close">
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
