/**
 * World of one arm: how its episode went, how much of it the policy foresaw, and its tokens as the loss saw them.
 * Episodes of the run, its demonstrations and, before both, an example are drawn alike.
 */
import type { ReactNode } from 'react';
import { playedIn } from '../../../environments/replay';
import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import { beginsTurn } from '../../../foundation/roles';
import { type BoardEpisode, episodesIn, isPlayed } from '../../../store/look/playback';
import { formatMeasured, plural } from '../../kit/format';
import { part } from '../../kit/part';
import { Term } from '../../kit/Term';
import type { ArmColour } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import { AnswerPairs } from '../dream/AnswerPairs';
import { answersOf } from '../dream/answers';
import type { ExperimentWorld } from '../environment';
import { useScenes } from '../play';
import { learningAt } from '../tokens/learning';
import { isSilent } from '../tokens/silent';
import { stripRoom, TokenStrip } from '../tokens/TokenStrip';
import { useLabState, usePlayback, usePreferences } from '../useLab';
import { exampleWords } from './about/exampleWords';
import { SceneView } from './boards/SceneView';
import { Foresight } from './Foresight';
import '../dream/dream.css';

const DreamPanel = part(
  'The dreams',
  () => import('../dream/DreamPanel'),
  'DreamPanel',
  <div className="world-stage" />,
);

/** Names with more characters than this may take two lines. */
const LONG = 16;

interface Props {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: ExperimentWorld;
}

export function ArmWorld({ arm, colour, world }: Props) {
  const episodes = usePlayback((state) => episodesIn(state, world.environment));
  const episode = episodes[arm.id];
  const turn = usePlayback((state) => state.turn);
  const isRecording = Object.values(episodes)[0]?.from === 'recording';
  return (
    <article className="world shrinks" aria-label={arm.name}>
      <h3 className="world-name line">
        <ArmMark colour={colour} />
        <span className={`arm-name-text${arm.name.length > LONG ? ' arm-name-long small' : ''}`}>{arm.name}</span>
      </h3>
      {episode === undefined ? (
        <>
          <p className="world-outcome small soft one-line">{isRecording ? 'Not recorded: run it to see it' : ''}</p>
          <div className="world-stage" />
          <div className="strip">
            <div className="strip-tokens" style={stripRoom(world.environment.context)} />
            <p className="strip-description above-8" />
          </div>
        </>
      ) : (
        <Played episode={episode} turn={turn} arm={arm} colour={colour} world={world} />
      )}
    </article>
  );
}

function Played({ episode, turn, arm, colour, world }: Props & { episode: BoardEpisode; turn: number }) {
  const { environment } = world;
  const told = useLabState((state) => state.told.find(({ id }) => id === arm.id));
  const wantsDreams = usePreferences((state) => state.dream !== 'none');
  const scenes = useScenes(environment, episode);
  const shown = tokensShown(episode, turn);
  const over = shown >= episode.tokens.length;
  const dreams = wantsDreams && isPlayed(episode);
  const maxTurns = turnsAtMost(world, episode);
  // Only the weights of a demonstration teach.
  const taught = episode.imitated === undefined ? (told ?? arm) : undefined;
  return (
    <>
      <p className="world-outcome small soft one-line">
        {over ? <Outcome episode={episode} arm={arm} /> : underWay(turn, maxTurns, scenes?.[turn]?.action ?? null)}
      </p>
      <div className="world-stage">
        <SceneView
          scenes={scenes}
          turn={turn}
          colour={colour.stroke}
          label={`${arm.name}: after turn ${Math.max(0, Math.min(turn, (scenes?.length ?? 1) - 1))}; ${over ? outcome(episode, arm) : 'under way'}`}
          learning={(index) => learningAt(taught, episode, index)}
        />
        {episode.logProb.some((value) => !Number.isNaN(value)) ? (
          <Foresight episode={episode} maxTurns={maxTurns} shown={shown} />
        ) : (
          <div className="foresight" />
        )}
      </div>
      {dreams && isFixed(arm) && <p className="small soft">A fixed policy does not dream here.</p>}
      {dreams && !isFixed(arm) && (
        <DreamPanel arm={arm} colour={colour} world={world} episode={episode} scenes={scenes ?? []} turn={turn} />
      )}
      <TokenStrip
        episode={episode}
        arm={taught}
        words={world.words}
        shown={shown}
        label={`${arm.name}: tokens of the episode`}
        longest={environment.context}
        note={noteOn(episode, arm, world)}
      />
    </>
  );
}

/** Line below the tokens while none is chosen. */
function noteOn(episode: BoardEpisode, arm: Arm, { words }: ExperimentWorld): ReactNode {
  const { dreamed } = episode;
  const answers = dreamed === undefined ? [] : answersOf(episode, dreamed).filter(({ seen }) => seen.length > 0);
  return (
    <>
      {answers.map((answer, turn) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
        <span key={turn} className="block">
          predicted <AnswerPairs answer={answer} words={words} /> came{' '}
        </span>
      ))}
      {isSilent(episode, arm) && (
        <>
          Hatched: <Term term="silent group" words="equal rewards" />
        </>
      )}
    </>
  );
}

function Outcome({ episode, arm }: { episode: BoardEpisode; arm: Arm }) {
  const { from, success, overall = '' } = episode;
  if (from !== 'recording') return outcome(episode, arm);
  return (
    <>
      <b data-outcome>{success ? 'Right' : 'Wrong'}</b>
      {overall === '' ? '' : ` · ${overall}`}
    </>
  );
}

/** Turns of an episode; of an unknown task, those that are drawn. */
function turnsAtMost({ environment }: ExperimentWorld, { task, from, scenes }: BoardEpisode): number {
  if (from === 'example') return Math.max(1, (scenes?.length ?? 1) - 1);
  return playedIn(environment, environment.environmentOf?.(task) ?? 0).maxTurns;
}

/** Tokens up to the end of a turn: turn 0 is the prompt. */
function tokensShown({ roles }: BoardEpisode, turn: number): number {
  let turns = 0;
  for (let t = 0; t < roles.length; t++) {
    if (beginsTurn(roles, t)) turns += 1;
    if (turns > turn) return t;
  }
  return roles.length;
}

/** Words for a turn: `turn 3 of 12: up`. */
function underWay(turn: number, turns: number, action: string | null): string {
  return `turn ${turn} of ${turns}${action ? `: ${action}` : ''}`;
}

function outcome(episode: BoardEpisode, arm: Arm): string {
  const { from, success, relabelled, replayed, imitated, advantage } = episode;
  const result = relabelled ? 'success in hindsight' : success ? 'success' : 'failed';
  if (from === 'example') return exampleWords(episode);
  if (imitated !== undefined) {
    return arm.warmStart === 'none' || isFixed(arm)
      ? 'learns nothing from it: no warm start'
      : success
        ? `${result}, imitated`
        : `${result}; its steps are imitated too`;
  }
  if (replayed !== undefined) {
    const use = arm.replay === 'cross-entropy' ? 'imitated' : `advantage ${formatMeasured(advantage)}`;
    return `a success of ${plural(replayed, 'update')} ago, ${use}`;
  }
  if (isFixed(arm)) return `${result}; nothing is learned from it`;
  return advantage === 0
    ? `${result}, like every try at this task`
    : `${result}, advantage ${formatMeasured(advantage)}`;
}
