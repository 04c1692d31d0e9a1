/** Files that an experiment names are found in the browser's storage or on the lab's server; else the page asks for them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findPreset } from '../../src/experiment/presets/presets';
import { findShipped, type ShippedPolicy } from '../../src/experiment/shippedPolicies';
import {
  type KeptPolicy,
  POLICY_ARCHIVE_LIMITS,
  type PolicyArchive,
  surplusPolicies,
} from '../../src/storage/policies';
import { PolicyShelf } from '../../src/store/keep/policyShelf';
import { createLabStore, type LabStore, missingPolicies, policyName } from '../../src/store/lab';

const experiment = findPreset('gridworld-tiny')?.experiment as NonNullable<ReturnType<typeof findPreset>>['experiment'];
const trained = findShipped('gridworld', 'trained') as ShippedPolicy;
const policy = readFileSync(`public/policies/${trained.file}`);
/** SHA-256 of the four bytes of “mine”. */
const mine = createHash('sha256').update('mine').digest('hex');
const nobodys = 'cd'.repeat(32);

/** Archive in memory that counts how often it was opened. */
function memory(files: Map<string, File>): { open: () => Promise<PolicyArchive>; opened: () => number } {
  let opened = 0;
  const archive: PolicyArchive = {
    list: async () => Array.from(files, ([sha256, { name, size }]) => ({ sha256, name, bytes: size, date: 0 })),
    get: async (sha256) => files.get(sha256) ?? null,
    put: async (sha256, file) => void files.set(sha256, file),
    remove: async (sha256) => void files.delete(sha256),
  };
  return {
    open: async () => {
      opened += 1;
      return archive;
    },
    opened: () => opened,
  };
}

/** Replaces the page's own server. Returns the addresses requested. */
function serve(bytes: Uint8Array<ArrayBuffer> = policy): string[] {
  const asked: string[] = [];
  vi.stubGlobal('document', { baseURI: 'https://lab.example/' });
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.pathname);
    return new Response(bytes);
  });
  return asked;
}

const naming = (store: LabStore, fixedPolicy: string): void =>
  store.setState({ edited: { ...experiment, arms: experiment.arms.map((arm) => ({ ...arm, fixedPolicy })) } });

afterEach(() => vi.unstubAllGlobals());

describe('the files an experiment names', () => {
  test('are looked for only when one is named: in this browser first, then with the lab', async () => {
    const asked = serve();
    const store = createLabStore();
    const { open, opened } = memory(new Map([[mine, new File(['mine'], 'mine.onnx')]]));
    const shelf = new PolicyShelf(store, open);
    await shelf.seek();
    expect([opened(), asked]).toEqual([0, []]);
    naming(store, mine);
    await shelf.seek();
    expect(policyName(store.getState(), mine)).toBe('mine.onnx');
    expect(asked).toEqual([]);
    naming(store, trained.sha256);
    await shelf.seek();
    expect(policyName(store.getState(), trained.sha256)).toBe('gridworld-trained.onnx');
    naming(store, nobodys);
    await shelf.seek();
    await shelf.seek();
    const state = store.getState();
    expect(missingPolicies(state, state.edited)).toEqual([nobodys]);
    expect(state.absentPolicies).toEqual({ [nobodys]: 'unknown' });
    expect(asked).toEqual(['/policies/gridworld-trained.onnx']);
  });

  test('are kept when they were opened, but for those of the lab, and can be deleted', async () => {
    serve();
    const files = new Map<string, File>();
    const shelf = new PolicyShelf(createLabStore(), memory(files).open);
    await shelf.keep(trained.sha256, new File(['x'], 'gridworld-trained.onnx'));
    await shelf.keep(mine, new File(['mine'], 'mine.onnx'));
    expect(shelf.store.getState().kept.map(({ name }) => name)).toEqual(['mine.onnx']);
    await shelf.remove(mine);
    expect(shelf.store.getState().kept).toEqual([]);
    expect(files.size).toBe(0);
  });

  test('are asked for where the browser keeps nothing, which is said', async () => {
    serve();
    const store = createLabStore();
    const shelf = new PolicyShelf(store, () => Promise.reject(new Error('private window')));
    naming(store, nobodys);
    await shelf.seek();
    expect(store.getState().absentPolicies).toEqual({ [nobodys]: 'unknown' });
    await shelf.keep(mine, new File(['mine'], 'mine.onnx'));
    expect(shelf.store.getState().problem).toMatch(/private window/);
  });
});

describe('a file whose bytes are others by now', () => {
  test('is deleted where this browser kept it, which is said, and found again once it is given', async () => {
    serve();
    const store = createLabStore();
    const files = new Map([[mine, new File(['mint'], 'mine.onnx')]]);
    const shelf = new PolicyShelf(store, memory(files).open);
    naming(store, mine);
    await shelf.seek();
    expect(store.getState()).toMatchObject({ absentPolicies: { [mine]: 'kept-damaged' }, policyFiles: {} });
    expect(files.size).toBe(0);
    await shelf.keep(mine, new File(['mine'], 'mine.onnx'));
    await shelf.seek();
    expect(policyName(store.getState(), mine)).toBe('mine.onnx');
  });

  test('is not taken from the lab’s server, which is said; a copy kept in its place is', async () => {
    serve(policy.subarray(1));
    const store = createLabStore();
    const files = new Map<string, File>();
    naming(store, trained.sha256);
    await new PolicyShelf(store, memory(files).open).seek();
    expect(store.getState()).toMatchObject({
      absentPolicies: { [trained.sha256]: 'shipped-damaged' },
      policyFiles: {},
    });
    files.set(trained.sha256, new File([policy], 'kept.onnx'));
    await new PolicyShelf(store, memory(files).open).seek();
    expect(policyName(store.getState(), trained.sha256)).toBe('kept.onnx');
  });
});

test('of the files kept, those kept longest go where there is no more room', () => {
  const { files, bytes } = POLICY_ARCHIVE_LIMITS;
  const kept = (date: number, size: number): KeptPolicy => ({ sha256: `${date}`, name: '', bytes: size, date });
  expect(
    surplusPolicies(
      Array.from({ length: files }, (_, date) => kept(date, 1)),
      '0',
    ),
  ).toEqual([]);
  const more = Array.from({ length: files + 2 }, (_, date) => kept(date, 1));
  expect(surplusPolicies(more, `${files + 1}`)).toEqual(['1', '0']);
  expect(surplusPolicies([kept(1, bytes / 2), kept(2, bytes / 2), kept(3, 1)], '3')).toEqual(['1']);
  // The clock was set back.
  expect(surplusPolicies(more, '0')).toEqual(['2', '1']);
  expect(surplusPolicies([kept(1, bytes), kept(2, 1)], '1')).toEqual(['2']);
});
