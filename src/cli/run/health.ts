/** The lights of a finished run in words, one line for each that is not fine. */
import { findEnvironment } from '../../environments/registry';
import { composeVocabulary } from '../../environments/vocabulary';
import { isFixed } from '../../experiment/arm/policyFiles';
import {
  type ArmFacts,
  countOf,
  FAILURES,
  judgeArm,
  type Light,
  type SeedCurves,
  worthOfSuccess,
} from '../../experiment/conclude/health';
import { effectiveArms } from '../../experiment/timeline';
import type { RunResult } from '../../train/result/result';

type Result = Pick<RunResult, 'experiment' | 'arms'>;
type Curve = RunResult['arms'][number]['seeds'][number]['curve'];

/** Input of the criteria, by arm. */
export function armCurves({ experiment, arms }: Result): { curves: SeedCurves[]; facts: ArmFacts }[] {
  const environment = findEnvironment(experiment.environment.id)?.create(experiment.environment.settings);
  const words = composeVocabulary(environment === undefined ? [] : [environment.words]).words.length;
  const settings = effectiveArms(experiment, experiment.updates);
  return arms.map(({ id, seeds }) => {
    const arm = settings.find((candidate) => candidate.id === id);
    const facts = { words, worthOfSuccess: arm === undefined ? 1 : worthOfSuccess(arm) };
    // A fixed policy does not train, so its training cannot fail.
    const curves = arm !== undefined && isFixed(arm) ? [] : seeds.map(({ curve }) => curvesOf(curve));
    return { curves, facts };
  });
}

/** Lights, [arms][failures]. */
const lightsOf = (result: Result): Light[][] =>
  armCurves(result).map(({ curves, facts }) => FAILURES.map((failure) => judgeArm(failure, curves, facts)));

const curvesOf = (curve: Curve): SeedCurves => ({
  count: curve.update.length,
  at: (update, metric) => curve[metric][update] ?? Number.NaN,
});

/** Lines such as `no-mask: mask leak failing in 2 of 2 seeds (5.10 5.32)`. */
export function healthLines(result: Result): string[] {
  return lightsOf(result).flatMap((lights, arm) =>
    lights.flatMap(({ state, seeds }, k) => {
      if (state !== 'failing' && state !== 'warning') return [];
      const ill = countOf(seeds, state);
      const values = seeds.map(({ value }) => value.toFixed(2)).join(' ');
      const title = FAILURES[k]?.title.toLowerCase();
      return [`${result.arms[arm]?.id}: ${title} ${state} in ${ill} of ${seeds.length} seeds (${values})`];
    }),
  );
}
