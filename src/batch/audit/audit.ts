/** The audit of a batch: every rule looks at every trajectory once, as it passes. */
import type { BatchTrajectory } from '../trajectory';
import { BatchRules } from './batchRules';
import { lookAt } from './look';
import { MaskRules } from './maskRules';
import { NumberRules } from './numberRules';
import { type AuditReport, RULES } from './report';

export class Audit {
  readonly #masks = new MaskRules();
  readonly #numbers = new NumberRules();
  readonly #batch = new BatchRules();
  #trajectories = 0;
  #tokens = 0;
  #gradient = 0;
  #isGradientKnown = true;

  add(trajectory: BatchTrajectory): void {
    const look = lookAt(trajectory);
    this.#trajectories++;
    this.#tokens += trajectory.length;
    this.#isGradientKnown &&= look.gradient !== null;
    this.#gradient += look.gradient?.reduce((sum, one) => sum + one, 0) ?? 0;
    for (const rules of [this.#masks, this.#numbers, this.#batch]) rules.look(look);
  }

  /** Call it once, after the last trajectory. */
  finish(): AuditReport {
    this.#numbers.finish();
    this.#batch.finish();
    const totals = {
      trajectories: this.#trajectories,
      tokens: this.#tokens,
      gradient: this.#isGradientKnown ? this.#gradient : null,
    };
    const reports = [this.#masks, this.#numbers, this.#batch]
      .flatMap(({ tallies }) => tallies)
      .map((tally) => tally.report(totals));
    const rules = RULES.map((rule) => reports.find((report) => report.rule === rule)).filter(
      (one) => one !== undefined,
    );
    return { trajectories: totals.trajectories, tokens: totals.tokens, rules };
  }
}
