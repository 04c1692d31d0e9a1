/**
 * Clock of all boards: the episodes and the turn that are shown. New episodes wait until those on screen have been played
 * to their end, so an episode can be watched while training goes on. Without motion nothing waits: the newest episodes
 * are shown as they ended.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { beginsTurn } from '../../foundation/roles';
import type { EpisodeView } from '../../train/looks/shown';
import type { LabStore } from '../lab';

export interface Playback {
  /** The episodes on screen, by arm. */
  readonly episodes: Readonly<Record<string, EpisodeView>>;
  readonly turn: number;
  /** Turns of the longest episode on screen. */
  readonly turns: number;
  /** True while boards play and go on to the newest episodes; false while they are held. */
  readonly playing: boolean;
  /** True if turns may be animated. */
  readonly motion: boolean;
}

export type PlaybackStore = StoreApi<Playback> & {
  /** Goes one turn on; after the end, to the beginning of the newest episodes. */
  advance(): void;
  /** Goes to a turn and stops there. */
  seek(turn: number): void;
  /** Shows the newest episodes. */
  takeNewest(): void;
  /** Plays on from here, or holds what is shown. */
  setPlaying(playing: boolean): void;
  setMotion(motion: boolean): void;
};

/** Number of ticks that a finished episode stays on screen. */
const PAUSE = 5;

function countTurns(roles: ArrayLike<number>): number {
  let turns = 0;
  for (let t = 0; t < roles.length; t++) if (beginsTurn(roles, t)) turns++;
  return turns;
}

export function createPlayback(lab: LabStore): PlaybackStore {
  const store = createStore<Playback>(() => ({ episodes: {}, turn: 0, turns: 0, playing: true, motion: true }));
  const show = (episodes: Playback['episodes']): void => {
    const turns = Math.max(0, ...Object.values(episodes).map(({ roles }) => countTurns(roles)));
    const { playing, motion } = store.getState();
    // Without motion boards show how the episode ended; the user can step back from there.
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
