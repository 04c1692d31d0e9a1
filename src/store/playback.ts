/**
 * The clock all boards share: which turn is shown, and which episodes. New episodes wait until the ones on screen have
 * been played to their end, so that an episode can be watched while training runs on. Without motion there is nothing to
 * wait for: the newest episodes are shown as they ended.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { ROLE } from '../foundation/roles';
import type { EpisodeView } from '../train/protocol';
import type { LabStore } from './lab';

export interface Playback {
  /** The episodes on screen, by arm. */
  readonly episodes: Readonly<Record<string, EpisodeView>>;
  readonly turn: number;
  /** Turns of the longest episode on screen. */
  readonly turns: number;
  /** Going on to the newest episodes; held otherwise. */
  readonly playing: boolean;
  /** Whether turns may be animated. */
  readonly motion: boolean;
}

export type PlaybackStore = StoreApi<Playback> & {
  /** One turn on; past the end, the newest episodes from their beginning. */
  advance(): void;
  /** To a turn, and stop there. */
  seek(turn: number): void;
  /** The newest episodes. */
  takeNewest(): void;
  /** Plays on from here, or holds what is shown. */
  setPlaying(playing: boolean): void;
  setMotion(motion: boolean): void;
};

/** Ticks a finished episode stays on screen. */
const PAUSE = 5;

function countTurns(roles: ArrayLike<number>): number {
  let turns = 0;
  for (let t = 0; t < roles.length; t++) if (roles[t] === ROLE.action && roles[t - 1] !== ROLE.action) turns++;
  return turns;
}

export function createPlayback(lab: LabStore): PlaybackStore {
  const store = createStore<Playback>(() => ({ episodes: {}, turn: 0, turns: 0, playing: true, motion: true }));
  const show = (episodes: Playback['episodes']): void => {
    const turns = Math.max(0, ...Object.values(episodes).map(({ roles }) => countTurns(roles)));
    const { playing, motion } = store.getState();
    // Where nothing moves, boards show where the episode ended; from there one steps back.
    store.setState({ episodes, turns, turn: playing && motion ? 0 : turns });
  };
  const follows = (): boolean => store.getState().playing && !store.getState().motion;
  lab.subscribe((now, before) => {
    if (now.episodes === before.episodes) return;
    const empty = Object.keys(store.getState().episodes).length === 0;
    const cleared = Object.keys(now.episodes).length === 0;
    const [shown] = Object.values(store.getState().episodes);
    const [newest] = Object.values(now.episodes);
    const moved = shown?.seed !== newest?.seed || shown?.group !== newest?.group;
    if (empty || cleared || moved || follows()) show(now.episodes);
  });
  return Object.assign(store, {
    advance() {
      const { turn, turns } = store.getState();
      if (turn < turns + PAUSE) store.setState({ turn: turn + 1 });
      else show(lab.getState().episodes);
    },
    seek(turn: number) {
      store.setState({ turn, playing: false });
    },
    takeNewest() {
      show(lab.getState().episodes);
    },
    setPlaying(playing: boolean) {
      store.setState({ playing });
      if (follows()) show(lab.getState().episodes);
    },
    setMotion(motion: boolean) {
      store.setState({ motion });
      if (follows()) show(lab.getState().episodes);
    },
  });
}
