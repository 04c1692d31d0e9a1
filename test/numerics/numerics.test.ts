/** Numerics numbers go with what the backends compute: whoever changes a bit raises one, and nobody raises one for nothing. */
import { expect, test } from 'vitest';
import { NUMERICS } from '../../src/experiment/provenance';
import { fuses } from '../../src/tensor/cpu/fuses';
import { digestsOf, EVERYWHERE, judge, placeOf, type Recorded, readRecords } from './digests';

const records = readRecords();
const digests = { a: '1', b: '2' };
const recorded: Recorded = { numerics: 3, digests };

test('a digest that changed asks for a higher number, by the number and the command', () => {
  expect(judge('cpu', recorded, digests, 3)).toBeNull();
  const changed = judge('cpu', recorded, { a: '1', b: '9' }, 3);
  expect(changed).toMatchObject({ mayRecord: false });
  expect(changed?.problem).toMatch(
    /^cpu computes other bits .* in b\. .*raise NUMERICS\['cpu'\] in src\/experiment\/provenance\.ts to 4, .*npm run numerics$/,
  );
  expect(judge('cpu', recorded, { a: '1' }, 3)?.problem).toMatch(/other bits .* in b\./);
});

test('a number that was raised asks for a digest that changed', () => {
  expect(judge('cpu', recorded, digests, 4)).toMatchObject({
    problem: expect.stringMatching(/raised to 4, and every training gives the bits it gave/),
    mayRecord: false,
  });
  expect(judge('cpu', recorded, { a: '1', b: '9' }, 4)).toMatchObject({ mayRecord: true });
  expect(judge('cpu', recorded, { ...digests, c: '3' }, 4)).toMatchObject({ mayRecord: true });
  expect(judge('cpu', recorded, { a: '1', b: '9' }, 2)).toMatchObject({ mayRecord: false });
  expect(judge('cpu', recorded, { ...digests, c: '3' }, 3)).toMatchObject({ mayRecord: true });
  expect(judge('cpu', undefined, digests, 3)).toMatchObject({ mayRecord: true });
});

test('every backend has a record of its number', () => {
  const kinds = Object.keys(NUMERICS);
  const names = Object.keys(records.backends);
  expect(kinds.filter((kind) => !names.some((name) => name.split(':')[0] === kind))).toEqual([]);
});

for (const kind of EVERYWHERE) {
  test.skipIf(kind === 'cpu-fused' && !fuses())(`the number of ${kind} goes with the bits it computes`, async () => {
    expect(judge(kind, records.backends[kind], await digestsOf(kind, records.metrics))?.problem ?? '').toBe('');
  });
}

test('the number of webgpu goes with the bits it computes in software, where a processor like this one was recorded', async ({
  skip,
}) => {
  const place = await placeOf('webgpu');
  const before = place === null ? undefined : records.backends[place];
  skip(before === undefined, `No digests are recorded for ${place ?? 'this system'}; npm run numerics adds them.`);
  expect(judge('webgpu', before, await digestsOf('webgpu', records.metrics))?.problem ?? '').toBe('');
});
