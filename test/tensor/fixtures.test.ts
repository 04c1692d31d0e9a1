/**
 * The operations against what other projects' own loss code gives. Every fixture token becomes a trajectory of two rows, a
 * prompt at position 0 and the target; a masked token is a prompt, which no term looks at.
 *
 * Tolerances are those of a float32 implementation: 2e-6 + 2e-5·|x| for losses and gradients, wider where the inputs are
 * large (WGSL's exp and log, the rounding of the logits themselves).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLE } from '../../src/foundation/roles';
import { allocate, f32, type TensorSpec, u32, unwritten } from '../../src/parity/cases/case';
import { type HyperOptions, hyperTensor } from '../../src/parity/cases/hyper';
import type { Backend } from '../../src/tensor/backend';
import { LOG_RATIO_LIMIT, packMeta, TERM, TERM_COLUMNS } from '../../src/tensor/layout';
import { BACKENDS } from './backends';
import {
  actionMask,
  advantagePerToken,
  dualClipExcess,
  echoRoles,
  expectClose,
  fixtures,
  groupsOf,
} from './fixtureCases';
import { lossFromTerms } from './lossFromTerms';

const LOSS = { atol: 2e-6, rtol: 2e-5 };
const METRIC = { atol: 1e-6, rtol: 1e-5 };
const EXTREME = { atol: 1e-6, rtol: 1e-4 };

interface Target {
  readonly token: number;
  readonly role: number;
  readonly legalSet: number;
}

/** Two rows a target; each target is a trajectory of the batch. `members` share the targets evenly, in order. */
function targetRows(targets: readonly Target[], members = 1): Record<string, TensorSpec> {
  const own = targets.length / members;
  const table = targets.flatMap(({ token, role, legalSet }, i) => {
    const s = i % own;
    return [0, 0, 2 * s, packMeta(ROLE.prompt, 0, s), token, 1, 2 * s, packMeta(role, legalSet, s)];
  });
  const start = Array.from({ length: members * (own + 1) }, (_, i) => 2 * (i % (own + 1)));
  return {
    'rows.table': u32(members, table),
    'rows.count': u32(members, new Array<number>(members).fill(2 * own)),
    'rows.start': u32(members, start),
  };
}

/** A value for each target, NaN for the prompts before them. */
const onTargets = (values: ArrayLike<number>, members = 1): TensorSpec =>
  f32(
    members,
    Array.from(values).flatMap((value) => [Number.NaN, value]),
  );

const atTargets = (rows: ArrayLike<number>, columns = 1, column = 0): number[] =>
  Array.from({ length: rows.length / columns / 2 }, (_, i) => rows[(2 * i + 1) * columns + column] as number);

interface ObjectiveInputs {
  readonly roles: readonly number[];
  readonly logProb: ArrayLike<number>;
  readonly old?: ArrayLike<number>;
  readonly reference?: ArrayLike<number>;
  readonly entropy?: ArrayLike<number>;
  readonly advantage?: ArrayLike<number>;
  readonly hyper: HyperOptions;
  readonly part?: 'all' | 'world-model';
}

