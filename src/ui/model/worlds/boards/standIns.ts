/** Episodes for the boards while a run has none of its own: its recording, or a task as a script plays it. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Exhibit } from '../../../../environments/environment';
import type { Arm } from '../../../../experiment/experiment';
import { ROLES } from '../../../../foundation/roles';
import { weightOn } from '../../../../hyperparameters/weights';
import { episodesOf, type RecordedEpisodes, showRecorded, tasksAt } from '../../../../measured/recordedEpisodes';
import type { BoardEpisode, BoardEpisodes } from '../../../../store/look/playback';
import { armsWithEpisodes, recordedEpisodesOf } from '../../../../store/recorded/recordings';
import { drawRecordedUntil, successAt } from '../../../../store/recorded/scrub';
import type { ExperimentWorld } from '../../environment';
import { useExhibit } from '../../play';
import { useLab, useLabState, usePlayback } from '../../useLab';
import { overallWords, taskWords } from '../recordedWords';

/** Milliseconds of a step, and steps from the first update to the last; without motion it goes from moment to moment. */
const STEP = 250;
const STEPS = 48;
const STILL_STEP = 1500;

/** A recording gone through, at an update. */
export interface BoardReplay {
  readonly update: number;
  readonly updates: number;
  readonly isPlaying: boolean;
  /** Sentence on when the task on screen was played, and why it is shown. */
  readonly words: string;
  readonly hasOthers: boolean;
  /** Plays or pauses; at the end it begins again. */
  toggle(): void;
  seek(update: number): void;
  nextTask(): void;
}

/** Hands the boards these episodes; returns the replay of a recording, 'coming' while it loads, null for an example. */
export function useStandIns(world: ExperimentWorld, arms: readonly Arm[]): BoardReplay | 'coming' | null {
  const { playback } = useLab();
  const hasOwn = useLabState((state) => Object.keys(state.episodes).length > 0);
  const recorded = useRecorded();
  const [replay, replayed] = useReplay(world, recorded, hasOwn);
  const example = useExample(world, arms);
  useEffect(
    () => playback.standIn(replayed ?? (recorded === null ? example : {}), replayed !== null),
    [playback, replayed, example, recorded],
  );
  return hasOwn ? null : recorded === 'coming' ? 'coming' : replay;
}

/** The world's exhibit as each arm would learn from it; none until it was played. */
function useExample({ environment }: ExperimentWorld, arms: readonly Arm[]): BoardEpisodes {
  const shown = useExhibit(environment);
  const tokens = useMemo(() => (shown === null ? null : Uint16Array.from(shown.tokens)), [shown]);
  return useMemo(
    () =>
      shown === null || tokens === null
        ? {}
        : Object.fromEntries(arms.map((arm) => [arm.id, { ...exampleFor(arm, shown, tokens), world: environment }])),
    [environment, arms, shown, tokens],
  );
}

/** Weights are those of the arm's table: what a token would count by at an advantage of 1. */
export function exampleFor(arm: Arm, { roles, scenes }: Exhibit, tokens: Uint16Array): BoardEpisode {
  const weights = (table: Arm['pg']): Float32Array =>
    Float32Array.from(roles, (role, t) => {
      const named = ROLES[role];
      return t === 0 || named === undefined ? 0 : weightOn(table, named);
    });
  return {
    ...{ from: 'example', arm: arm.id, seed: 0, update: 0, group: 0, trajectory: 0, relabelled: false, scenes },
    ...{ task: new Int32Array(0), tokens, roles: Uint8Array.from(roles) },
    ...{ policyWeight: weights(arm.pg), crossEntropyWeight: weights(arm.ce) },
    logProb: new Float32Array(roles.length).fill(Number.NaN),
    ...{ advantage: 1, reward: 1, success: true },
  };
}

