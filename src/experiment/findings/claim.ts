/**
 * A question put to the lab before anything is run: findings/NAME/claim.json, and beside it the runs that are to answer it,
 * findings/NAME/experiment.json. Both are committed first; `npm run findings` trains what they ask for and judges by them.
 */
import * as v from 'valibot';

/** Mean over a run's last 20 updates of a metric that is drawn itself. */
const atEnd = <M extends string>(metric: M, words: string) =>
  ({ metric, window: 'end', words, drawn: metric }) as const;
/** Measure of a metric at the first update that has it: before anything was learned. */
const atFirst = <M extends string>(metric: M, words: string) =>
  ({ metric, window: 'first', words, drawn: metric }) as const;
/** A number of the trained policy that no metric records. */
const unrecorded = (words: string) => ({ metric: null, window: 'end', words, drawn: 'successRate' }) as const;

/**
 * Numbers that a claim can be about, one a seed: the mean of a metric over all updates of a run or over its last 20, or its first
 * value. A metric of examinations is there at some updates only; the mean is over those, and another's curve is drawn. `null`: no
 * metric, but what steering of the trained policy gave (src/rl/look/steering/), after its first block, by the whole difference of
 * two cells' means, or what was probed in its last layer after the world's answer.
 */
export const MEASURES = {
  area: { metric: 'successRate', window: 'run', words: 'area under the success curve', drawn: 'successRate' },
  end: atEnd('successRate', 'success over the last 20 updates'),
  heldOut: {
    metric: 'heldOutSuccess',
    window: 'end',
    words: 'success on held-out tasks at the end',
    drawn: 'successRate',
  },
  toolOff: {
    metric: 'toolOffSuccess',
    window: 'end',
    words: 'success at the end with the tool taken away, on held-out tasks where there are any',
    drawn: 'successRate',
  },
  passAt16: {
    metric: 'heldOutPassAt16',
    window: 'end',
    words: 'pass@16 on held-out tasks at the end',
    drawn: 'successRate',
  },
  silentGroups: {
    metric: 'zeroVarianceGroups',
    window: 'run',
    words: 'share of groups whose rewards are all equal, over the run',
    drawn: 'zeroVarianceGroups',
  },
  crossEntropy: atEnd('observationCrossEntropy', 'cross-entropy on observations over the last 20 updates, in nats'),
  entropy: atEnd('entropy', 'entropy of actions over the last 20 updates, in nats'),
  toolUp: unrecorded('success at the end with a working tool, on held-out tasks'),
  practisedToolUp: atEnd('practisedToolUp', 'success at the end on practised questions while the tool works'),
  practisedToolDown: atEnd('practisedToolDown', 'success at the end on practised questions with the tool taken away'),
  newToolUp: atEnd('newToolUp', 'success at the end on new questions while the tool works'),
  newToolDown: atEnd('newToolDown', 'success at the end on new questions with the tool taken away'),
  practisedLieFollowed: atEnd(
    'practisedLieFollowed',
    'share of episodes at the end that answer what a lying tool said, on practised questions',
  ),
  practisedLieResisted: atEnd(
    'practisedLieResisted',
    'share of episodes at the end that answer rightly though the tool lied, on practised questions',
  ),
  newLieFollowed: atEnd(
    'newLieFollowed',
    'share of episodes at the end that answer what a lying tool said, on new questions',
  ),
  newLieResisted: atEnd(
    'newLieResisted',
    'share of episodes at the end that answer rightly though the tool lied, on new questions',
  ),
  practisedToolAsked: atEnd(
    'practisedToolAsked',
    'share of episodes at the end that ask a working tool, on practised questions',
  ),
  newToolAsked: atEnd('newToolAsked', 'share of episodes at the end that ask a working tool, on new questions'),
  paid: atEnd('return', 'mean reward over the last 20 updates'),
  repeatedWords: atEnd(
    'repeatedWords',
    'share of a sentence’s words that it had said before, over the last 20 updates',
  ),
  repeatedWordsAtFirst: atFirst('repeatedWords', 'the same share at the first update'),
  saidBack: atEnd('saidBack', 'share of sentences that begin as the listener’s own, over the last 20 updates'),
  crossEntropyAtFirst: atFirst('observationCrossEntropy', 'cross-entropy on observations at the first update, in nats'),
  ordinary: atEnd('ordinaryCrossEntropy', 'cross-entropy of ordinary stories at the end, in nats'),
  ordinaryAtFirst: atFirst('ordinaryCrossEntropy', 'cross-entropy of ordinary stories before training, in nats'),
  heldOutTakenUp: atEnd('heldOutTakenUp', 'share of sentences at the end that take up held-out things'),
  otherListenerTakenUp: atEnd(
    'otherListenerTakenUp',
    'share of sentences at the end that take up what another listener asks',
  ),
  steered: unrecorded('share of changed beliefs after which the policy acts as it does where it truly is there'),
  steeredAtRandom: unrecorded('the same share after pushes of equal length in random directions'),
  steeredElsewhere: unrecorded('the same share after a push of equal length towards a third cell'),
  rankAtFirst: unrecorded('effective rank of the last layer at the first update'),
  rankAt90: unrecorded('effective rank of the last layer at update 90'),
} as const;
export type MeasureId = keyof typeof MEASURES;

