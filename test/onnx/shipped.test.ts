/** The experiments on policies that come with the lab name the very files that are there, and these fit them. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fixedPolicies, namedPolicies, trainedPolicies } from '../../src/experiment/policyFiles';
import { fromShippedFiles, SHIPPED } from '../../src/experiment/presets/shipped';
import { readPolicies } from '../../src/train/policyFiles';

interface Entry {
  readonly file: string;
  readonly environment: keyof typeof SHIPPED;
  readonly kind: string;
  readonly sha256: string;
}

const index: Entry[] = JSON.parse(await readFile('public/policies/index.json', 'utf8'));
const bytesOf = ({ file }: Entry): Promise<Buffer<ArrayBuffer>> =>
  readFile(`public/policies/${file}`) as Promise<Buffer<ArrayBuffer>>;

test('the index tells the hash of every file, and the page offers to watch where there is something to watch', async () => {
  const trained = index.filter(({ kind }) => kind === 'trained').map(({ environment }) => environment);
  expect(trained).toEqual(Object.keys(SHIPPED));
  for (const entry of index) {
    expect(
      createHash('sha256')
        .update(await bytesOf(entry))
        .digest('hex'),
      entry.file,
    ).toBe(entry.sha256);
  }
});

test.each(fromShippedFiles.map((preset) => [preset.id, preset] as const))(
  '%s begins from the imitator of its world, beside its trained agent',
  async (_, { experiment }) => {
    const own = index.filter(({ environment }) => environment === experiment.environment.id);
    const hashOf = (kind: string): string[] => own.filter((one) => one.kind === kind).map(({ sha256 }) => sha256);
    expect(trainedPolicies(experiment)).toEqual(hashOf('warm-start'));
    expect(fixedPolicies(experiment)).toEqual(hashOf('trained'));
    const files = await Promise.all(own.map(async (entry) => new Blob([await bytesOf(entry)])));
    expect([...(await readPolicies(files, experiment)).keys()].sort()).toEqual(namedPolicies(experiment).sort());
  },
);
