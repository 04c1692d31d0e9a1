/** Files that an experiment names are found where the lab can look: kept in this browser, or with the lab; else they are asked for. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { findPreset } from '../../src/experiment/presets';
import { SHIPPED } from '../../src/experiment/presets/shipped';
import {
  type KeptPolicy,
  POLICY_ARCHIVE_LIMITS,
  type PolicyArchive,
  surplusPolicies,
} from '../../src/storage/policies';
import { createLabStore, type LabStore, missingPolicies, policyName } from '../../src/store/lab';
import { PolicyShelf } from '../../src/store/policyShelf';

const experiment = findPreset('gridworld-tiny')?.experiment as NonNullable<ReturnType<typeof findPreset>>['experiment'];
const mine = 'ab'.repeat(32);
const nobodys = 'cd'.repeat(32);

/** An archive in memory, which counts how often it was opened. */
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

/** The page's own server: an index and one file. */
function serve(): string[] {
  const asked: string[] = [];
  vi.stubGlobal('document', { baseURI: 'https://lab.example/' });
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.pathname);
    if (url.pathname.endsWith('index.json')) {
      const trained = { environment: 'gridworld', kind: 'trained', sha256: SHIPPED.gridworld.trained };
      return Response.json([{ ...trained, file: 'gridworld-trained.onnx' }]);
    }
    return new Response('policy');
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
    naming(store, SHIPPED.gridworld.trained);
    await shelf.seek();
    expect(policyName(store.getState(), SHIPPED.gridworld.trained)).toBe('gridworld-trained.onnx');
    naming(store, nobodys);
    await shelf.seek();
    await shelf.seek();
    const state = store.getState();
    expect(missingPolicies(state, state.edited)).toEqual([nobodys]);
    expect(state.absentPolicies).toEqual([nobodys]);
    expect(asked).toEqual(['/policies/index.json', '/policies/gridworld-trained.onnx']);
  });

  test('are kept when they were opened, but for those of the lab, and can be deleted', async () => {
    serve();
    const files = new Map<string, File>();
    const shelf = new PolicyShelf(createLabStore(), memory(files).open);
    await shelf.keep(SHIPPED.gridworld.trained, new File(['x'], 'gridworld-trained.onnx'));
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
    expect(store.getState().absentPolicies).toEqual([nobodys]);
    await shelf.keep(mine, new File(['mine'], 'mine.onnx'));
    expect(shelf.store.getState().problem).toMatch(/private window/);
  });
});

test('of the files kept, those kept longest go where there is no more room', () => {
  const { files, bytes } = POLICY_ARCHIVE_LIMITS;
  const kept = (date: number, size: number): KeptPolicy => ({ sha256: `${date}`, name: '', bytes: size, date });
  expect(surplusPolicies(Array.from({ length: files }, (_, date) => kept(date, 1)))).toEqual([]);
  expect(surplusPolicies(Array.from({ length: files + 2 }, (_, date) => kept(date, 1)))).toEqual(['1', '0']);
  expect(surplusPolicies([kept(1, bytes / 2), kept(2, bytes / 2), kept(3, 1)])).toEqual(['1']);
});
