/** Rules about whole trajectories, and about trajectories beside each other. */
import { type AuditLook, isTrained } from './look';
import { largestAdvantage } from './numberRules';
import type { FindingLocation } from './report';
import { Tally } from './tally';

interface Group {
  readonly first: FindingLocation;
  members: number;
  /** Largest advantage; null if none is known. */
  largest: number | null;
  low: number;
  high: number;
  rewards: number;
  tokens: number;
}

/** Tokens, or characters, of a response below which two equal ones are no surprise. */
const LEAST_TOKENS = 16;
const LEAST_CHARACTERS = 64;
/** Fewest episodes of which it can be said that few carry the gradient. */
const LEAST_EPISODES = 20;
/** Share of the episodes that carry half of |∂loss/∂logp|. */
const FEW = 0.05;

interface Episode {
  readonly place: FindingLocation;
  readonly sum: number;
  readonly trained: number;
  readonly tokens: number;
}

export class BatchRules {
  readonly #silent = new Tally('silent-group');
  readonly #truncated = new Tally('truncated');
  readonly #duplicate = new Tally('duplicate');
  readonly #retokenised = new Tally('retokenised');
  readonly #dominated = new Tally('dominated');
  readonly #groups = new Map<string, Group>();
  readonly #contents = new Map<string, FindingLocation>();
  readonly #identities = new Map<string, FindingLocation>();
  readonly #episodes: Episode[] = [];
  #weighed = 0;

  get tallies(): readonly Tally[] {
    return [this.#silent, this.#truncated, this.#duplicate, this.#retokenised, this.#dominated];
  }

  look(look: AuditLook): void {
    const { trajectory } = look;
    const place = {
      file: trajectory.file,
      line: trajectory.line,
      trajectory: trajectory.number,
      token: null,
      what: '',
    };
    this.#lookAtGroup(look, place);
    this.#lookAtEnd(look);
    this.#lookForEqual(look, place);
    this.#lookAtTurns(look);
    this.#weigh(look, place);
  }

  #lookAtGroup({ trajectory }: AuditLook, place: FindingLocation): void {
    const { group, reward } = trajectory;
    const largest = largestAdvantage(trajectory);
    if (group === null || (reward === null && largest === null)) {
      this.#silent.lacks(group === null ? 'a group, or a prompt' : 'a reward or an advantage');
      return;
    }
    const known: Group = this.#groups.get(group) ?? {
      ...{ first: place, members: 0, largest: null, low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
      ...{ rewards: 0, tokens: 0 },
    };
    this.#groups.set(group, known);
    known.members++;
    known.tokens += trajectory.length;
    if (largest !== null) known.largest = Math.max(known.largest ?? 0, largest);
    if (reward === null) return;
    known.rewards++;
    known.low = Math.min(known.low, reward);
    known.high = Math.max(known.high, reward);
  }

