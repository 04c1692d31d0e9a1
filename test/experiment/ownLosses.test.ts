import { describe, expect, test } from 'vitest';
import type { Experiment } from '../../src/experiment/experiment';
import { findSweep, sweepOf } from '../../src/experiment/grid/together';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { packText, unpackText } from '../../src/experiment/link/packedText';
import { checkExperiment, parseExperiment } from '../../src/experiment/parse';
import { firstPreset } from '../../src/experiment/presets/presets';
import { effectiveArms } from '../../src/experiment/timeline';

const PPO = `# PPO
param low = 0.2 in [0, 1]
ratio = exp(logp - old_logp)
loss = -min(ratio * A, clip(ratio, 1 - low, 1.2) * A)
show outside = abs(ratio - 1) > low`;

const base = firstPreset.experiment;
const [first] = base.arms;
if (first === undefined) throw new Error('The first preset has no arm.');

function withLosses(losses: unknown, timeline: unknown = []): unknown {
  return { ...base, arms: base.arms.map((arm, i) => (i === 0 ? { ...arm, losses } : arm)), timeline };
}

const mine = { name: 'mine', text: PPO, place: 'policy', values: { low: 0.3 } };
const added = { name: 'extra', text: 'loss = -logp', place: 'added', on: { observation: 0.1 } };

function problemsOf(input: unknown): string {
  return checkExperiment(input)
    .problems.map(({ path, message }) => `${path}: ${message}`)
    .join('\n');
}

describe('losses of one’s own', () => {
  test('travel in a link and come back the same', () => {
    const timeline = [
      { update: 3, arm: first.id, setting: 'loss.mine.low', value: 0.1 },
      { update: 5, arm: first.id, setting: 'loss.mine.text', value: 'loss = -A * logp # é' },
      { update: 7, arm: first.id, setting: 'loss.extra.text', value: '' },
      { update: 9, arm: '*', setting: 'loss.other.text', value: 'loss = entropy' },
      { update: 9, arm: '*', setting: 'loss.other.place', value: 'added' },
      { update: 9, arm: '*', setting: 'loss.other.on.action', value: 0.5 },
    ];
    const experiment = parseExperiment(withLosses([mine, added], timeline));
    expect(decodeLink(encodeLink(experiment))).toEqual(experiment);
    const [at4, at6, at8, at9] = [4, 6, 8, 9].map((update) => effectiveArms(experiment, update)[0]?.losses);
    expect(at4?.[0]?.values).toEqual({ low: 0.1 });
    expect(at6?.[0]).toMatchObject({ text: 'loss = -A * logp # é', values: {} });
    expect(at8?.map(({ name }) => name)).toEqual(['mine']);
    expect(at9?.[1]).toMatchObject({ name: 'other', place: 'added', on: { action: 0.5 } });
  });

  test('a link says when a loss of the preset is gone', () => {
    const without: Experiment = parseExperiment(withLosses([]));
    expect(encodeLink(without)).not.toContain('loss.');
  });

  test.each([
    ['a mistake in the text', [{ ...mine, text: 'loss = logprob' }], 'did you mean logp'],
    ['a value out of its limits', [{ ...mine, values: { low: 2 } }], 'between 0 and 1'],
    ['a value of no parameter', [{ ...mine, values: { high: 2 } }], 'no such parameter'],
    ['two losses in one place', [mine, { ...mine, name: 'too' }], 'can be added'],
    ['two losses of one name', [mine, { ...added, name: 'mine' }], 'have this name'],
    ['a reserved parameter', [{ ...mine, text: 'param on = 1 in [0, 2]\nloss = on * logp', values: {} }], 'paths use'],
    ['a name that is none', [{ ...mine, name: 'A b' }], 'lower-case letters'],
    ['too many', Array.from({ length: 5 }, (_, i) => ({ ...added, name: `l${i}` })), 'at most 4'],
  ])('%s is refused', (_, losses, words) => {
    expect(problemsOf(withLosses(losses)).toLowerCase()).toContain(words.toLowerCase());
  });

  test.each([
    [{ update: 1, arm: first.id, setting: 'loss.none.low', value: 1 }, 'has a loss none'],
    [{ update: 1, arm: first.id, setting: 'loss.mine.place', value: 'nowhere' }, 'cannot be nowhere'],
    [{ update: 1, arm: first.id, setting: 'loss.mine.text', value: 3 }, 'cannot be 3'],
    [{ update: 1, arm: first.id, setting: 'loss.mine.text', value: 'loss = (' }, 'line ends here'],
    [{ update: 1, arm: first.id, setting: 'loss.mine.on.nobody', value: 3 }, 'no setting'],
  ])('a change that cannot be is refused: %j', (change, words) => {
    expect(problemsOf(withLosses([mine], [change]))).toContain(words);
  });
});

describe('packed text', () => {
  test('comes back the same, and is short', () => {
    for (const text of ['', 'loss = -A * logp', PPO, 'ü'.repeat(4096)]) expect(unpackText(packText(text))).toBe(text);
    expect(packText(PPO).length).toBeLessThan(PPO.length);
  });

  test.each(['', '2~abc', '1~!', '1~AAAA', `0~${'A'.repeat(20_000)}`])('%.20s is refused', (packed) => {
    expect(() => unpackText(packed)).toThrow();
  });

  test('a few characters that unfold to many are refused', () => {
    expect(() => unpackText(packText('a'.repeat(100_000)))).toThrow(RangeError);
  });
});

test('a parameter can be swept, and the arms are seen as a sweep', () => {
  const experiment = parseExperiment(withLosses([mine]));
  const swept = sweepOf(experiment, first.id, 'loss.mine.low', [0.1, 0.2, 0.4]);
  expect(swept.arms.map(({ losses }) => losses[0]?.values)).toEqual([{ low: 0.1 }, { low: 0.2 }, { low: 0.4 }]);
  expect(findSweep(swept.arms)).toMatchObject({ values: [0.1, 0.2, 0.4], setting: { path: 'loss.mine.low' } });
  expect(() => sweepOf(experiment, first.id, 'loss.mine.high', [0.1, 0.2])).toThrow('loss.mine.low');
  expect(() => sweepOf(experiment, first.id, 'loss.mine.low', [0.1, 2])).toThrow('between 0 and 1');
});
