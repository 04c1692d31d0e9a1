/**
 * The recorded run of an experiment, gone through before anything is trained here: at each update its curves so far, and what
 * its agents then did and dreamed.
 */
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react';
import type { Arm } from '../../../experiment/experiment';
import {
  type RecordedEpisode,
  type RecordedEpisodes,
  showRecorded,
  tasksAt,
} from '../../../store/recorded/recordedEpisodes';
import { drawRecordedUntil, successAt } from '../../../store/recorded/scrub';
import { type ArmColour, armColours } from '../../armColour';
import { type World, worldOf } from '../../environment';
import { formatCount, formatPercent } from '../../kit/format';
import { withTerms } from '../../kit/Term';
import { Chip } from '../../kit/tokens/Chip';
import { learningIn } from '../../kit/tokens/learning';
import { writeToken } from '../../kit/tokens/tokenWords';
import { useScenes } from '../../play';
import { useLab, useLabState } from '../../useLab';
import { AnswerPairs } from '../../why/dream/AnswerPairs';
import { answersOf } from '../../why/dream/answers';
import { DreamDrawing } from '../../why/dream/DreamDrawing';
import { ArmMark } from '../arms/ArmName';
import { SceneView } from './SceneView';
import { useReducedMotion } from './usePlaybackClock';
import '../../why/dream/dream.css';
import { silenceInWords, taskWords } from './recordedWords';
import './recordedRun.css';

/** Milliseconds of a step, and steps from the first update to the last; without motion it goes from moment to moment. */
const STEP = 250;
const STEPS = 48;
const STILL_STEP = 1500;

/** Plays once from the first update by itself, unless motion is unwelcome. */
export function RecordedRun({ recorded }: { recorded: RecordedEpisodes }) {
  const lab = useLab();
  const experiment = useLabState((state) => state.edited);
  const sent = useLabState((state) => state.sent);
  const isStill = useReducedMotion();
  const [update, setUpdate] = useState(0);
  const [isPlaying, play] = useState(!isStill);
  const [task, setTask] = useState(0);
  const updates = sent?.result.updates ?? 0;
  const isEnd = update >= updates;
  const world = worldOf(experiment.environment);
  const tasks = useMemo(() => tasksAt(recorded, update, isEnd), [recorded, update, isEnd]);
  const go = (to: number) => {
    setTask(0);
    setUpdate(Math.min(updates, to));
  };
  usePlaying(isPlaying && !isEnd, isStill ? STILL_STEP : STEP, () =>
    go(isStill ? momentAfter(recorded, update) : update + Math.ceil(updates / STEPS)),
  );
  useEffect(() => {
    if (sent !== null) drawRecordedUntil(lab.store, update);
  }, [lab, sent, update]);
  // Whoever goes on finds the whole recording behind the charts.
  useEffect(() => () => drawRecordedUntil(lab.store, Number.POSITIVE_INFINITY), [lab]);
  const shown = tasks[task % Math.max(1, tasks.length)] ?? [];
  const success = sent === null ? null : successAt(sent.result, update);
  const colours = armColours(experiment.arms);
  if (world === null) return null;
  return (
    <section className="recorded" aria-labelledby="recorded-title" data-testid="recorded-run">
      <h3 id="recorded-title" className="hidden-text">
        The recorded run
      </h3>
      <div className="recorded-time">
        <button
          type="button"
          className="button"
          data-testid="recorded-play"
          onClick={() => {
            if (isEnd) go(0);
            play(isEnd || !isPlaying);
          }}
        >
          {isEnd ? 'Play again' : isPlaying ? 'Pause' : 'Play recording'}
        </button>
        <input
          type="range"
          aria-label="Update of the recorded run"
          aria-valuetext={`update ${formatCount(update)} of ${formatCount(updates)}`}
          data-testid="recorded-update"
          min={0}
          max={updates}
          value={update}
          onChange={({ target }) => {
            play(false);
            go(Number(target.value));
          }}
        />
        <span className="small soft recorded-update">
          update {formatCount(update)} of {formatCount(updates)}
        </span>
      </div>
      <div className="recorded-arms">
        {experiment.arms.map((arm) => {
          const episode = shown.find((one) => one.arm === arm.id);
          const colour = colours.get(arm.id);
          if (episode === undefined || colour === undefined) return null;
          const share = success?.get(arm.id) ?? null;
          return <RecordedArm key={arm.id} {...{ arm, colour, world, share }} recorded={episode} />;
        })}
      </div>
      <Legend />
      <p className="small soft recorded-task">
        {taskWords(shown, isEnd ? updates : null)} {withTerms(silenceInWords(shown, experiment.arms))}{' '}
        {tasks.length > 1 && (
          <button
            type="button"
            className="button button-quiet small"
            data-testid="recorded-next"
            onClick={() => {
              play(false);
              setTask(task + 1);
            }}
          >
            Another task
          </button>
        )}
      </p>
    </section>
  );
}

