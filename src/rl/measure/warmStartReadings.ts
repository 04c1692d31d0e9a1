/**
 * Readings of a warm start: what is measured of the policies between supervised steps, and how readings of parts are put together.
 */
import * as v from 'valibot';

/** One number a member at each reading; NaN where there is nothing to measure, as in arms without a warm start. */
export const WARM_START_METRICS = [
  /** Unbiased estimates that one, and one of 16, sampled episodes of a task succeed: means over the tasks. */
  'passAt1',
  'passAt16',
  /** Mean entropy over the action tokens of its own episodes, nats, restricted to legal tokens where decoding is. */
  'entropy',
  /** Mean k3 KL to the policy before the warm start over these tokens, nats; to the file's where an arm's reference is a file. */
  'kl',
  /** Mean negative log-prob of the observations in its own episodes, nats. */
  'observationCrossEntropy',
  /**
   * Norm of the gradient of observation tokens over that of action tokens: the two parts of Σ −log p/(|A| + |O|) on the
   * demonstrations of the next step, also in an arm that learns from one alone. And the cosine of the angle between them.
   */
  'gradientRatio',
  'gradientCosine',
] as const;

export type WarmStartMetric = (typeof WARM_START_METRICS)[number];

const Values = v.pipe(v.array(v.nullable(v.union([v.number(), v.nan()]))), v.length(WARM_START_METRICS.length));

export const WarmStartReadingSchema = v.strictObject({
  /** Supervised steps taken before it. */
  step: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** [P][WARM_START_METRICS]; null instead of NaN, as JSON has it. */
  members: v.array(Values),
});

export type WarmStartReading = v.InferOutput<typeof WarmStartReadingSchema>;

/** A member's values of a metric, one a reading. */
export function warmStartSeries(
  readings: readonly WarmStartReading[],
  member: number,
  metric: WarmStartMetric,
): (number | null)[] {
  const column = WARM_START_METRICS.indexOf(metric);
  return readings.map(({ members }) => members[member]?.[column] ?? null);
}

/** The readings and a new one; those of the same step or later are dropped, as where a lost device begins the warm start again. */
export const withReading = (readings: readonly WarmStartReading[], next: WarmStartReading): WarmStartReading[] => [
  ...readings.filter(({ step }) => step < next.step),
  next,
];

/** Readings of a population in which a copy of an arm stands right after it, with its rows: a branch was that arm then. */
export const withCopiedArm = (readings: readonly WarmStartReading[], arm: number, seeds: number): WarmStartReading[] =>
  readings.map(({ step, members }) => {
    const ofArm = members.slice(arm * seeds, (arm + 1) * seeds);
    return { step, members: members.toSpliced((arm + 1) * seeds, 0, ...ofArm) };
  });

/** Readings of a population from those of its parts, whose members have these indices; a part without them has nulls. */
export function gatherReadings(
  parts: readonly (readonly number[])[],
  read: readonly (readonly WarmStartReading[])[],
  members: number,
): WarmStartReading[] {
  const steps = [...new Set(read.flatMap((readings) => readings.map(({ step }) => step)))].sort((a, b) => a - b);
  return steps.map((step) => {
    const rows = Array.from({ length: members }, (): (number | null)[] => WARM_START_METRICS.map(() => null));
    parts.forEach((indices, part) => {
      const reading = read[part]?.find((one) => one.step === step);
      indices.forEach((member, row) => {
        rows[member] = reading?.members[row] ?? WARM_START_METRICS.map(() => null);
      });
    });
    return { step, members: rows };
  });
}
