/**
 * Requests for dreams of the episodes on screen: one for each set of episodes shown, and another when the way of sampling
 * changes. Dreams of episodes that have left the screen are no longer shown.
 */

import type { PreferencesStore } from '../keep/preferences';
import type { DreamsHeard } from '../lab';
import type { Requests } from '../run/requests';
import { isPlayed, type PlaybackStore } from './playback';

export class DreamLooks {
  readonly #playback: PlaybackStore;
  readonly #preferences: PreferencesStore;
  readonly #requests: Requests;
  /** Number of requests so far, which is the id of the last one. */
  #asked = 0;

  constructor(playback: PlaybackStore, preferences: PreferencesStore, requests: Requests) {
    this.#playback = playback;
    this.#preferences = preferences;
    this.#requests = requests;
    playback.subscribe((now, before) => {
      if (now.episodes !== before.episodes) this.#ask();
    });
    preferences.subscribe((now, before) => {
      const begun = now.dream !== 'none' && before.dream === 'none';
      if (begun || now.dreamSampling !== before.dreamSampling) this.#ask();
    });
  }

  /** The dreams, if they are of the episodes on screen; else null. */
  current(heard: DreamsHeard | null): DreamsHeard | null {
    return heard?.id === this.#asked ? heard : null;
  }

  #ask(): void {
    this.#asked += 1;
    const { dream, dreamSampling } = this.#preferences.getState();
    const episodes = Object.values(this.#playback.getState().episodes).filter(isPlayed);
    if (dream === 'none' || episodes.length === 0) return;
    this.#requests.dream({
      id: this.#asked,
      sampling: dreamSampling,
      episodes: episodes.map(({ arm, seed, task, tokens, roles }) => ({ arm, seed, task, tokens, roles })),
    });
  }
}