/** Looks of a token, where they are met first. */
const LOOKS = [
  ['policy', 'learns from reward'],
  ['predict', 'learns to predict'],
  ['veiled', 'learns nothing'],
] as const;

function Legend() {
  return (
    <p className="recorded-legend">
      {LOOKS.map(([learning, words]) => (
        <Chip key={learning} learning={learning}>
          {words}
        </Chip>
      ))}
    </p>
  );
}

/** Update of the next moment; after the last one there is none. */
const momentAfter = ({ moments }: RecordedEpisodes, update: number): number =>
  moments.map(([task]) => task?.[0]?.update ?? 0).find((moment) => moment > update) ?? Number.POSITIVE_INFINITY;

/** Goes on by itself, a step at a time. */
function usePlaying(isPlaying: boolean, step: number, goOn: () => void): void {
  const next = useRef(goOn);
  next.current = goOn;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => next.current(), step);
    return () => clearInterval(timer);
  }, [isPlaying, step]);
}

interface RecordedArmProps {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: World;
  /** Success of all its episodes about now; null before the first point. */
  readonly share: number | null;
  readonly recorded: RecordedEpisode;
}

function RecordedArm({ arm, colour, world, share, recorded }: RecordedArmProps) {
  const { episode, dreamed } = useMemo(() => showRecorded(recorded), [recorded]);
  const { environment, words } = world;
  const scenes = useScenes(environment, episode);
  const answers = answersOf(episode, dreamed).filter(({ seen }) => seen.length > 0);
  const outcome = episode.success ? 'success' : 'failed';
  return (
    <article className="recorded-arm" aria-label={`${arm.name}, recorded`}>
      <h4 className="recorded-name">
        <ArmMark colour={colour} /> {arm.name}
      </h4>
      <p className="small">
        <b data-outcome>{episode.success ? 'Right' : 'Wrong'}</b>
        {share === null ? '' : <span className="soft"> · overall {formatPercent(share)}</span>}
      </p>
      <SceneView
        scenes={scenes}
        turn={(scenes?.length ?? 1) - 1}
        colour={colour.stroke}
        label={`${arm.name}, recorded in update ${episode.update}: ${outcome}`}
      />
      <p className="recorded-tokens">
        {Array.from(episode.tokens, (token, index) => (
          <Chip
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place in the episode
            key={index}
            learning={learningIn(arm, {
              role: episode.roles[index],
              index,
              policyWeight: episode.policyWeight[index] ?? 0,
              crossEntropyWeight: episode.crossEntropyWeight[index] ?? 0,
            })}
          >
            {writeToken(words[token] ?? '?')}
          </Chip>
        ))}
      </p>
      <Dreamt {...{ answers, world, arm }} scenes={scenes ?? []} colour={colour.stroke} />
    </article>
  );
}

type DreamtProps = Pick<ComponentProps<typeof DreamDrawing>, 'answers' | 'scenes' | 'world' | 'colour'> & {
  readonly arm: Arm;
};

/** Answers as the policy predicted them: on the board, else in a line beside what came. */
function Dreamt({ answers, scenes, world, arm, colour }: DreamtProps) {
  if (scenes[0]?.kind === 'board') {
    const label = `${arm.name}, recorded: what it predicted of the answers`;
    return <DreamDrawing shown={answers} isOneDream={false} {...{ answers, scenes, world, colour, label }} />;
  }
  return (
    <p className="recorded-dream small soft">
      {answers.length === 0 && 'asked nothing, predicted nothing'}
      {answers.map((answer, turn) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
        <span key={turn}>
          predicted <AnswerPairs answer={answer} words={world.words} /> came
        </span>
      ))}
    </p>
  );
}
