// Texts of the speed panel and of its copies, from reports made by hand.

import { describe, expect, test } from 'vitest';
import { percent } from '../../src/foundation/percent';
import type { BenchmarkReport, KernelRow } from '../../src/train/bench/report';
import {
  achieved,
  giga,
  milliseconds,
  nearestTo,
  operationWords,
  ownNotes,
  reportOf,
  togetherWords,
} from '../../src/ui/places/machine/speed/benchmarkWords';
import { speedJson, speedMarkdown } from '../../src/ui/places/machine/speed/copies';

const row: KernelRow = {
  operation: 'linearBackwardWeight',
  shape: '64×256',
  calls: 2,
  seconds: 0.002,
  flops: 4e7,
  bytes: 1e6,
  bound: 'compute',
  share: 0.5,
};
const common = { backend: 'cpu', adapter: 'CPU (WebAssembly SIMD)', notes: ['One thread.', 'Said | twice.'] };
const reports: BenchmarkReport[] = [
  {
    ...common,
    subject: 'train',
    experiment: 'gridworld',
    members: 3,
    seconds: 0.851,
    tokens: 9948,
    tokensPerSecond: 11_690,
    timing: 'host clock',
    counts: {
      dispatches: 317,
      submissions: 9,
      uploads: 21,
      'bytes uploaded': 571_476,
      readbacks: 3,
      'bytes read back': 18_776,
    },
    parts: [
      { part: 'decode', seconds: 0.114, share: 0.134 },
      { part: 'rest', seconds: 0, share: 0 },
    ],
  },
  {
    ...common,
    subject: 'kernels',
    sizes: 'width 64',
    ceilings: { compute: { perSecond: 40e9, by: 'product' }, memory: { perSecond: 72.9e9, by: 'copy' } },
    rows: [row, { ...row, operation: 'embed', shape: '', bound: 'memory', bytes: 2e7 }],
    step: { seconds: 0.076, flops: 2.2e9, share: 0.78 },
  },
  {
    ...common,
    subject: 'population',
    experiment: 'gridworld',
    rows: [{ members: 16, seconds: 3.803, tokensPerSecond: 14_036.4, relative: 16.44 }],
  },
];

describe('numbers', () => {
  test('of three digits or so, with their unit', () => {
    expect([0.8512, 0.01234, 0.0012, 0.0000123].map(milliseconds)).toEqual(['851', '12.3', '1.20', '0.012']);
    expect([4.567e8, 28.84e9, 1.2e12].map(giga)).toEqual(['0.46', '28.8', '1,200']);
    expect([0, 0.004, 0.336, 1].map(percent)).toEqual(['0%', '0.4%', '34%', '100%']);
    expect(achieved(row)).toBe('20.0 GFLOP/s');
    expect(achieved({ ...row, bound: 'memory' })).toBe('0.50 GB/s');
    expect(operationWords(row)).toBe('linear backward weight 64×256');
  });

  test('are found by their subject', () => {
    expect(reportOf(reports, 'population')?.rows).toHaveLength(1);
    expect(reportOf([], 'train')).toBeNull();
  });
});

test('a note stands under the first table that has it', () => {
  const [first, second] = reports as [BenchmarkReport, BenchmarkReport];
  const both = [first, { ...second, notes: ['One thread.', 'Its own.'] }];
  expect(ownNotes('train', both)).toBe('One thread. Said | twice.');
  expect(ownNotes('kernels', both)).toBe('Its own.');
  expect(ownNotes('population', both)).toBe('');
});

describe('copies', () => {
  const measured = { reports, quick: false, browser: 'Chromium 153', cores: 8 };

  test('as Markdown: every table, where it was measured, each note once', () => {
    const text = speedMarkdown(measured);
    expect(text).toContain('## Speed of training: CPU (WebAssembly SIMD)');
    expect(text).toContain('Backend: cpu. 8 cores. Chromium 153.');
    expect(text).toContain('| 16 | 3,803 | 14,036 | 16.44 |');
    expect(text).toContain('| decode | 114 | 13% |');
    expect(text).toContain('| bytes uploaded | 571,476 |');
    expect(text).toContain('| linear backward weight 64×256 | 2 | 4.00 | 20.0 GFLOP/s | 50% |');
    expect(text).toContain('| the whole step | 1 | 76.0 | 28.9 GFLOP/s | 78% |');
    expect(text).toContain('40.0 GFLOP/s (product) and 72.9 GB/s (copy)');
    expect(text.match(/One thread\./g)).toHaveLength(1);
    for (const line of text.split('\n').filter((one) => one.startsWith('|'))) expect(line.endsWith('|')).toBe(true);
    expect(speedMarkdown({ ...measured, quick: true })).toContain('mean little');
  });

  test('of what was stopped half-way hold what there is', () => {
    const text = speedMarkdown({ ...measured, reports: reports.slice(0, 1) });
    expect(text).toContain('Where the time');
    expect(text).not.toContain('kernels');
  });

  test('as JSON: everything', () => {
    expect(JSON.parse(speedJson(measured))).toEqual(measured);
  });
});

test('the speed of training is that of about as many policies as the experiment trains, and says how many those are', () => {
  const rows = [1, 4, 16].map((members) => ({ members }));
  expect([0, 1, 3, 12, 100].map((asked) => nearestTo(asked, rows)?.members)).toEqual([1, 1, 4, 16, 16]);
  expect(nearestTo(4, [])).toBeNull();
  expect(togetherWords(4, 4)).toBe('4 policies together');
  expect(togetherWords(1, 2)).toBe('one policy (your experiment trains 2)');
});
