/**
 * The recorded run of an experiment, gone through before anything is trained here: at each update its curves so far, and what
 * its agents then did and dreamed.
 */
import { useEffect, useMemo, useState } from 'react';
import type { Arm } from '../../../experiment/experiment';
import { momentAt, type RecordedEpisode, type RecordedEpisodes, showRecorded } from '../../../store/recordedEpisodes';
import { drawRecordedUntil } from '../../../store/scrub';
import { type ArmColour, armColours } from '../../armColour';
import { type World, worldOf } from '../../environment';
import { Chip } from '../../kit/tokens/Chip';
import { learningIn } from '../../kit/tokens/learning';
import { writeToken } from '../../kit/tokens/words';
import { useLab, useLabState } from '../../useLab';
import { answersOf } from '../../why/dream/answers';
import { DreamDrawing } from '../../why/dream/DreamDrawing';
import { ArmMark } from '../arms/ArmName';
import { showStatus } from '../header/Status';
import { SceneView } from './SceneView';
import { useReducedMotion } from './usePlaybackClock';
import '../../why/dream/dream.css';
import './recordedRun.css';

/** Milliseconds of a step, and steps from the first update to the last; without motion it goes from moment to moment. */
const STEP = 250;
const STEPS = 48;
const STILL_STEP = 1500;
/** Milliseconds that a task stays before the next one of its moment. */
const TASK = 2400;

export function RecordedRun({ recorded }: { recorded: RecordedEpisodes }) {
  const lab = useLab();
  const experiment = useLabState((state) => state.edited);
  const updates = useLabState(({ sent }) => sent?.result.updates ?? 0);
  const [update, setUpdate] = useState(updates);
  const [isPlaying, play] = useState(false);
  const world = worldOf(experiment.environment);
  const tasks = momentAt(recorded, update);
  const task = useTask(tasks);
  usePlaying(isPlaying, updates, recorded, setUpdate);
  if (isPlaying && update >= updates) play(false);
  useEffect(() => drawRecordedUntil(lab.store, update), [lab, update]);
  // Whoever goes on finds the whole recording behind the charts.
  useEffect(() => () => drawRecordedUntil(lab.store, Number.POSITIVE_INFINITY), [lab]);
  const shown = tasks[task % Math.max(1, tasks.length)] ?? [];
  const colours = armColours(experiment.arms);
  if (world === null) return null;
  return (
    <section className="recorded" aria-labelledby="recorded-title" data-testid="recorded-run">
      <h3 id="recorded-title">Recorded: go through it before you train</h3>
      <div className="recorded-time">
        <button
          type="button"
          className="button"
          data-testid="recorded-play"
          onClick={() => {
            if (!isPlaying && update >= updates) setUpdate(0);
            play(!isPlaying);
          }}
        >
          {isPlaying ? 'Hold' : 'Play'}
        </button>
        <input
          type="range"
          aria-label="Update of the recorded run"
          aria-valuetext={`update ${update} of ${updates}`}
          data-testid="recorded-update"
          min={0}
          max={updates}
          value={update}
          onChange={({ target }) => {
            play(false);
            setUpdate(Number(target.value));
          }}
        />
        <span className="small soft recorded-update">
          update {update} of {updates}
        </span>
      </div>
      <div className="recorded-arms">
        {experiment.arms.map((arm) => {
          const episode = shown.find((one) => one.arm === arm.id);
          const colour = colours.get(arm.id);
          return episode === undefined || colour === undefined ? null : (
            <RecordedArm key={arm.id} arm={arm} colour={colour} world={world} recorded={episode} />
          );
        })}
      </div>
      <p className="small soft">
        {taskWords(shown, task % Math.max(1, tasks.length), tasks.length)} Below each world: how the tokens learned, and
        what the policy dreamed that the world would answer.
      </p>
      <button
        type="button"
        className="button recorded-train"
        data-testid="train-yourself"
        onClick={() => {
          lab.editor.run();
          setTimeout(showStatus);
        }}
      >
        Now train it yourself
      </button>
    </section>
  );
}

const taskWords = ([episode]: readonly RecordedEpisode[], task: number, tasks: number): string =>
  episode === undefined
    ? ''
    : `Played in update ${episode.update}, task ${task + 1} of ${tasks}, seed ${episode.seed}.`;

/** Goes on by itself, until the last update. */
function usePlaying(
  isPlaying: boolean,
  updates: number,
  recorded: RecordedEpisodes,
  setUpdate: (next: (update: number) => number) => void,
): void {
  const isStill = useReducedMotion();
  useEffect(() => {
    if (!isPlaying) return;
    const moments = recorded.moments.map(([task]) => task?.[0]?.update ?? 0);
    const next = (update: number): number =>
      isStill
        ? (moments.find((moment) => moment > update) ?? updates)
        : Math.min(updates, update + Math.ceil(updates / STEPS));
    const timer = setInterval(() => setUpdate(next), isStill ? STILL_STEP : STEP);
    return () => clearInterval(timer);
  }, [isPlaying, isStill, updates, recorded, setUpdate]);
}

/** Number of the task shown: one after the other, unless motion is unwelcome. */
function useTask(tasks: readonly unknown[]): number {
  const isStill = useReducedMotion();
  const [task, setTask] = useState(0);
  useEffect(() => {
    if (isStill || tasks.length < 2) return;
    const timer = setInterval(() => setTask((before) => before + 1), TASK);
    return () => clearInterval(timer);
  }, [isStill, tasks]);
  return task;
}

interface RecordedArmProps {
  readonly arm: Arm;
  readonly colour: ArmColour;
  readonly world: World;
  readonly recorded: RecordedEpisode;
}

function RecordedArm({ arm, colour, world, recorded }: RecordedArmProps) {
  const { episode, dreamed } = useMemo(() => showRecorded(recorded), [recorded]);
  const { environment, words } = world;
  const scenes = useMemo(
    () => environment.scenes?.(episode.task, episode.tokens, episode.roles) ?? [],
    [environment, episode],
  );
  const answers = answersOf(episode, dreamed).filter(({ seen }) => seen.length > 0);
  const outcome = episode.success ? 'success' : 'failed';
  return (
    <article className="recorded-arm" aria-label={`${arm.name}, recorded`}>
      <h4 className="recorded-name">
        <ArmMark colour={colour} /> {arm.name} <span className="small soft">{outcome}</span>
      </h4>
      <SceneView
        scenes={scenes}
        turn={scenes.length - 1}
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
      <DreamDrawing
        answers={answers}
        shown={answers}
        scenes={scenes}
        world={world}
        isOneDream={false}
        colour={colour.stroke}
        label={`${arm.name}, recorded: what it dreamed of the answers`}
      />
    </article>
  );
}
