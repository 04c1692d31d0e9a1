/** Counts of one rule while trajectories pass: those it found, and those it could not look at. */
import { readable } from '../chat';
import type { BatchTrajectory } from '../trajectory';
import type { AuditLook } from './look';
import type { FindingLocation, RuleId, RuleReport } from './report';
import { RULE_TEXTS } from './texts';

const MOST_PLACES = 20;

/** Sums over the whole batch. */
export interface Totals {
  readonly trajectories: number;
  readonly tokens: number;
  /** Sum of |weight × advantage|; null if it is not known everywhere. */
  readonly gradient: number | null;
}

export class Tally {
  readonly #rule: RuleId;
  #looked = 0;
  readonly #lacks = new Map<string, number>();
  #found = 0;
  #trajectories = 0;
  #last = 0;
  #tokens = 0;
  #gradient = 0;
  #places: FindingLocation[] = [];
  note: string | null = null;

  constructor(rule: RuleId) {
    this.#rule = rule;
  }

  looked(count = 1): void {
    this.#looked += count;
  }

  lacks(what: string, count = 1): void {
    if (count > 0) this.#lacks.set(what, (this.#lacks.get(what) ?? 0) + count);
  }

  /** A finding at a token, which counts with its gradient. */
  atToken({ trajectory, gradient }: AuditLook, token: number, what: string): void {
    this.#tokens++;
    this.#gradient += gradient?.[token] ?? 0;
    this.#find(trajectory, token, `${what}${textAt(trajectory, token)}`);
  }

  /** A finding of a whole trajectory, or of a part of it that begins at a token. */
  ofTrajectory(look: AuditLook, what: string, token: number | null = null): void {
    this.#tokens += look.trajectory.length;
    for (const value of look.gradient ?? []) this.#gradient += value;
    this.#find(look.trajectory, token, what);
  }

  /** A finding told afterwards, with its sums. */
  ofSums(
    place: FindingLocation,
    { trajectories, tokens, gradient }: { trajectories: number; tokens: number; gradient: number },
  ): void {
    this.#found++;
    this.#trajectories += trajectories;
    this.#tokens += tokens;
    this.#gradient += gradient;
    if (this.#places.length < MOST_PLACES) this.#places.push(place);
  }

  /** Takes the findings back: they were not enough. */
  forget(): void {
    this.#found = this.#trajectories = this.#tokens = this.#gradient = 0;
    this.#places = [];
  }

  #find({ file, line, number }: BatchTrajectory, token: number | null, what: string): void {
    this.#found++;
    if (this.#last !== number) this.#trajectories++;
    this.#last = number;
    if (this.#places.length < MOST_PLACES) this.#places.push({ file, line, trajectory: number, token, what });
  }

  report({ tokens, gradient }: Totals): RuleReport {
    const share = (part: number, whole: number | null): number | null =>
      whole === null || whole === 0 ? null : part / whole;
    return {
      rule: this.#rule,
      state: this.#found > 0 ? 'found' : this.#looked > 0 ? 'clean' : 'unseen',
      looked: this.#looked,
      lacks: [...this.#lacks].map(([what, trajectories]) => ({ what, trajectories })),
      found: this.#found,
      trajectories: this.#trajectories,
      tokens: this.#tokens,
      tokenShare: share(this.#tokens, tokens),
      gradientShare: share(this.#gradient, gradient),
      places: this.#places,
      note: this.note,
      ...RULE_TEXTS[this.#rule],
    };
  }
}

function textAt({ texts, ids }: BatchTrajectory, token: number): string {
  if (texts !== null) return ` “${readable(texts[token] ?? '').replaceAll('\n', '⏎')}”`;
  return ids === null ? '' : ` (id ${ids[token]})`;
}
