/** The experiments on policies that come with the lab name the very files that are there, which fit them, and tell their numbers. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { fixedPolicies, namedPolicies, trainedPolicies } from '../../src/experiment/policyFiles';
import { fromShippedFiles } from '../../src/experiment/presets/shipped';
import {
  findShipped,
  type MeasuredRun,
  SHIPPED,
  type ShippedKind,
  type ShippedPolicy,
} from '../../src/experiment/shippedPolicies';
import { importOnnx } from '../../src/onnx/importOnnx';
import { readPolicies } from '../../src/train/policies/files';

const bytesOf = ({ file }: ShippedPolicy): Promise<Buffer<ArrayBuffer>> =>
  readFile(`public/policies/${file}`) as Promise<Buffer<ArrayBuffer>>;

test.each(SHIPPED.policies)('$file is the file that was measured, and holds what was found', async (shipped) => {
  const bytes = await bytesOf(shipped);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(shipped.sha256);
  const { results, update, environment } = importOnnx(bytes);
  expect([update, environment.id, bytes.length]).toEqual([shipped.update, shipped.environment, shipped.bytes]);
  const rounded = Object.entries(results).map(([name, value]) => [name, value && Number(value.toPrecision(4))]);
  expect(Object.fromEntries(rounded)).toEqual(shipped.results);
});

const ofKind = (kind: ShippedKind): ShippedPolicy[] => SHIPPED.policies.filter((one) => one.kind === kind);

test('each world has an imitator and a trained agent, and an experiment that begins from them', () => {
  const worlds = (policies: readonly ShippedPolicy[]): string[] =>
    policies.map(({ environment }) => environment).sort();
  expect(worlds(ofKind('trained'))).toEqual(worlds(ofKind('warm-start')));
  expect(fromShippedFiles.map(({ experiment }) => experiment.environment.id).sort()).toEqual(worlds(ofKind('trained')));
});

describe.each(fromShippedFiles.map((preset) => [preset.id, preset] as const))(
  '%s',
  (_, { expectation, experiment }) => {
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
      expect(expectation.match(/\d+(?=%)/g)?.map(Number)).toEqual(successes.map((share) => Math.round(100 * share)));
      expect(expectation.match(/\d+\.\d/g)?.map(Number)).toEqual(losses.map((nats) => Number(nats?.toFixed(1))));
    });
  },
);
