// A result in a link: it comes back unchanged, stays small, is refused if altered, and is judged fairly.
import { describe, expect, it } from 'vitest';
import {
  computedBy,
  Digest,
  decodeResult,
  encodeResult,
  judgeReproduction,
  LONGEST_RESULT,
  type SharedResult,
  writersOf,
} from '../../src/experiment/conclude/result';
import { predictionInterval } from '../../src/experiment/conclude/statistics';
import { decodeRunLink } from '../../src/experiment/link/link';
import type { MachineEntry } from '../../src/experiment/machines';

const wave = (points: number, arm: number) =>
  Array.from({ length: points }, (_, i) => Number((0.5 + 0.4 * Math.sin(i * (arm + 1) * 1.7)).toPrecision(3)));

function result(points: number, arms = 3): SharedResult {
  return {
    updates: 300,
    device: 'CPU',
    digest: '0123456789abcdef',
    at: Array.from({ length: points }, (_, i) => i * 4),
    arms: Array.from({ length: arms }, (_, arm) => ({
      id: `arm-${arm}`,
      name: `Arm ${arm} & “λ”`,
      area: [0.2, 0.3, null, 0.25],
      successRate: wave(points, arm),
      observationCrossEntropy: [null, ...wave(points - 1, arm + 3)],
    })),
  };
}

const deflated = async (text: string): Promise<string> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
};

function digestOf(curves: readonly Float32Array[]): string {
  const digest = new Digest();
  for (const curve of curves) digest.add(curve);
  return digest.text;
}

describe('a result in a link', () => {
  it('comes back as it went, in characters that a link keeps', async () => {
    const encoded = await encodeResult(result);
    expect(encoded).toMatch(/^[\w-]+$/);
    expect(await decodeResult(encoded)).toEqual(result(64));
    const noted = (points: number) => ({ ...result(points), note: 'Look at arm 2.' });
    expect(await decodeResult(await encodeResult(noted))).toEqual(noted(64));
    expect(decodeRunLink(`#preset=gridworld&result=${encoded}`).result).toBe(encoded);
    expect(decodeRunLink('#preset=gridworld').result).toBeNull();
  });

  it('names the code that computed it, in some fifty characters', async () => {
    const code = { version: '0.2.0', commit: '0123456789ab+changed', numerics: 3 };
    const machines: MachineEntry[] = [
      { update: 0, backend: 'cpu', code: { version: '0.1.9', numerics: 2 } },
      { update: 20, backend: 'cpu', code: { version: '0.1.9', commit: 'abcdef0', numerics: 2 } },
      { update: 40, backend: 'cpu', code },
    ];
    const by = (points: number) => ({ ...result(points), ...writersOf(machines) });
    const decoded = await decodeResult(await encodeResult(by));
    expect(computedBy(decoded)).toEqual([
      { backend: 'cpu', code: machines[0]?.code },
      { backend: 'cpu', code },
    ]);
    expect(writersOf([{ update: 0, backend: 'cpu' }])).toEqual({});
    expect(computedBy(result(4))).toEqual([]);
    const one = (points: number) => ({ ...result(points), ...writersOf(machines.slice(2)) });
    const cost = (await encodeResult(one)).length - (await encodeResult(result)).length;
    expect(cost).toBeLessThan(64);
  });

  it('has fewer points where there are many arms, and is refused where even those are too many', async () => {
    const noise = (points: number) => {
      const many = result(points, 8);
      const digits = (seed: number) => Number(((Math.sin(seed * 12.9898) * 43758.5453) % 1).toPrecision(3));
      const noisy = (arm: number) => many.at.map((at) => digits(at * 17 + arm));
      const arms = many.arms.map((arm, a) => ({
        ...arm,
        area: Array.from({ length: 32 }, (_, seed) => Math.sin(seed + 40 * a)),
        successRate: noisy(a),
        observationCrossEntropy: noisy(a + 8),
      }));
      return { ...many, arms };
    };
    const encoded = await encodeResult(noise);
    expect(encoded.length).toBeLessThanOrEqual(LONGEST_RESULT);
    expect([8, 16, 32]).toContain((await decodeResult(encoded)).at.length);
    const incompressible = Array.from({ length: 9000 }, (_, i) =>
      String.fromCharCode(33 + (((i * i * 7919) % 9001) % 90)),
    );
    await expect(encodeResult((points) => ({ ...result(points), device: incompressible.join('') }))).rejects.toThrow(
      'does not fit',
    );
  });

  it.each([
    ['no base64', async () => 'a*b'],
    ['no deflated text', async () => 'AAAA'],
    ['no JSON', () => deflated('nothing')],
    ['another shape', () => deflated('{"updates":1}')],
    ['curves of other lengths', () => deflated(JSON.stringify({ ...result(8), at: [1, 2] }))],
    ['numbers beyond all', () => deflated(JSON.stringify(result(8)).replace('0.2,', '1e999,'))],
    ['updates that go back', () => deflated(JSON.stringify({ ...result(2), at: [4, 0] }))],
    ['an arm twice', () => deflated(JSON.stringify({ ...result(2), arms: [result(2).arms[0], result(2).arms[0]] }))],
    ['a device that turns text round', () => deflated(JSON.stringify({ ...result(2), device: '\u202egpj' }))],
    ['a bomb', () => deflated(' '.repeat(2e6) + JSON.stringify(result(4)))],
    ['too long', async () => 'A'.repeat(LONGEST_RESULT + 1)],
  ])('is refused where it holds %s', async (_, make) => {
    await expect(decodeResult(await make())).rejects.toMatchObject({ code: 'invalid-link' });
  });
});