/** Episodes of the recording behind the charts, of the arms that it has; null where there are none. */
function useRecorded(): RecordedEpisodes | 'coming' | null {
  const sent = useLabState((state) => state.sent);
  const preset = useLabState(({ edited }) => edited.preset);
  const arms = useLabState(({ edited }) => armsWithEpisodes(edited).join(' '));
  const isAny = arms !== '';
  const [known, setKnown] = useState<{ preset: string; recorded: RecordedEpisodes | null } | null>(null);
  useEffect(() => {
    let isWanted = isAny;
    if (!isAny) return;
    // Without them there is still the task: where they do not arrive, nothing is missing.
    const found = recordedEpisodesOf(preset).catch(() => null);
    void found.then((recorded) => isWanted && setKnown({ preset, recorded }));
    return () => {
      isWanted = false;
    };
  }, [preset, isAny]);
  const recorded = known?.preset === preset ? known.recorded : 'coming';
  const cut = useMemo(
    () => (recorded === null || recorded === 'coming' ? recorded : episodesOf(recorded, arms.split(' '))),
    [recorded, arms],
  );
  if (!isAny) return null;
  return sent?.from === 'recording' ? cut : 'coming';
}

/**
 * Replay of a recording, and the episodes that it shows; null and null without a recording, and once the run has its own episodes.
 * It goes through the recording once by itself, unless motion is unwelcome, and the recorded curves go with it.
 */
function useReplay(
  { environment: world }: ExperimentWorld,
  found: RecordedEpisodes | 'coming' | null,
  isOver: boolean,
): [BoardReplay | null, BoardEpisodes | null] {
  const lab = useLab();
  const sent = useLabState((state) => state.sent);
  const isStill = !usePlayback((state) => state.motion);
  const [update, setUpdate] = useState(0);
  const [isStopped, stop] = useState<boolean | null>(null);
  const [task, setTask] = useState(0);
  const isPlaying = !(isStopped ?? isStill);
  const recorded = found === 'coming' ? null : found;
  const updates = sent?.result.updates ?? 0;
  const isEnd = update >= updates;
  const isOn = recorded !== null && sent !== null && !isOver;
  const tasks = useMemo(() => (recorded === null ? [] : tasksAt(recorded, update, isEnd)), [recorded, update, isEnd]);
  const seek = (to: number) => {
    setTask(0);
    setUpdate(Math.min(updates, to));
  };
  useEvery(isOn && isPlaying && !isEnd ? (isStill ? STILL_STEP : STEP) : null, () => {
    if (recorded !== null) seek(isStill ? momentAfter(recorded, update) : update + Math.ceil(updates / STEPS));
  });
  // The recording's curves grow with the replay. Afterwards the charts have all of it.
  const drawn = isOver || found === null ? Number.POSITIVE_INFINITY : update;
  useEffect(() => {
    if (sent !== null) drawRecordedUntil(lab.store, drawn);
  }, [lab, sent, drawn]);
  useEffect(() => () => drawRecordedUntil(lab.store, Number.POSITIVE_INFINITY), [lab]);
  const shown = tasks[task % Math.max(1, tasks.length)];
  const episodes = useMemo(() => {
    if (!isOn || shown === undefined) return null;
    const success = successAt(sent.result, update);
    return Object.fromEntries(
      shown.map((one) => {
        const { episode, dreamed } = showRecorded(one);
        const overall = overallWords(success.get(one.arm) ?? null, one, isEnd ? updates : null);
        return [one.arm, { ...episode, from: 'recording', world, dreamed, overall } satisfies BoardEpisode];
      }),
    );
  }, [isOn, shown, world, sent, update, isEnd, updates]);
  if (!isOn || shown === undefined) return [null, null];
  const replay: BoardReplay = {
    ...{ update, updates, isPlaying: isPlaying && !isEnd, hasOthers: tasks.length > 1 },
    words: taskWords(shown),
    toggle: () => {
      if (isEnd) seek(0);
      stop(isPlaying && !isEnd);
    },
    seek: (to) => {
      stop(true);
      seek(to);
    },
    nextTask: () => {
      stop(true);
      setTask(task + 1);
    },
  };
  return [replay, episodes];
}

/** Update of the next moment; after the last one there is none. */
const momentAfter = ({ moments }: RecordedEpisodes, update: number): number =>
  moments.map(([task]) => task?.[0]?.update ?? 0).find((moment) => moment > update) ?? Number.POSITIVE_INFINITY;

/** Calls it again and again, so many milliseconds apart; not at all while that is null. */
function useEvery(apartBy: number | null, call: () => void): void {
  const next = useRef(call);
  next.current = call;
  useEffect(() => {
    if (apartBy === null) return;
    const timer = setInterval(() => next.current(), apartBy);
    return () => clearInterval(timer);
  }, [apartBy]);
}
