/** Experiments on shipped policies name files that are there and fit, and their texts have the measured numbers. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { fixedPolicies, namedPolicies, trainedPolicies } from '../../src/experiment/arm/policyFiles';
import { decodeLink, encodeLink } from '../../src/experiment/link/link';
import { parseExperiment } from '../../src/experiment/parse';
import { EXPECTATIONS } from '../../src/experiment/presets/expectations/expectations';
import { fromShippedFiles } from '../../src/experiment/presets/shipped';
import {
  currentHash,
  findShipped,
  type MeasuredRun,
  SHIPPED,
  type ShippedKind,
  type ShippedPolicy,
} from '../../src/experiment/shippedPolicies';
import { LAB_LICENCE, NO_LICENCE } from '../../src/foundation/licence';
import { importOnnx } from '../../src/onnx/importOnnx';
import { readPolicies, readPolicy } from '../../src/train/policies/files';

const bytesOf = ({ file }: ShippedPolicy): Promise<Buffer<ArrayBuffer>> =>
  readFile(`public/policies/${file}`) as Promise<Buffer<ArrayBuffer>>;

test.each(SHIPPED.policies)('$file is the file that was measured, and holds what was found', async (shipped) => {
  const bytes = await bytesOf(shipped);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(shipped.sha256);
  const { results, environment, licence } = importOnnx(bytes);
  expect(licence).toBe(LAB_LICENCE);
  expect(environment.id).toBe(shipped.environment);
  const rounded = Object.entries(results).map(([name, value]) => [name, value && Number(value.toPrecision(4))]);
  expect(Object.fromEntries(rounded)).toMatchObject(shipped.results);
});

/** Bytes of a licence's metadata entry, as in MODEL of src/onnx/proto.ts: field 14, key in field 1, text in field 2. */
function licenceEntry(text: string): Buffer {
  const key = Buffer.from('\x0a\x07licence\x12', 'latin1');
  const value = Buffer.from(text);
  const entry = Buffer.concat([key, Buffer.from([value.length]), value]);
  return Buffer.concat([Buffer.from([(14 << 3) | 2, entry.length]), entry]);
}

describe('A file that was published without a licence', () => {
  const replaced = SHIPPED.policies.flatMap((shipped) =>
    shipped.formerly === undefined ? [] : [{ ...shipped, formerly: shipped.formerly }],
  );

  /** Shipped file as it was first published, without its licence. */
  async function formerFile(shipped: ShippedPolicy): Promise<Buffer<ArrayBuffer>> {
    const bytes = await bytesOf(shipped);
    const entry = licenceEntry(LAB_LICENCE);
    const at = bytes.indexOf(entry);
    return Buffer.concat([bytes.subarray(0, at), licenceEntry(NO_LICENCE), bytes.subarray(at + entry.length)]);
  }

  test.each(replaced)('$file differs from it by nothing else', async (shipped) => {
    const former = await formerFile(shipped);
    expect(createHash('sha256').update(former).digest('hex')).toBe(shipped.formerly);
    expect((await readPolicy(new Blob([former]))).sha256).toBe(shipped.sha256);
  });

  test.each(replaced)('goes by the hash of $file wherever it is named', ({ formerly, sha256 }) => {
    const fields = ['startPolicy', 'referencePolicy', 'fixedPolicy'].map(
      (name) => `arms.world-model.${name}=${formerly}`,
    );
    const experiment = decodeLink(`preset=gridworld-small&${fields.join('&')}`);
    expect(namedPolicies(experiment)).toEqual([sha256]);
    expect(encodeLink(experiment)).not.toContain(formerly);
    expect(namedPolicies(parseExperiment(JSON.parse(JSON.stringify(experiment).replaceAll(sha256, formerly))))).toEqual(
      [sha256],
    );
  });

  test('any other file goes by its own', () => {
    expect(currentHash('0'.repeat(64))).toBe('0'.repeat(64));
    expect(currentHash('')).toBe('');
  });
});

const ofKind = (kind: ShippedKind): ShippedPolicy[] => SHIPPED.policies.filter((one) => one.kind === kind);

test('each world has an imitator and a trained agent, and an experiment that begins from them', () => {
  const worlds = (policies: readonly ShippedPolicy[]): string[] =>
    policies.map(({ environment }) => environment).sort();
  expect(worlds(ofKind('trained'))).toEqual(worlds(ofKind('warm-start')));
  expect(fromShippedFiles.map(({ experiment }) => experiment.environment.id).sort()).toEqual(worlds(ofKind('trained')));
});

describe.each(fromShippedFiles.map((preset) => [preset.id, preset] as const))('%s', (id, { experiment }) => {
  const world = experiment.environment.id;
  const [warmStart, trained] = [findShipped(world, 'warm-start'), findShipped(world, 'trained')] as [
    ShippedPolicy,
    ShippedPolicy,
  ];

  test('begins from the imitator of its world, beside its trained agent', async () => {
    expect(trainedPolicies(experiment)).toEqual([warmStart.sha256]);
    expect(fixedPolicies(experiment)).toEqual([trained.sha256]);
    const files = await Promise.all([warmStart, trained].map(async (entry) => new Blob([await bytesOf(entry)])));
    expect([...(await readPolicies(files, experiment)).keys()].sort()).toEqual(namedPolicies(experiment).sort());
  });

  test('tells what was measured: each number of its text, and each measured number in its text', () => {
    const run = SHIPPED.fromFiles[world] as MeasuredRun;
    expect(run.updates).toBe(experiment.updates);
    const arms = ['action-mask', 'world-model'].map((arm) => run.arms[arm] as MeasuredRun['arms'][string]);
    const played = [warmStart, trained].map(({ results }) => results);
    const successes = [...played.map((one) => one.playedSuccess), ...arms.map((arm) => arm.successRate)];
    const losses = [
      played[0]?.playedObservationCrossEntropy,
      ...arms.map((arm) => arm.observationCrossEntropy),
      played[1]?.playedObservationCrossEntropy,
    ];
    const expectation = EXPECTATIONS[id] ?? '';
    expect(expectation.match(/\d+(?=%)/g)?.map(Number)).toEqual(successes.map((share) => Math.round(100 * share)));
    expect(expectation.match(/\d+\.\d/g)?.map(Number)).toEqual(losses.map((nats) => Number(nats?.toFixed(1))));
  });
});