describe('a digest', () => {
  it('changes with the last bit of any number, and with their order', () => {
    const nearly = new Float32Array(new Uint32Array([0x3f800001]).buffer);
    const digests = [
      [Float32Array.of(1, 2)],
      [Float32Array.of(2, 1)],
      [Float32Array.of(nearly[0] as number, 2)],
      [Float32Array.of(1, Number.NaN)],
    ].map(digestOf);
    expect(new Set(digests).size).toBe(4);
    expect(digestOf([Float32Array.of(1, 2)])).toBe(digests[0]);
  });
});

describe('a reproduction', () => {
  const sent = result(4, 1);
  const [low, high] = predictionInterval(sent.arms[0]?.area ?? [], 4) ?? [0, 0];
  const other = (area: number[]): SharedResult => ({
    ...sent,
    digest: 'f'.repeat(16),
    arms: sent.arms.map((arm) => ({ ...arm, area })),
  });
  const judge = (mean: number) => judgeReproduction(sent, other([mean - 0.01, mean + 0.01, mean, mean])).outcome;

  it('is exact where the digest is the same, and what stands beside it', () => {
    expect(judgeReproduction(sent, sent).outcome).toBe('exact');
    const [arm] = sent.arms as [SharedResult['arms'][0]];
    const changes = [
      { area: [0.9, 0.3, null, 0.25] },
      { area: arm.area.map((area) => area && area * 1.0001) },
      { observationCrossEntropy: arm.observationCrossEntropy.map((nats) => nats && nats * 1.0099) },
      { successRate: wave(4, 5) },
      { area: [0.2] },
    ];
    for (const change of changes) {
      expect(judgeReproduction({ ...sent, arms: [{ ...arm, ...change }] }, sent).outcome).toBe('altered');
    }
  });

  it('is within the band as far as the band goes, and names the arms outside', () => {
    expect([judge(0.25), judge(low + 1e-6), judge(high - 1e-6)]).toEqual(['within', 'within', 'within']);
    expect([judge(low - 1e-6), judge(high + 1e-6)]).toEqual(['outside', 'outside']);
    const { outside } = judgeReproduction(sent, other([0.9, 0.9, 0.9, 0.9]));
    expect(outside).toEqual([
      { name: sent.arms[0]?.name, theirs: expect.closeTo(0.25, 12), ours: expect.closeTo(0.9, 12) },
    ]);
  });

  it('cannot be told of one seed', () => {
    const one = { ...sent, arms: sent.arms.map((arm) => ({ ...arm, area: [0.3] })) };
    expect(judgeReproduction(one, { ...other([0.3]) }).outcome).toBe('unknown');
  });
});