async function runObjective(backend: Backend, inputs: ObjectiveInputs) {
  const { roles, logProb, part = 'all' } = inputs;
  const zeros = new Float32Array(roles.length);
  const hyper = hyperTensor(inputs.hyper);
  const t = allocate(backend, {
    ...targetRows(roles.map((role) => ({ token: 0, role, legalSet: 0 }))),
    logProb: onTargets(logProb),
    old: onTargets(inputs.old ?? zeros),
    reference: onTargets(inputs.reference ?? zeros),
    entropy: onTargets(inputs.entropy ?? zeros),
    advantage: f32(1, inputs.advantage ?? zeros),
    counts: unwritten(1, 4),
    hyper,
    dLogProb: unwritten(1, 2 * roles.length),
    dEntropy: unwritten(1, 2 * roles.length),
    terms: unwritten(1, 2 * roles.length * TERM_COLUMNS),
  });
  const program = backend.record('token objective', 1, (ops) => {
    ops.countRoles(t.f32('counts'), t.sequences(), { accumulate: false });
    const inputs = {
      logProb: t.f32('logProb'),
      oldLogProb: t.f32('old'),
      referenceLogProb: t.f32('reference'),
      behaviourLogProb: t.f32('old'),
      entropy: t.f32('entropy'),
      advantage: t.f32('advantage'),
      counts: t.f32('counts'),
      hyper: t.f32('hyper'),
    };
    ops.tokenObjective(t.f32('dLogProb'), t.f32('dEntropy'), t.f32('terms'), inputs, t.rows(), part);
  });
  await backend.prepare();
  backend.run(program);
  const outputs = [t.f32('dLogProb'), t.f32('dEntropy'), t.f32('terms'), t.f32('counts')];
  const [dLogProb, dEntropy, terms, counts] = await backend.read(...outputs);
  return {
    dLogProb: atTargets(dLogProb!),
    dEntropy: atTargets(dEntropy!),
    loss: lossFromTerms(terms!, counts!, hyper.data, [2 * roles.length], part)[0] as number,
    term: (column: number) => atTargets(terms!, TERM_COLUMNS, column),
    actions: counts![ROLE.action] as number,
  };
}

