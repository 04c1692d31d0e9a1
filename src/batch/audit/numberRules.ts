/** Rules about the numbers of tokens: log-probs of two engines, advantages within a turn, numbers that are none. */
import { type BatchTrajectory, CERTAIN, isSampled } from '../trajectory';
import { type AuditLook, isTrained, sampledRuns } from './look';
import type { FindingLocation } from './report';
import { klLeaks } from './returns';
import { Tally } from './tally';

/** Mean |log ratio| of trained tokens above which the engines differ; engines of one model are some 0.01 apart. */
const MEAN_LIMIT = 0.05;
/** A ratio outside [½, 2] is one that truncated importance sampling would cut. */
const RATIO = Math.log(2);
/** Share of trained tokens whose ratio may be outside. */
const OUTSIDE_LIMIT = 0.01;

export class NumberRules {
  readonly #mismatch = new Tally('mismatch');
  readonly #varies = new Tally('advantage-varies');
  readonly #finite = new Tally('non-finite');
  #sum = 0;
  #compared = 0;
  #outside = 0;
  /** Worst token of each trajectory that has a ratio outside; the worst of all first. */
  #worst: { readonly place: FindingLocation; readonly size: number; readonly gradient: number }[] = [];

  get tallies(): readonly Tally[] {
    return [this.#mismatch, this.#varies, this.#finite];
  }

  look(look: AuditLook): void {
    this.#lookAtRatios(look);
    this.#lookAtAdvantages(look);
    this.#finite.looked();
    for (const { field, token, value } of look.trajectory.nonFinite) {
      if (token === null) this.#finite.ofTrajectory(look, `${field} is ${value}`);
      else this.#finite.atToken(look, token, `${field} is ${value} at`);
    }
  }

  #lookAtRatios(look: AuditLook): void {
    const { trajectory, numberShift } = look;
    const { rollout, weight } = trajectory.columns;
    const scored = trajectory.columns.old ?? trajectory.columns.logp;
    if (rollout === undefined || scored === undefined || rollout.every((value) => !value)) {
      this.#mismatch.lacks('log-probs of the rollout engine and of the trainer (old)');
      return;
    }
    this.#mismatch.looked();
    if (numberShift !== null) return;
    let worst = { token: 0, size: 0 };
    for (let token = 0; token < trajectory.length; token++) {
      const counts = weight === undefined ? isSampled(trajectory.roles?.[token]) : isTrained(trajectory, token);
      const size = Math.abs((scored[token] ?? 0) - (rollout[token] ?? 0));
      if (!counts || !Number.isFinite(size) || !isSampled(trajectory.roles?.[token])) continue;
      // An engine reports 0 for a token that it did not sample, and for one of which it was certain.
      if (rollout[token] === 0) {
        const isAdded = isTrained(trajectory, token) && (scored[token] ?? 0) < CERTAIN;
        if (isAdded)
          this.#mismatch.atToken(look, token, 'trained with the rollout log-prob 0, as if it had been certain:');
        continue;
      }
      this.#compared++;
      this.#sum += size;
      if (size > RATIO) this.#outside++;
      if (size > worst.size) worst = { token, size };
    }
    if (worst.size > 0) this.#remember(look, worst);
  }

  #remember({ trajectory, gradient }: AuditLook, { token, size }: { token: number; size: number }): void {
    const { file, line, number } = trajectory;
    const place = { file, line, trajectory: number, token, what: `|log ratio| ${size.toFixed(3)}` };
    this.#worst.push({ place, size, gradient: gradient?.[token] ?? 0 });
    this.#worst.sort((a, b) => b.size - a.size);
    this.#worst.length = Math.min(this.#worst.length, 10);
  }

  #lookAtAdvantages(look: AuditLook): void {
    const { trajectory } = look;
    const { advantage, weight, values } = trajectory.columns;
    if (advantage === undefined || trajectory.isAdvantageScalar || trajectory.length === 0) {
      this.#varies.lacks('an advantage for each token');
      return;
    }
    if (values !== undefined) {
      this.#varies.lacks('advantages that should be equal: there are values, and a critic’s differ by token');
      return;
    }
    this.#varies.looked();
    const leaks = klLeaks(trajectory);
    for (const token of leaks ?? []) {
      this.#varies.atToken(look, token, 'the turn before is charged with the KL of tokens that came back, from');
    }
    // A difference by the KL penalty alone is meant.
    if (leaks !== null) return;
    for (const [from, to] of sampledRuns(trajectory)) {
      const isCounted = (token: number): boolean =>
        Number.isFinite(advantage[token]) && (weight === undefined || isTrained(trajectory, token));
      const tokens = Array.from({ length: to - from }, (_, at) => from + at).filter(isCounted);
      const odd = tokens.find((token) => differs(advantage[token] ?? 0, advantage[tokens[0] ?? 0] ?? 0));
      if (odd === undefined) continue;
      const what = `the advantage is ${show(advantage, tokens[0])} at token ${tokens[0]} of this turn and ${show(advantage, odd)} at`;
      this.#varies.atToken(look, odd, what);
    }
  }

  finish(): void {
    if (this.#compared === 0) return;
    const mean = this.#sum / this.#compared;
    const share = this.#outside / this.#compared;
    this.#mismatch.note = `mean |log ratio| ${mean.toPrecision(2)}; ${Number((100 * share).toPrecision(2))} % of ${this.#compared} tokens have a ratio outside [½, 2]`;
    if (mean <= MEAN_LIMIT && share <= OUTSIDE_LIMIT) return;
    for (const { place, gradient } of this.#worst)
      this.#mismatch.ofSums(place, { trajectories: 1, tokens: 1, gradient });
  }
}

const differs = (a: number, b: number): boolean => Math.abs(a - b) > 1e-5 * Math.max(1, Math.abs(a), Math.abs(b));

const show = (column: Float64Array, token: number | undefined): string =>
  String(Number((column[token ?? 0] ?? Number.NaN).toPrecision(4)));

/** Largest |advantage| of tokens that are trained; null where none is known. */
export function largestAdvantage(trajectory: BatchTrajectory): number | null {
  const { advantage, weight } = trajectory.columns;
  if (advantage === undefined) return null;
  let largest: number | null = null;
  for (const [token, value] of advantage.entries()) {
    if (!Number.isFinite(value)) continue;
    if (trajectory.length > 0 && weight !== undefined && !isTrained(trajectory, token)) continue;
    largest = Math.max(largest ?? 0, Math.abs(value));
  }
  return largest;
}
