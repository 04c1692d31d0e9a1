/** One arm's episode: the world as it went, how much of it the policy foresaw, and its tokens as the loss saw them. */
import { Suspense } from 'react';
import { playedIn } from '../../../environments/replay';
import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import { beginsTurn } from '../../../foundation/roles';
import type { EpisodeView } from '../../../train/looks/shown';
import type { ArmColour } from '../../armColour';
import type { World } from '../../environment';
import { formatMeasured, plural } from '../../kit/format';
import { part } from '../../kit/part';
import { silentWords } from '../../kit/tokens/silent';
import { stripRoom, TokenStrip } from '../../kit/tokens/TokenStrip';
import { useScenes } from '../../play';
import { usePlayback, usePreferences } from '../../useLab';
import { ArmMark } from '../arms/ArmName';
import { Foresight } from './Foresight';
import { SceneView } from './SceneView';

const DreamPanel = part('The dreams', () => import('../../why/dream/DreamPanel').then((module) => module.DreamPanel));

interface Props {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: World;
}

export function ArmWorld({ arm, colour, world }: Props) {
  const episode = usePlayback((state) => state.episodes[arm.id]);
  const turn = usePlayback((state) => state.turn);
  return (
    <article className="world" aria-label={arm.name}>
      <h3 className="world-name">
        <ArmMark colour={colour} />
        <span className="arm-name-text">{arm.name}</span>
      </h3>
      {episode === undefined ? (
        <>
          <p className="world-outcome small soft">waiting for the first episode</p>
          <div className="world-stage">
            <div className="board board-empty" />
          </div>
          <div className="strip">
            <div className="strip-tokens" style={stripRoom(world.environment.context)} />
            <p className="strip-description" />
          </div>
        </>
      ) : (
        <Played episode={episode} turn={turn} arm={arm} colour={colour} world={world} />
      )}
    </article>
  );
}

function Played({ episode, turn, arm, colour, world }: Props & { episode: EpisodeView; turn: number }) {
  const { environment } = world;
  const dreams = usePreferences((state) => state.dream !== 'none');
  const scenes = useScenes(environment, episode);
  const shown = tokensShown(episode, turn);
  const over = shown >= episode.tokens.length;
  const { maxTurns } = playedIn(environment, environment.environmentOf?.(episode.task) ?? 0);
  return (
    <>
      <p className="world-outcome small soft">
        {over ? outcome(episode, arm) : underWay(turn, maxTurns, scenes?.[turn]?.action ?? null)}
      </p>
      <div className="world-stage">
        <SceneView
          scenes={scenes}
          turn={turn}
          colour={colour.stroke}
          label={`${arm.name}: after turn ${Math.max(0, Math.min(turn, (scenes?.length ?? 1) - 1))}; ${over ? outcome(episode, arm) : 'under way'}`}
        />
        <Foresight episode={episode} maxTurns={maxTurns} shown={shown} />
      </div>
      {dreams && isFixed(arm) && <p className="small soft">A fixed policy does not dream here.</p>}
      {dreams && !isFixed(arm) && (
        <Suspense fallback={<div className="world-stage" />}>
          <DreamPanel arm={arm} colour={colour} world={world} episode={episode} scenes={scenes ?? []} turn={turn} />
        </Suspense>
      )}
      <TokenStrip
        episode={episode}
        words={world.words}
        shown={shown}
        label={`${arm.name}: tokens of the episode`}
        longest={environment.context}
        note={silentWords(episode, arm)}
      />
    </>
  );
}

/** Tokens up to the end of a turn: turn 0 is the prompt. */
function tokensShown({ roles }: EpisodeView, turn: number): number {
  let turns = 0;
  for (let t = 0; t < roles.length; t++) {
    if (beginsTurn(roles, t)) turns += 1;
    if (turns > turn) return t;
  }
  return roles.length;
}

/** `turn 3 of 12: up`. */
function underWay(turn: number, turns: number, action: string | null): string {
  return `turn ${turn} of ${turns}${action ? `: ${action}` : ''}`;
}

function outcome({ success, relabelled, replayed, advantage }: EpisodeView, arm: Arm): string {
  if (replayed !== undefined) {
    const use = arm.replay === 'cross-entropy' ? 'imitated' : `advantage ${formatMeasured(advantage)}`;
    return `a success of ${plural(replayed, 'update')} ago, ${use}`;
  }
  const result = relabelled ? 'success in hindsight' : success ? 'success' : 'failed';
  if (isFixed(arm)) return `${result}; nothing is learned from it`;
  return advantage === 0
    ? `${result}, like every try at this task`
    : `${result}, advantage ${formatMeasured(advantage)}`;
}