describe.each(BACKENDS)('$name', ({ create }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await create();
  });
  afterAll(() => {
    backend.dispose();
  });

  describe('tokenObjective', () => {
    test.each(fixtures('policy_loss'))('gives the policy loss $name', async (fixture) => {
      const mask = actionMask(fixture);
      const got = await runObjective(backend, {
        roles: Array.from(mask, (isAction) => (isAction === 1 ? ROLE.action : ROLE.prompt)),
        logProb: fixture.input('log_prob'),
        old: fixture.input('old_log_prob'),
        entropy: fixture.has('entropy') ? fixture.input('entropy') : new Float32Array(mask.length),
        advantage: advantagePerToken(fixture),
        hyper: {
          policyGradient: { action: 1 },
          clipLow: fixture.setting('clip_ratio_low', 'clip_eps_low', 'eps_clip_low', 'epsilon', 'eps_clip') as number,
          clipHigh: fixture.setting(
            'clip_ratio_high',
            'clip_eps_high',
            'eps_clip_high',
            'epsilon_high',
            'eps_clip',
          ) as number,
          entropyCoefficient: fixture.setting('entropy_coef') ?? 0,
        },
      });
      const tolerance = fixture.tags.includes('extreme') ? EXTREME : LOSS;
      const excess = dualClipExcess(fixture, got.term(TERM.policyLoss));
      const loss = got.loss - excess.reduce((a, b) => a + b, 0) / Math.max(got.actions, 1);
      const dLogProb = got.dLogProb.map((value, i) => (excess[i] === 0 ? value : 0));
      expectClose('loss', [loss], fixture.expected('loss') as Float64Array, tolerance);
      expectClose('dLogProb', dLogProb, fixture.expected('grad_log_prob') as Float64Array, tolerance);
      const byEntropy = fixture.expected('grad_entropy');
      if (byEntropy !== undefined) expectClose('dEntropy', got.dEntropy, byEntropy, LOSS);
      const mean = (column: number) => got.term(column).reduce((a, b) => a + b, 0) / Math.max(got.actions, 1);
      const clipped = fixture.metric('pg_clipfrac') ?? fixture.metric('clip_ratio');
      if (clipped !== undefined && !Number.isNaN(clipped))
        expectClose('clip fraction', [mean(TERM.clipped)], [clipped], METRIC);
      const kl = fixture.metric('ppo_kl');
      if (kl !== undefined && !Number.isNaN(kl)) expectClose('log-ratio', [-mean(TERM.logRatio)], [kl], METRIC);
    });

    test.each(fixtures('kl'))('gives the KL estimate $name', async (fixture) => {
      const tolerance = fixture.tags.includes('extreme') ? EXTREME : LOSS;
      const mask = fixture.has('mask') ? fixture.input('mask') : null;
      const logProb = fixture.input('log_prob');
      const got = await runObjective(backend, {
        roles: Array.from(logProb, (_, i) => (mask === null || mask[i] === 1 ? ROLE.action : ROLE.prompt)),
        logProb,
        old: logProb,
        reference: fixture.input('ref_log_prob'),
        hyper: { klCoefficient: 1 },
      });
      const [upstream, reference] = [fixture.input('grad_kl'), fixture.input('ref_log_prob')];
      const gradient = got.dLogProb.map((value, i) => value * got.actions * (upstream[i] as number));
      const estimate = got.term(TERM.kl);
      const [wantedEstimate, wantedGradient] = ['kl', 'grad_log_prob'].map(fixture.expected) as [
        Float64Array,
        Float64Array,
      ];
      logProb.forEach((value, i) => {
        const isInside = Math.abs((reference[i] as number) - value) <= LOG_RATIO_LIMIT;
        if (/^(verl|skyrl)_/.test(fixture.name)) {
          // These cap the estimate once more, at 10.
          if (isInside && (estimate[i] as number) > 10) gradient[i] = 0;
          estimate[i] = Math.min(estimate[i] as number, 10);
        } else if (!isInside) {
          // These do not clamp the log-ratio.
          wantedEstimate[i] = estimate[i] as number;
          wantedGradient[i] = 0;
        }
      });
      expectClose('k3', estimate, wantedEstimate, tolerance);
      expectClose('dLogProb', gradient, wantedGradient, tolerance);
    });

    test.each(fixtures('echo'))('gives the world-model gradient of $name', async (fixture) => {
      const { roles, crossEntropy } = echoRoles(fixture);
      const got = await runObjective(backend, {
        roles,
        logProb: fixture.input('log_prob'),
        old: fixture.input('old_log_prob'),
        advantage: advantagePerToken(fixture),
        hyper: { crossEntropy, policyGradient: { action: 1 } },
        part: 'world-model',
      });
      // Policy losses differ between the projects; on all other tokens the gradient is the cross-entropy's alone.
      const expected = (fixture.expected('grad_log_prob') as Float64Array).map((value, i) =>
        roles[i] === ROLE.action ? 0 : value,
      );
      expectClose('dLogProb', got.dLogProb, expected, LOSS);
    });

    const whole = fixtures('echo').filter((fixture) => /dapo|openenv_trl_all_env/.test(fixture.name));
    test.each(whole)('gives the whole loss of $name', async (fixture) => {
      const { roles, crossEntropy } = echoRoles(fixture);
      const got = await runObjective(backend, {
        roles,
        logProb: fixture.input('log_prob'),
        old: fixture.input('old_log_prob'),
        advantage: advantagePerToken(fixture),
        hyper: {
          crossEntropy,
          policyGradient: { action: 1 },
          clipLow: fixture.setting('epsilon') as number,
          clipHigh: fixture.setting('epsilon_high') as number,
        },
      });
      expectClose('loss', [got.loss], fixture.expected('loss') as Float64Array, LOSS);
      expectClose('dLogProb', got.dLogProb, fixture.expected('grad_log_prob') as Float64Array, LOSS);
    });
  });

  describe('groupAdvantage', () => {
    test.each(fixtures('advantage'))('gives $name', async (fixture) => {
      for (const { rewards, expected } of groupsOf(fixture)) {
        const G = rewards.length;
        const t = allocate(backend, {
          reward: f32(1, rewards),
          hyper: hyperTensor({ advantageEpsilon: fixture.setting('epsilon') as number }),
          advantage: unwritten(1, G),
          zeroVariance: unwritten(1, 1),
        });
        const program = backend.record(fixture.name, 1, (ops) => {
          const sizes = { groups: 1, groupSize: G };
          ops.groupAdvantage(t.f32('advantage'), t.f32('zeroVariance'), t.f32('reward'), t.f32('hyper'), sizes);
        });
        await backend.prepare();
        backend.run(program);
        const [advantage, zeroVariance] = await backend.read(t.f32('advantage'), t.f32('zeroVariance'));
        const equal = new Set(rewards).size === 1;
        expect(zeroVariance[0]).toBe(equal ? 1 : 0);
        if (equal) expect(Array.from(advantage)).toEqual(new Array(G).fill(0));
        expectClose('advantage', advantage, expected, { atol: 2e-6, rtol: 1e-5 });
      }
    });
  });
});
