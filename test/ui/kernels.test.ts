// Texts, search and colours of the page of kernels.
import { describe, expect, test, vi } from 'vitest';
import type {
  CheckedCase,
  DeviceLine,
  KernelNews,
  KernelText,
  KernelTiming,
  OperationCheck,
} from '../../src/train/kernels/report';
import {
  checkOf,
  firstSentence,
  found,
  rateOf,
  shortCount,
  timingOf,
  toleranceWords,
} from '../../src/ui/places/machine/kernels/kernelWords';
import { piecesOf } from '../../src/ui/places/machine/kernels/wgsl';

const device: DeviceLine = { kind: 'webgpu', description: 'a GPU', software: false, reason: '' };
const kernel: KernelText = {
  name: 'log_prob/masked',
  family: 'Log-probabilities',
  operations: ['maskedLogProb'],
  variant: null,
  about: 'entropy = −Σ p log p',
  floor: '',
  file: '',
  code: '',
  sizes: {},
  storageBindings: 7,
  workgroup: '64',
  series: 'maskedLogProb',
};
const split: KernelText = { ...kernel, name: 'log_prob/masked_split', variant: 'tiled', about: 'long rows' };

const caseOf = (name: string, worst: number, kernels: string[], failures: string[] = []): CheckedCase => ({
  name,
  members: 1,
  compared: 10,
  worst,
  where: 'out[0, 1]',
  error: 1e-6,
  failures,
  kernels,
});
const check = (variant: OperationCheck['variant'], ...cases: CheckedCase[]): OperationCheck => ({
  operation: 'maskedLogProb',
  variant,
  device,
  cases,
  seconds: 1,
});

describe('a check', () => {
  const short = caseOf('short', 0.2, ['log_prob/masked']);
  const long = caseOf('long', 0.5, ['log_prob/masked_split']);

  test('holds the cases that dispatched the kernel, in the variant that does', () => {
    expect(checkOf(kernel, [])).toBeNull();
    const checks = [check('plain', short), check('tiled', short, long)];
    expect(checkOf(kernel, checks)).toMatchObject({ cases: [short, short], worst: short, failed: 0, compared: 20 });
    expect(checkOf(split, checks)).toMatchObject({ cases: [long], worst: long });
    expect(checkOf(split, [check('plain', short)])).toBeNull();
  });

  test('waits for every operation; on the CPU counts all cases; what failed before it dispatched is everyone’s', () => {
    expect(checkOf({ ...kernel, operations: ['maskedLogProb', 'copy'] }, [check('plain', short)])).toBeNull();
    const cpu = caseOf('cpu', 0.1, []);
    expect(checkOf(split, [check(null, cpu)])).toMatchObject({ worst: cpu });
    const broken = caseOf('broken', Number.POSITIVE_INFINITY, [], ['does not compile']);
    expect(checkOf(kernel, [check('plain', short, broken)])).toMatchObject({ failed: 1, worst: broken });
  });
});

describe('numbers', () => {
  test('of tolerances', () => {
    expect([0, 0.0004, 0.0954, 0.5, 1, 12.34, Number.POSITIVE_INFINITY].map(toleranceWords)).toEqual([
      'exact',
      'below 0.01',
      '0.095',
      '0.50',
      '1.00',
      '12.3',
      'beyond all',
    ]);
  });

  test('of axes', () => {
    expect([48, 4096, 16_384, 151_936, 2 ** 22, 2 ** 26].map(shortCount)).toEqual([
      '48',
      '4096',
      '16k',
      '152k',
      '4.2M',
      '67M',
    ]);
  });

  test('of rates: by what the operation is bound by, none where it was skipped', () => {
    const size = { at: 1, words: '', seconds: 2, skipped: '', flops: 8, bytes: 4, kernels: ['log_prob/masked_split'] };
    const ceiling = { perSecond: 10, by: '' };
    const timing = (variant: KernelTiming['variant']): KernelTiming => ({
      series: 'maskedLogProb',
      variant,
      device,
      axis: '',
      clock: 'host clock',
      bound: 'memory',
      ceilings: { compute: ceiling, memory: ceiling },
      sizes: [size],
    });
    expect(rateOf(timing('plain'), size)).toBe(2);
    expect(rateOf({ ...timing('plain'), bound: 'compute' }, size)).toBe(4);
    expect(rateOf(timing('plain'), { ...size, seconds: null })).toBeNull();
    expect(timingOf(split, [timing('plain')])).toBeNull();
    expect(timingOf(split, [timing('plain'), timing('tiled')])?.variant).toBe('tiled');
  });
});

test('a text begins with a sentence; numbers and names with dots do not end it', () => {
  expect(firstSentence('Draws the next token. One 1.5 per pick.')).toBe('Draws the next token.');
  expect(firstSentence('As log_prob/masked.wgsl, on GPUs. More.')).toBe('As log_prob/masked.wgsl, on GPUs.');
});

test('the search takes every word, in names, operations, families and formulas', () => {
  const names = (search: string) => found([kernel, split], search).map(({ name }) => name);
  expect(names('')).toHaveLength(2);
  expect(names('log prob split')).toEqual(['log_prob/masked_split']);
  expect(names('ENTROPY maskedLogProb')).toEqual(['log_prob/masked']);
  expect(names('attention')).toEqual([]);
});

describe('WGSL in pieces', () => {
  const kinds = (line: string) =>
    piecesOf(line)
      .map(({ kind, text }) => `${kind} ${text.trim()}`)
      .filter((piece) => piece !== 'plain ');

  test('knows comments, directives, keywords, types, numbers and attributes', () => {
    expect(kinds('@compute fn main(x: vec4f) { let a = 0x1fu + -3e38; } // ends')).toEqual([
      'attribute @compute',
      'keyword fn',
      'plain main(x:',
      'type vec4f',
      'plain ) {',
      'keyword let',
      'plain a =',
      'number 0x1fu',
      'plain + -',
      'number 3e38',
      'plain ; }',
      'comment // ends',
    ]);
    expect(kinds('// #include "grid.wgsl"')).toEqual(['directive // #include "grid.wgsl"']);
    expect(kinds('let x1 = v.x / 2.0;').slice(-3)).toEqual(['plain x1 = v.x /', 'number 2.0', 'plain ;']);
  });

  test('loses no character', () => {
    for (const line of ['', '  a.b[1].xyz = .5 * 1.;', 'θ ≤ 3 // λ', '$HEAD_QUADSu', 'x/*y']) {
      expect(
        piecesOf(line)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
    }
  });
});

test('the list comes without the cases of the checks, which take seconds to make', async () => {
  vi.doMock('../../src/parity/cases/all', () => {
    throw new Error('The list waits for the cases.');
  });
  const { serveKernels } = await import('../../src/train/kernels/serve');
  const news: KernelNews[] = [];
  await serveKernels({ type: 'list' }, 'cpu', (one) => news.push(one));
  expect(news.map(({ type }) => type)).toEqual(['list']);
});
