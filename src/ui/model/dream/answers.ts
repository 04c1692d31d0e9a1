/** Dreamed and seen answers of an episode, turn by turn. */
import { turnsOf } from '../../../environments/replay';
import type { EpisodeView } from '../../../train/looks/shown';

export interface DreamedAnswer {
  /** Tokens dreamed and seen, of the same number. */
  readonly dreamed: readonly number[];
  readonly seen: readonly number[];
}

/** tokens: the episode's, with the answers dreamed. */
export function answersOf(episode: Pick<EpisodeView, 'tokens' | 'roles'>, tokens: ArrayLike<number>): DreamedAnswer[] {
  return turnsOf(episode.roles).map(({ answer, end }) => ({
    dreamed: Array.from(tokens).slice(answer, end),
    seen: Array.from(episode.tokens.subarray(answer, end)),
  }));
}

export interface DreamAgreement {
  readonly agreed: number;
  readonly of: number;
}

export function agreementOf(answers: readonly DreamedAnswer[]): DreamAgreement {
  const same = answers.flatMap(({ dreamed, seen }) => seen.map((token, index) => dreamed[index] === token));
  return { agreed: same.filter(Boolean).length, of: same.length };
}
