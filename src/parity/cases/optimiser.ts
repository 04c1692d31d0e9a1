/** Parity cases of the optimiser and the plumbing. Parameters after AdamW are within 3e-6, a thousandth of a step. */
import { f32, normal, type ParityCase, randomFor, u32, unwritten } from './case';
import { hyperTensor } from './hyper';

function gradientNormCases(): ParityCase[] {
  return [4, 1024, 2500, 270_004].flatMap((N) =>
    [false, true].map((difference): ParityCase => {
      const name = `gradientNorm of ${N}${difference ? ', of a difference' : ''}`;
      const random = randomFor(name);
      const members = N === 4 ? 1 : 3;
      return {
        operation: 'gradientNorm',
        name,
        members,
        tensors: {
          a: normal(random, members, N, 0.01),
          b: normal(random, members, N, 0.01),
          norm: unwritten(members, 1),
          scratch: unwritten(members, Math.ceil(N / 1024)),
        },
        build: (ops, t) => {
          ops.gradientNorm(t.f32('norm'), t.f32('scratch'), t.f32('a'), difference ? t.f32('b') : null);
        },
        outputs: [{ tensor: 'norm', atol: 1e-7, rtol: 1e-5 }],
      };
    }),
  );
}

/**
 * Steps 1, 10 and 1000; gradients clipped, not clipped, 0; members without a step: inactive, norm NaN or infinite; and one
 * whose last four parameters alone move.
 */
function adamWCases(): ParityCase[] {
  const sizes = [4, 1028, 70_004].flatMap((N) => [false, true].map((isMeasured) => ({ N, isMeasured })));
  return sizes.map(({ N, isMeasured }): ParityCase => {
    const name = `adamW of ${N} parameters${isMeasured ? ' by their gradient’s norm' : ''}`;
    const random = randomFor(name);
    const P = 7;
    const gradients = normal(random, P, N, 0.1);
    for (let i = 0; i < gradients.data.length; i += 9) gradients.data[i] = 0;
    gradients.data[4 * N + 1] = Number.NaN;
    gradients.data[5 * N + 1] = Number.NEGATIVE_INFINITY;
    const secondMoment = normal(random, P, N, 0.1);
    const moments = normal(random, P, N, 0.1);
    for (let i = 0; i < P * N; i++) {
      secondMoment.data[i] **= 2;
      // Member 0 starts with moments of 0.
      if (i < N) moments.data[i] = secondMoment.data[i] = 0;
    }
    return {
      operation: 'adamW',
      name,
      members: P,
      tensors: {
        parameters: normal(random, P, N),
        moments,
        secondMoment,
        step: f32(P, [0, 9, 999, 3, 4, 5, 6]),
        gradients,
        norm: f32(P, [3.3, 0.4, 1e-3, 2, Number.NaN, Number.POSITIVE_INFINITY, 2]),
        hyper: hyperTensor(
          { maxGradNorm: 1, weightDecay: 0 },
          { maxGradNorm: 0.5, beta2: 0.95 },
          { maxGradNorm: 10, weightDecay: 0.1, epsilon: 1e-5 },
          {},
          {},
          {},
          {},
        ),
        active: u32(P, [1, 1, 1, 0, 1, 1, 1 + N - 4]),
        scratch: unwritten(P, Math.ceil(N / 1024)),
      },
      build: (ops, t) => {
        if (isMeasured) ops.gradientNorm(t.f32('norm'), t.f32('scratch'), t.f32('gradients'), null);
        ops.adamW(
          t.f32('parameters'),
          t.f32('moments'),
          t.f32('secondMoment'),
          t.f32('step'),
          t.f32('gradients'),
          t.f32('norm'),
          t.f32('hyper'),
          t.u32('active'),
        );
      },
      outputs: [
        { tensor: 'parameters', atol: 3e-6, rtol: 1e-6 },
        { tensor: 'moments', atol: 1e-8, rtol: 1e-5 },
        { tensor: 'secondMoment', atol: 1e-10, rtol: 1e-5 },
        { tensor: 'step', atol: 0, rtol: 0 },
      ],
    };
  });
}

function plumbingCases(): ParityCase[] {
  const random = randomFor('plumbing');
  return [
    {
      operation: 'fill',
      name: 'fill of 3 × 101 elements',
      members: 3,
      tensors: { x: unwritten(3, 101) },
      build: (ops, t) => ops.fill(t.f32('x'), 0.25),
      outputs: [{ tensor: 'x', atol: 0, rtol: 0 }],
    },
    {
      operation: 'copy',
      name: 'copy of floats and integers',
      members: 3,
      tensors: {
        x: unwritten(3, 35),
        y: normal(random, 3, 35),
        i: u32(3, new Uint32Array(9)),
        j: u32(3, [0, 1, 2, 3, 4, 5, 6, 7, 0xffffffff]),
      },
      build: (ops, t) => {
        ops.copy(t.f32('x'), t.f32('y'));
        ops.copy(t.u32('i'), t.u32('j'));
      },
      outputs: [
        { tensor: 'x', atol: 0, rtol: 0 },
        { tensor: 'i', atol: 0, rtol: 0 },
      ],
    },
    {
      operation: 'copyMembers',
      name: 'copy of the first and the third of 3 × 101 elements',
      members: 3,
      tensors: { x: normal(random, 3, 101), y: normal(random, 3, 101), active: u32(3, [1, 0, 7]) },
      build: (ops, t) => ops.copyMembers(t.f32('x'), t.f32('y'), t.u32('active')),
      outputs: [{ tensor: 'x', atol: 0, rtol: 0 }],
    },
  ];
}

export const OPTIMISER_CASES: readonly ParityCase[] = [...gradientNormCases(), ...adamWCases(), ...plumbingCases()];
