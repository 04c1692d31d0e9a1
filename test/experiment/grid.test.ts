// Sweeps over several populations: their text in links, their cells, the finding that their seeds allow.
import { describe, expect, test } from 'vitest';
import { readAxes, withSweep, writeAxes } from '../../src/experiment/grid/axes';
import { cellsOf } from '../../src/experiment/grid/cells';
import { gridInWords } from '../../src/experiment/grid/finding';
import { sweepPicture } from '../../src/experiment/grid/picture';
import { decodeLink, decodeRunLink, encodeLink } from '../../src/experiment/link/link';
import { findPreset } from '../../src/experiment/presets/presets';

const { experiment } = findPreset('gridworld-tiny') as NonNullable<ReturnType<typeof findPreset>>;
const TEXT = 'batch.groupSize:2,4;policy.width:16,32';

describe('the text of a sweep', () => {
  test('is read as it is written, with either sign after the key, and goes along in links', () => {
    const axes = readAxes('batch.groupSize = 2, 4 ;policy.width=16,32');
    expect(axes).toEqual([
      { key: 'batch.groupSize', values: ['2', '4'] },
      { key: 'policy.width', values: ['16', '32'] },
    ]);
    expect(writeAxes(axes)).toBe(TEXT);
    const link = withSweep(encodeLink(experiment), axes);
    expect(link).toBe(`preset=gridworld-tiny&sweep=${TEXT}`);
    expect(decodeRunLink(link)).toMatchObject({ experiment, sweep: TEXT });
    expect(withSweep('preset=gridworld-tiny', [])).toBe('preset=gridworld-tiny');
  });

  test.each([
    ['batch.groupSize', /no setting with values/],
    ['batch.groupSize=2,,4', /empty value/],
    ['batch.groupSize=2,2', /the value 2 twice/],
    ['batch.groupSize=2', /ordinary run/],
    ['policy.width=16,32;policy.width=48,64', /names policy.width twice/],
    [`seed=${Array.from({ length: 33 }, (_, i) => i).join(',')}`, /more than 32 values/],
    ['a=1;b=1;c=1;d=1;e=1,2', /at most 4 settings/],
    [['a', 'b', 'c'].map((key) => `${key}=1,2,3,4,5,6,7`).join(';'), /343 combinations/],
  ])('“%s” is refused', (text, words) => {
    expect(() => readAxes(text)).toThrow(words);
  });
});

describe('cells', () => {
  test('are the experiments of their own links, the last setting changing fastest', () => {
    const cells = cellsOf(experiment, readAxes(TEXT));
    expect(cells.map(({ name }) => name)).toEqual([
      'batch.groupSize = 2, policy.width = 16',
      'batch.groupSize = 2, policy.width = 32',
      'batch.groupSize = 4, policy.width = 16',
      'batch.groupSize = 4, policy.width = 32',
    ]);
    expect(cells.map((cell) => cell.experiment)).toEqual(
      [
        [2, 16],
        [2, 32],
        [4, 16],
        [4, 32],
      ].map(([size, width]) => decodeLink(`preset=gridworld-tiny&batch.groupSize=${size}&policy.width=${width}`)),
    );
  });

  test('take settings of the world, of one arm, of all arms, and choices', () => {
    const swept = (text: string) => cellsOf(experiment, readAxes(text)).map((cell) => cell.experiment);
    expect(swept('environment.size=3,4').map(({ environment }) => environment.settings.size)).toEqual([3, 4]);
    const rates = (text: string) => swept(text).map(({ arms }) => arms.map(({ learningRate }) => learningRate));
    const [own] = rates('seed=1,2') as [number[]];
    expect(rates('arms.*.learningRate=0.1,0.2')).toEqual([own.map(() => 0.1), own.map(() => 0.2)]);
    const one = own.map((rate, arm) => (experiment.arms[arm]?.id === 'world-model' ? 0.1 : rate));
    expect(rates('arms.world-model.learningRate=0.1,0.2')[0]).toEqual(one);
    expect(swept('policy.initialisation=normal,fan-in').map(({ policy }) => policy.initialisation)).toEqual([
      'normal',
      'fan-in',
    ]);
  });

  test.each([
    ['batch.groupsize=2,4', /no setting “batch.groupsize”/],
    ['batch.groupSize=1,2', /With batch.groupSize = 1: .*between 2 and 1024/],
    ['batch.groupSize=x,2', /With batch.groupSize = x: .*number/],
    ['environment.colour=1,2', /With environment.colour = 1: “environment.colour” is no setting/],
    ['seeds=1,2', /Seeds are what each combination is repeated over/],
    ['learningRate=0.1,0.2', /Write arms\.\*\.learningRate/],
    ['arms.nobody.learningRate=0.1,0.2', /no arm “nobody”/],
    ['arms.*.name=a,b', /no setting “arms\.\*\.name”/],
    ['title=a,b', /no setting “title”/],
    ['batch.groupSize=4,4.0', /the same experiment/],
  ])('of %s are refused', (text, words) => {
    expect(() => cellsOf(experiment, readAxes(text))).toThrow(words);
  });
});

describe('the finding of a grid', () => {
  const cell = (values: string[], ...finals: number[]) => ({
    values,
    arms: [{ id: 'a', name: 'A', seeds: finals.map((final, seed) => ({ seed, final, area: final })) }],
  });

  test('orders numbers, and names combinations', () => {
    const [axis] = readAxes('batch.groupSize=8,2,4') as [ReturnType<typeof readAxes>[number]];
    const low = [0.1, 0.14, 0.12, 0.16];
    const high = [0.9, 0.94, 0.88, 0.96];
    const cells = [cell(['8'], ...low), cell(['2'], ...low), cell(['4'], ...high)];
    expect(gridInWords([axis], cells)).toEqual([
      'batch.groupSize = 4 has the highest mean (92%), and every other value is worse. Too little and too much are both worse: an inverted U.',
    ]);
    const both = readAxes('batch.groupSize=2,4;policy.activation=relu,gelu');
    const pairs = [cell(['2', 'relu'], ...high), cell(['2', 'gelu'], ...low), cell(['4', 'relu'], ...low)];
    expect(gridInWords(both, pairs)).toEqual([
      'batch.groupSize × policy.activation = 2 × relu has the highest mean (92%), and every other value is worse.',
    ]);
    expect(gridInWords([axis], [cell(['8'], Number.NaN)])).toEqual([]);
  });

  test('is drawn without intervals of two seeds, and with all of many lines within the plot', () => {
    const axes = readAxes('batch.groupSize=2,4');
    const drawn = (...finals: number[]) => sweepPicture({ axes, cells: [cell(['2'], ...finals)] });
    expect(drawn(0.2, 0.3)).not.toContain('stroke-width="6"');
    expect(drawn(0.2, 0.3, 0.4)).toContain('stroke-width="6"');
    const seeds = [{ seed: 0, final: 0.2, area: 0.2 }];
    const arms = Array.from({ length: 30 }, (_, arm) => ({ id: `${arm}`, name: `${arm}`, seeds }));
    const many = sweepPicture({ axes, cells: ['2', '4'].map((value) => ({ values: [value], arms })) });
    const places = Array.from(many.matchAll(/cx="([\d.]+)"/g), ([, x]) => Number(x));
    expect(places.filter((x) => x >= 64 && x <= 700)).toHaveLength(60);
  });
});
