/** Metrics that are undefined for some arms, and stay within their bounds for all. */

import { describe, expect, test } from 'vitest';
import { ROLE, ROLES } from '../../src/foundation/roles';
import { CHOICES, type ChoiceOf } from '../../src/hyperparameters/columns';
import { hasActionLoss, needsOf } from '../../src/rl/learn/needs';
import { measure } from '../../src/rl/measure/measure';
import { METRIC, METRICS } from '../../src/rl/measure/metrics';
import { nothingReplayed } from '../../src/rl/play/replay';
import { GROUP, GROUP_COLUMNS, TERM, TERM_COLUMNS } from '../../src/tensor/columns';
import { HYPER, HYPER_COLUMNS } from '../../src/tensor/layout';

interface Norms {
  readonly gradNorm: number;
  readonly policyGradNorm: number;
  readonly worldModelGradNorm: number;
}

const NORMS: Norms = { gradNorm: 5, policyGradNorm: 3, worldModelGradNorm: 4 };

/** Metrics of one member: four action tokens, one of which was clipped. */
function metricsOf({ actionLoss = true, kept = 1, norms = NORMS }) {
  const firstTerms = new Float32Array(TERM_COLUMNS);
  firstTerms[TERM.clipped] = 1;
  const counts = new Float32Array(ROLES.length);
  counts[ROLE.action] = 4;
  const group = new Float32Array(GROUP_COLUMNS);
  group[GROUP.kept] = kept;
  const values = measure(
    { means: new Map(), members: 1, tokens: 1 },
    {
      firstTerms,
      laterTerms: new Float32Array(TERM_COLUMNS),
      counts,
      gradNorm: [norms.gradNorm],
      policyGradNorm: [norms.policyGradNorm],
      worldModelGradNorm: [norms.worldModelGradNorm],
      group,
      tokens: null,
      gradients: null,
      formulas: [],
      inverse: null,
      distillation: null,
    },
    {
      innerEpochs: [1],
      minibatches: [1],
      critic: [false],
      reference: true,
      actionLoss: [actionLoss],
      imitates: [false],
      relabelled: [Number.NaN],
      replayed: nothingReplayed(1),
    },
  );
  expect(values.length).toBe(METRICS.length);
  return (name: keyof typeof METRIC): number => values[METRIC[name]] as number;
}

describe('Shares of clipped tokens', () => {
  const CLIPPED = ['clipFraction', 'clipFractionLow', 'clipFractionHigh', 'clipFractionDual'] as const;

  test('are undefined where no action token carries a policy loss, or all groups are left out', () => {
    expect(CLIPPED.map(metricsOf({}))).toEqual([0.25, 0, 0, 0]);
    const nothing = CLIPPED.map(() => Number.NaN);
    expect(CLIPPED.map((name) => metricsOf({ actionLoss: false })(name))).toEqual(nothing);
    expect(CLIPPED.map((name) => metricsOf({ kept: 0 })(name))).toEqual(nothing);
  });
});

describe('The cosine of the two gradients', () => {
  const cosine = (gradNorm: number, policyGradNorm: number, worldModelGradNorm: number): number =>
    metricsOf({ norms: { gradNorm, policyGradNorm, worldModelGradNorm } })('gradientCosine');

  test('is that of the angle, never beyond 1', () => {
    expect(cosine(5, 3, 4)).toBe(0);
    expect(cosine(7, 3, 4)).toBe(1);
    // As float32 norms round them.
    expect(cosine(7.00001, 3, 4)).toBe(1);
    expect(cosine(0.99999, 3, 4)).toBe(-1);
  });

  test('is undefined where a gradient is 0, or vanishes beside the other', () => {
    expect(cosine(3, 3, 0)).toBeNaN();
    expect(cosine(4, 0, 4)).toBeNaN();
    expect(cosine(0, 0, 0)).toBeNaN();
    expect(cosine(1, 1, 1e-7)).toBeNaN();
    expect(cosine(1, 1e-7, 1)).toBeNaN();
  });
});

describe('What an arm needs', () => {
  const row = (columns: Partial<Record<keyof typeof HYPER, number>>): Float32Array => {
    const table = new Float32Array(HYPER_COLUMNS);
    for (const [name, value] of Object.entries(columns)) table[HYPER[name as keyof typeof HYPER]] = value;
    return table;
  };
  const of = (credit: ChoiceOf<'advantageCredit'>, baseline: ChoiceOf<'advantageBaseline'>) =>
    needsOf(
      row({
        advantageCredit: CHOICES.advantageCredit.indexOf(credit),
        advantageBaseline: CHOICES.advantageBaseline.indexOf(baseline),
      }),
    );

  test('are baselines only under the credits that take them', () => {
    const those = (is: (credit: (typeof CHOICES.advantageCredit)[number]) => boolean) =>
      CHOICES.advantageCredit.filter(is);
    expect(those((credit) => of(credit, 'greedy').baselines)).toEqual(['outcome', 'reward-to-go']);
    // Critics need scores for themselves; a tree of rollouts and rewards of turns take neither baselines nor a critic.
    expect(those((credit) => of(credit, 'optimal-token').scores)).toEqual([
      'outcome',
      'reward-to-go',
      'gae',
      'bilevel-gae',
    ]);
    expect(those((credit) => of(credit, 'group-mean').scores)).toEqual(['gae', 'bilevel-gae']);
  });

  test('is told by the weight of action tokens whether they carry a policy loss', () => {
    const table = row({});
    expect(hasActionLoss(table, 0)).toBe(false);
    table[HYPER.policyGradient + ROLE.observation] = 1;
    expect(hasActionLoss(table, 0)).toBe(false);
    table[HYPER.policyGradient + ROLE.action] = 0.5;
    expect(hasActionLoss(table, 0)).toBe(true);
  });
});
