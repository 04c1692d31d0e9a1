/** Workflows run with rights on the repository: only code of a known commit, and each job with no more than it needs. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const FOLDER = '.github/workflows';
const files = readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name));

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly steps?: readonly { readonly uses?: string; readonly with?: Readonly<Record<string, unknown>> }[];
}
interface Workflow {
  readonly permissions?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

test('there are workflows', () => expect(files).not.toEqual([]));

describe.each(files)('%s', (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
  const { permissions, jobs } = parse(text) as Workflow;
  const all = Object.values(jobs);
  const steps = all.flatMap((job) => job.steps ?? []);

  test('uses actions of other repositories by their full commit, with the tag beside it', () => {
    const used = [...all, ...steps].flatMap(({ uses }) => (uses === undefined || uses.startsWith('./') ? [] : [uses]));
    expect(used).not.toEqual([]);
    for (const one of used) {
      expect(one).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
      expect(text).toMatch(new RegExp(`uses: ${one} # v\\d+\\.\\d+\\.\\d+$`, 'm'));
    }
  });

  test('gives no rights but those that a job states', () => {
    expect(permissions).toEqual({});
    for (const job of all) expect(job.permissions).toBeInstanceOf(Object);
  });

  test('lets only a job that runs none of the repository’s code deploy', () => {
    for (const { permissions: given = {}, steps: own = [] } of all) {
      const writes = Object.values(given).includes('write');
      if (writes) expect(own.every((step) => step.uses?.startsWith('actions/deploy-pages@'))).toBe(true);
    }
    expect(all.filter((job) => job.permissions?.['id-token'] === 'write').length).toBeLessThanOrEqual(1);
  });

  test('leaves no token in what it checks out', () => {
    for (const { uses = '', with: given } of steps) {
      if (uses.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
    }
  });
});