  #lookAtEnd(look: AuditLook): void {
    const { trajectory } = look;
    if (trajectory.truncated === null) {
      this.#truncated.lacks('what says that it was cut off: truncated, finish_reason, or texts of tokens');
      return;
    }
    if (trajectory.columns.weight === undefined) {
      this.#truncated.lacks('weights in the loss (a loss mask), which say whether it is trained');
      return;
    }
    this.#truncated.looked();
    const isAnyTrained = trajectory.columns.weight.some((_, token) => isTrained(trajectory, token));
    if (trajectory.truncated && isAnyTrained && largestAdvantage(trajectory) !== 0) {
      this.#truncated.ofTrajectory(look, `was cut off after ${trajectory.length} tokens and is trained`);
    }
  }

  #lookForEqual(look: AuditLook, place: FindingLocation): void {
    const { content, identity, responseSize, length } = look.trajectory;
    this.#duplicate.looked();
    const isLong = responseSize >= (length > 0 ? LEAST_TOKENS : LEAST_CHARACTERS);
    const same = identity === null ? undefined : this.#identities.get(`${identity} ${content}`);
    const equal = same ?? (isLong ? this.#contents.get(content) : undefined);
    if (equal !== undefined) {
      const what = same === undefined ? 'prompt and response are those' : 'is the same trajectory as that';
      this.#duplicate.ofTrajectory(look, `${what} of trajectory ${equal.trajectory}, line ${equal.line}`);
    }
    if (identity !== null) this.#identities.set(`${identity} ${content}`, place);
    if (isLong && !this.#contents.has(content)) this.#contents.set(content, place);
  }

  #lookAtTurns(look: AuditLook): void {
    const { retokenised } = look.trajectory;
    if (retokenised === null) {
      this.#retokenised.lacks(
        'sampled_ids (the response as the engine gave it), or ids of each turn (verifiers’ column trajectory)',
      );
      return;
    }
    this.#retokenised.looked();
    for (const token of retokenised) {
      this.#retokenised.atToken(
        look,
        token,
        'what is trained, or a later turn’s prompt, has another id than was sampled:',
      );
    }
  }

  #weigh({ trajectory, gradient }: AuditLook, place: FindingLocation): void {
    if (gradient === null) {
      this.#dominated.lacks('weights in the loss and advantages');
      return;
    }
    this.#weighed++;
    let trained = 0;
    for (let token = 0; token < trajectory.length; token++) if (isTrained(trajectory, token)) trained++;
    const sum = gradient.reduce((all, one) => all + one, 0);
    if (sum > 0) this.#episodes.push({ place, sum, trained, tokens: trajectory.length });
  }

  finish(): void {
    this.#tellGroups();
    this.#tellEpisodes();
  }

  #tellGroups(): void {
    let compared = 0;
    for (const { members, largest, low, high, rewards, tokens, first } of this.#groups.values()) {
      if (members < 2) {
        this.#silent.lacks('a second trajectory of its prompt', members);
        continue;
      }
      this.#silent.looked(members);
      compared++;
      const isSilent = largest === null ? rewards === members && low === high : largest < 1e-9;
      if (!isSilent) continue;
      const why = rewards === members && low === high ? `all rewards are ${low}` : 'all advantages are 0';
      const place = { ...first, what: `${why} in this group of ${members}` };
      this.#silent.ofSums(place, { trajectories: members, tokens, gradient: 0 });
    }
    if (compared > 0) this.#silent.note = `${compared} ${compared === 1 ? 'group' : 'groups'} of two or more`;
  }

  #tellEpisodes(): void {
    const isEnough = this.#episodes.length >= LEAST_EPISODES;
    if (isEnough) this.#dominated.looked(this.#weighed);
    else this.#dominated.lacks(`${LEAST_EPISODES} episodes with a gradient`, this.#weighed);
    if (this.#episodes.length === 0) return;
    const byTokens = this.#carriers(({ sum }) => sum);
    const bySequences = this.#carriers(({ sum, trained }) => sum / trained);
    const count = this.#episodes.length;
    this.#dominated.note = `half of |∂loss/∂logp| is carried by ${byTokens.length} of ${count} episodes under token mean and Dr. GRPO, by ${bySequences.length} under sequence mean`;
    if (!isEnough || byTokens.length > FEW * count) return;
    const all = this.#episodes.reduce((sum, one) => sum + one.sum, 0);
    for (const { place, sum, tokens } of byTokens) {
      const what = `carries ${((100 * sum) / all).toPrecision(2)} % under token mean`;
      this.#dominated.ofSums({ ...place, what }, { trajectories: 1, tokens, gradient: sum });
    }
  }

  /** Fewest episodes that carry half, the largest first. */
  #carriers(sizeOf: (episode: Episode) => number): Episode[] {
    const sorted = [...this.#episodes].sort((a, b) => sizeOf(b) - sizeOf(a));
    const half = sorted.reduce((sum, one) => sum + sizeOf(one), 0) / 2;
    let sum = 0;
    let count = 0;
    for (const episode of sorted) {
      if (sum >= half * (1 - 1e-9)) break;
      sum += sizeOf(episode);
      count++;
    }
    return sorted.slice(0, count);
  }
}
