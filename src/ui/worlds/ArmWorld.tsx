/** One arm's episode: the world as it went, how much of it the policy foresaw, and its tokens as the loss saw them. */
import { findBoard } from '../../environments/registry';
import type { Arm, Experiment } from '../../experiment/experiment';
import { ROLE } from '../../foundation/roles';
import type { EpisodeView } from '../../train/protocol';
import type { ArmColour } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import type { World } from '../environment';
import { formatMeasured } from '../format';
import { TokenStrip } from '../tokens/TokenStrip';
import { usePlayback } from '../useLab';
import { Board } from './Board';
import { Foresight } from './Foresight';

interface Props {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: World;
  readonly environment: Experiment['environment'];
}

export function ArmWorld({ arm, colour, world, environment }: Props) {
  const episode = usePlayback((state) => state.episodes[arm.id]);
  const turn = usePlayback((state) => state.turn);
  return (
    <article className="world" aria-label={arm.name}>
      <h3 className="world-name">
        <ArmMark colour={colour} />
        <span className="arm-name-text">{arm.name}</span>
      </h3>
      {episode === undefined ? (
        <div className="world-waiting">
          <p className="world-outcome small soft">waiting for the first episode</p>
          <div className="board board-empty" />
        </div>
      ) : (
        <Played episode={episode} turn={turn} arm={arm} colour={colour} world={world} environment={environment} />
      )}
    </article>
  );
}

function Played({ episode, turn, arm, colour, world, environment }: Props & { episode: EpisodeView; turn: number }) {
  const frames = findBoard(environment.id)?.(environment.settings, episode.tokens, episode.roles) ?? [];
  const shown = tokensShown(episode, turn);
  const over = shown >= episode.tokens.length;
  return (
    <>
      <p className="world-outcome small soft">
        {over ? outcome(episode) : `turn ${turn} of ${world.environment.maxTurns}`}
      </p>
      <div className="world-stage">
        <Board
          frames={frames}
          turn={turn}
          colour={colour.stroke}
          label={`${arm.name}: board after turn ${Math.min(turn, frames.length - 1)}; ${over ? outcome(episode) : 'under way'}`}
        />
        <Foresight episode={episode} maxTurns={world.environment.maxTurns} shown={shown} />
      </div>
      <TokenStrip episode={episode} words={world.words} shown={shown} label={`${arm.name}: tokens of the episode`} />
    </>
  );
}

/** Tokens up to the end of a turn: turn 0 is the prompt. */
function tokensShown({ roles }: EpisodeView, turn: number): number {
  let turns = 0;
  for (let t = 0; t < roles.length; t++) {
    if (roles[t] === ROLE.action && roles[t - 1] !== ROLE.action) turns += 1;
    if (turns > turn) return t;
  }
  return roles.length;
}

function outcome({ success, advantage }: EpisodeView): string {
  const reached = success ? 'reached the goal' : 'missed the goal';
  return advantage === 0 ? `${reached}, as did all its group` : `${reached}, advantage ${formatMeasured(advantage)}`;
}
