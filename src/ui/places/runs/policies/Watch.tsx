/** The opened policy at work: how often it succeeds, how well it foresees, and one of its episodes. */

import { useState } from 'react';
import { useStore } from 'zustand';
import type { Environment } from '../../../../environments/environment';
import type { Policies } from '../../../../store/keep/policies';
import type { PlayedPolicy } from '../../../../train/protocol';
import { Button } from '../../../kit/Button';
import { formatMeasured, formatPercent } from '../../../kit/format';
import { useWorld } from '../../../model/environment';
import { useScenes } from '../../../model/play';
import { SceneView } from '../../../model/worlds/boards/SceneView';

export function Watch({ policies }: { policies: Policies }) {
  const { phase, played } = useStore(policies.store);
  return (
    <>
      {played !== null && <Played played={played} />}
      <div className="row padded">
        <Button data-testid="play-policy" disabled={phase !== 'idle'} onClick={() => policies.play()}>
          {phase === 'playing' ? 'Playing' : played === null ? 'Let it play' : 'Let it play again'}
        </Button>
        <span className="small soft">Plays 64 episodes in its own world and learns nothing. Loads 4 MiB.</span>
      </div>
    </>
  );
}

function Played({ played: { played, runtime, kernels, environment, episode } }: { played: PlayedPolicy }) {
  const world = useWorld(environment);
  const [low, high] = played.successInterval;
  const nats = played.observationCrossEntropy;
  return (
    <div data-testid="played" data-success={played.success} data-nats={nats}>
      <p>
        It succeeded in {formatPercent(played.success)} of {played.episodes} episodes (95%: {formatPercent(low)} to{' '}
        {formatPercent(high)})
        {nats === null ? '' : `, and predicted what the world said at ${formatMeasured(nats)} nats a token`}.
      </p>
      <p className="small soft" data-testid="played-on">
        On {runtime}. Tokens are drawn and scored by the lab’s own kernels on {kernels}.
      </p>
      {world !== null && <Watched environment={world.environment} episode={episode} />}
    </div>
  );
}

interface WatchedProps {
  readonly environment: Environment;
  readonly episode: PlayedPolicy['episode'];
}

function Watched({ environment, episode }: WatchedProps) {
  const scenes = useScenes(environment, episode);
  const [chosen, setTurn] = useState<number | null>(null);
  const last = Math.max(0, (scenes?.length ?? 1) - 1);
  const turn = Math.min(chosen ?? last, last);
  return (
    <>
      <div className="world-stage policies-stage under-8">
        <SceneView scenes={scenes} turn={turn} colour="var(--ink)" label={`Its first episode, after turn ${turn}`} />
      </div>
      <label className="line inline fit">
        <span>Turn</span>
        <input
          type="range"
          min={0}
          max={last}
          value={turn}
          data-testid="played-turn"
          onChange={({ target }) => setTurn(Number(target.value))}
        />
        <span className="small soft">
          {turn} of {last}; it {episode.success ? 'succeeded' : 'failed'}
        </span>
      </label>
    </>
  );
}
