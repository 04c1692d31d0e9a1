/** An episode in the world that is being written: its picture, what may be done, and every token that was said. */

import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { formatDecimals } from '../../../kit/format';
import { SceneView } from '../../../model/worlds/boards/SceneView';
import { Actions } from './Actions';
import { TurnList } from './TurnList';
import { useWorldDesk } from './useWorldDesk';

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
            data-testid="play-task"
            min={0}
            max={2 ** 31}
            value={episode.task}
            onChange={({ target }) => desk.chooseTask({ task: Math.max(0, Math.floor(Number(target.value) || 0)) })}
          />
        </label>
        {hasHeldOut && (
          <Choice
            aria-label="Side of the split"
            testId="play-split"
            value={episode.split}
            options={[
              ['train', 'of training'],
              ['held-out', 'held out'],
            ]}
            onChoose={(split) => desk.chooseTask({ split })}
          />
        )}
        <Button data-testid="play-random" onClick={() => desk.watch('random')}>
          A random episode
        </Button>
        <Button
          data-testid="play-expert"
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
          data-testid="play-turn"
          min={0}
          max={Math.max(1, turns.length - 1)}
          value={shown}
          onChange={({ target }) => desk.show(Number(target.value))}
        />
        <Button data-testid="play-next" disabled={shown >= turns.length - 1} onClick={() => desk.show(shown + 1)}>
          Next
        </Button>
        <p className="play-outcome small" role="status" data-testid="play-outcome">
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
