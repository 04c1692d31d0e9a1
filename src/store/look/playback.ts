/**
 * Clock of all boards: the episodes and the turn that are shown. While a run has none of its own, a recording or an example is
 * shown. New episodes wait until those on screen have been played to their end, so an episode can be watched while training goes
 * on; where the run is far ahead by then, they are played in haste, so that none on screen is old. Without motion nothing waits:
 * the newest episodes are shown as they ended.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Environment } from '../../environments/environment';
import type { Scene } from '../../environments/scene';
import { beginsTurn } from '../../foundation/roles';
import type { EpisodeView } from '../../train/looks/shown';
import type { LabStore } from '../lab';

/** An episode on a board: the run's own, a demonstration, a recording or an example. */
export interface BoardEpisode extends EpisodeView {
  /** Source of an episode that is not the run's; absent for the run's own and for demonstrations that it imitates. */
  readonly from?: 'example' | 'recording';
  /** World of an episode that is not the run's: the page may have gone on to another. */
  readonly world?: Environment;
  /** Scenes drawn already; without them the board draws them. */
  readonly scenes?: readonly Scene[];
  /** Tokens of a recording, with each next answer as the policy dreamed it. */
  readonly dreamed?: Uint16Array;
  /** Success of all the arm's episodes about then, in words; of a recording alone. */
  readonly overall?: string;
}

export type BoardEpisodes = Readonly<Record<string, BoardEpisode>>;

/** True if a policy of the run on screen played it. */
export const isPlayed = ({ from, imitated }: BoardEpisode): boolean => from === undefined && imitated === undefined;

const NONE: BoardEpisodes = {};

/** Episodes that a board of a world can draw: all of them or, of another world, none. */
export const episodesIn = ({ episodes }: Pick<Playback, 'episodes'>, environment: Environment): BoardEpisodes =>
  Object.values(episodes).every(({ world = environment }) => world === environment) ? episodes : NONE;

export interface Playback {
  /** The episodes on screen, by arm. */
  readonly episodes: BoardEpisodes;
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
  /** Plays on from here, or holds the present picture. */
  setPlaying(playing: boolean): void;
  setMotion(motion: boolean): void;
  /** Sets the episodes shown while the run has none. isWhole: they are shown at their end, where the clock stays. */
  standIn(episodes: BoardEpisodes, isWhole: boolean): void;
};

/** Number of ticks that a finished episode stays on screen. */
const PAUSE = 5;

/** Updates by which an episode may be behind the newest before it is played in haste: in so many ticks, with so many at its end. */
export const FAR = 10;
const HASTE = { ticks: 6, pause: 2 };

const updateOf = (episodes: BoardEpisodes): number => Object.values(episodes)[0]?.update ?? 0;

function countTurns(roles: ArrayLike<number>): number {
  let turns = 0;
  for (let t = 0; t < roles.length; t++) if (beginsTurn(roles, t)) turns++;
  return turns;
}

/** Key of a set of episodes: it differs for another source or task, and stays the same for the next ones of a run. */
const kindOf = (episodes: BoardEpisodes): string => {
  const [first] = Object.values(episodes);
  if (first === undefined) return '';
  const { seed, group, from, imitated } = first;
  return [seed, group, from, imitated === undefined].join(' ');
};

export function createPlayback(lab: LabStore): PlaybackStore {
  let standing: { readonly episodes: BoardEpisodes; readonly isWhole: boolean } = { episodes: {}, isWhole: false };
  const hasOwn = (): boolean => Object.keys(lab.getState().episodes).length > 0;
  const newest = (): BoardEpisodes => (hasOwn() ? lab.getState().episodes : standing.episodes);
  const store = createStore<Playback>(() => ({ episodes: {}, turn: 0, turns: 0, playing: true, motion: true }));
  const show = (episodes: Playback['episodes']): void => {
    const turns = Math.max(0, ...Object.values(episodes).map(({ roles }) => countTurns(roles)));
    const { playing, motion } = store.getState();
    // Without motion boards show how the episode ended; the user can step back from there.
    const isWhole = !hasOwn() && standing.isWhole;
    store.setState({ episodes, turns, turn: playing && motion && !isWhole ? 0 : turns });
  };
  const follows = (): boolean => store.getState().playing && !store.getState().motion;
  lab.subscribe((now, before) => {
    if (now.episodes === before.episodes) return;
    if (kindOf(store.getState().episodes) !== kindOf(newest()) || follows()) show(newest());
  });
  return Object.assign(store, {
    advance() {
      const { episodes, turn, turns } = store.getState();
      const isFar = updateOf(newest()) - updateOf(episodes) > FAR;
      const step = isFar && turn < turns ? Math.min(turns - turn, Math.ceil(turns / HASTE.ticks)) : 1;
      if (turn < turns + (isFar ? HASTE.pause : PAUSE)) store.setState({ turn: turn + step });
      else show(newest());
    },
    seek(turn: number) {
      store.setState({ turn, playing: false });
    },
    takeNewest() {
      show(newest());
    },
    setPlaying(playing: boolean) {
      store.setState({ playing });
      if (follows()) show(newest());
    },
    setMotion(motion: boolean) {
      store.setState({ motion });
      if (follows()) show(newest());
    },
    standIn(episodes: BoardEpisodes, isWhole: boolean) {
      standing = { episodes, isWhole };
      if (hasOwn()) return;
      const { episodes: shown } = store.getState();
      // The same task with other weights plays on.
      const isSame = Object.values(shown)[0]?.tokens === Object.values(episodes)[0]?.tokens;
      if (isSame && !isWhole) store.setState({ episodes });
      else show(episodes);
    },
  });
}