/** Side of the first condition on which the second lies; `undecided`: the seeds do not tell. */
const SIDES = ['above', 'below', 'alike', 'undecided'] as const;
/** `floor`: neither condition learned as much as the smallest difference that counts, so they cannot be called alike. */
export type Side = (typeof SIDES)[number] | 'floor';

const measure = v.picklist(Object.keys(MEASURES) as MeasureId[]);

const text = v.pipe(v.string(), v.minLength(1));
const id = v.pipe(v.string(), v.regex(/^[a-z0-9-]+$/));
const seeds = v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(32));

/** Two conditions that are compared: second − first. */
const ComparisonSchema = v.strictObject({
  id,
  first: id,
  second: id,
  /** Side on which the second is said to lie beforehand; `alike`: within ±`least`. */
  expected: v.picklist(['above', 'below', 'alike']),
});

export const ClaimSchema = v.strictObject({
  question: text,
  measure,
  /** A question's picture, of fewer than eight seeds a condition: its comparisons are shown, and none is judged. */
  picture: v.optional(v.literal(true)),
  /** All comparisons that are judged. Holm's correction is over them. */
  comparisons: v.pipe(v.array(ComparisonSchema), v.minLength(1)),
  /** Smallest difference that counts, in the measure's unit. */
  least: v.pipe(v.number(), v.minValue(0)),
  seeds,
  /**
   * Present where each comparison is between the picks of one search: what is repeated is a search, and each gives one number an
   * arm.
   */
  unit: v.optional(v.literal('search')),
  refuted: text,
  /** Outcomes that refute the claim, for the judge: one of them suffices, if all of its comparisons are on the sides it names. */
  refutes: v.array(v.record(id, v.array(v.picklist(SIDES)))),
  /** Standing of the claim where it was not written before its runs. */
  stated: v.optional(text),
  limits: v.array(text),
  literature: v.array(v.strictObject({ says: text, source: text })),
  /** A rerun is judged by one number a comparison: its mean difference, seed by seed, over this many seeds. */
  rerun: v.strictObject({
    comparison: id,
    /** Further comparisons that are run again, in order. */
    also: v.optional(v.array(id)),
    seeds,
    /** Reruns that were made when the claim asked for fewer seeds: their count, by the number that they are drawn from. */
    earlier: v.optional(v.record(v.string(), seeds)),
  }),
});

const fields = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));

export const ConditionsSchema = v.strictObject({
  /** Claim whose runs these are, where two claims are about the same. */
  runs: v.optional(id),
  /** Claim whose reruns these are too: their files have the names of these conditions. */
  reruns: v.optional(id),
  /** Fields of a link that all conditions share; a condition's own come on top. */
  fields: v.optional(fields, {}),
  conditions: v.record(
    id,
    v.strictObject({
      name: text,
      /** Arm of the experiment that is trained, where it has several. */
      arm: v.optional(id),
      fields: v.optional(fields, {}),
      /** Measure of this condition, where it is not the claim's. */
      measure: v.optional(measure),
      /** Condition whose runs these are too, where only the measure differs. */
      of: v.optional(id),
      /** File of runs below findings/, without `.json`, where they are recorded already. */
      recorded: v.optional(text),
      /** Settings that a search picked in a world for the arm `by`; its runs are trained first. `search`: its number, from 0. */
      picked: v.optional(
        v.strictObject({
          world: id,
          arm: v.picklist(['action-mask', 'world-model', 'placebo', 'failed-only']),
          by: v.picklist(['action-mask', 'world-model']),
          search: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
        }),
      ),
    }),
  ),
});

export type Claim = v.InferOutput<typeof ClaimSchema>;
export type ClaimComparison = Claim['comparisons'][number];

/** Comparisons that a rerun of a claim runs again, in order. */
export const rerunOf = ({ comparisons, rerun }: Pick<Claim, 'comparisons' | 'rerun'>): ClaimComparison[] =>
  [rerun.comparison, ...(rerun.also ?? [])].flatMap((name) => comparisons.filter(({ id }) => id === name));

/** Seeds of the rerun that is drawn from a number. */
export const rerunSeeds = ({ rerun }: Pick<Claim, 'rerun'>, seed: number): number =>
  rerun.earlier?.[seed] ?? rerun.seeds;

export type Conditions = v.InferOutput<typeof ConditionsSchema>;
