/** What a browser kept of every release opens in today's page: runs, policies, texts, settings; a run that was paused goes on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openWorlds } from '../../src/environments/own/here';
import { ownWorld } from '../../src/environments/own/world';
import { formulaOf } from '../../src/experiment/arm/ownLosses';
import { decodeLink } from '../../src/experiment/link/link';
import { importOnnx } from '../../src/onnx/importOnnx';
import { METRICS } from '../../src/rl/measure/metrics';
import { openPolicyArchive } from '../../src/storage/policies';
import { openRunArchive } from '../../src/storage/runs';
import { openSnapshotArchive } from '../../src/storage/snapshots';
import { openTextArchive } from '../../src/storage/texts';
import { FORMULAS, WORLDS } from '../../src/store/desk/textShelf';
import { arrive } from '../../src/store/edit/arrival';
import { readRun } from '../../src/store/keep/keptRun';
import { createPreferences } from '../../src/store/keep/preferences';
import { emptyStorage } from '../support/fakeStorage';
import { finishedPage } from '../support/sessionPage';
import { PAUSED } from './cases';
import { expectSame, type Numbers } from './numbers';
import { fillStorage } from './storage';

const ROOT = 'test/fixtures/releases';

/** The part of the browser's localStorage that the page uses. */
function localTexts(): Record<string, unknown> {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  };
}

afterEach(() => vi.unstubAllGlobals());

describe.each(readdirSync(ROOT))('of %s', (release) => {
  const kept = gunzipSync(readFileSync(join(ROOT, release, 'page', 'kept.json.gz'))).toString();
  const then = JSON.parse(readFileSync(join(ROOT, release, 'runs', 'plain', 'result.json'), 'utf8')) as Numbers;
  const experiment = decodeLink(PAUSED.link);
  /** It kept neither policies of runs nor texts. */
  const isFirst = release === '0.1.0';

  beforeEach(async () => {
    emptyStorage();
    vi.stubGlobal('localStorage', localTexts());
    await fillStorage(kept);
  });

  /** The numbers of the run’s one member, [update][METRICS]. */
  const asNumbers = (values: ArrayLike<number>): Numbers => {
    const updates = values.length / METRICS.length;
    const series = (metric: number) =>
      Array.from({ length: updates }, (_, update) => {
        const value = values[update * METRICS.length + metric] as number;
        return Number.isFinite(value) ? value : null;
      });
    const update = Array.from({ length: updates }, (_, i) => i);
    const curve = { update, ...Object.fromEntries(METRICS.map((name, metric) => [name, series(metric)])) };
    const { diagnosticsEvery } = experiment;
    return {
      experiment: { updates, diagnosticsEvery },
      backend: 'cpu',
      arms: [{ id: 'world-model', seeds: [{ seed: 0, curve }] }],
    };
  };
  /** The release's own numbers of the first updates. */
  const until = (updates: number): Numbers => ({
    ...then,
    experiment: { ...then.experiment, updates },
    arms: then.arms.map(({ id, seeds }) => ({
      id,
      seeds: seeds.map(({ seed, curve }) => ({
        seed,
        curve: Object.fromEntries(Object.entries(curve).map(([name, values]) => [name, values.slice(0, updates)])),
      })),
    })),
  });

  test('the run is listed with its note, and shown with its curves', async () => {
    const archive = await openRunArchive();
    const [run, ...others] = await archive.list();
    expect(await archive.damaged()).toBe(0);
    expect(run).toMatchObject({ updates: PAUSED.before, note: 'paused on purpose', starred: false, deleted: null });
    expect(others).toEqual([]);
    const read = await readRun(archive, run as NonNullable<typeof run>);
    expect(read.experiment).toEqual(experiment);
    expectSame(asNumbers(read.history.values()), until(PAUSED.before));
  });

  test.skipIf(isFirst)('the run goes on from its policies', async () => {
    const [{ run = '' } = {}] = await (await openRunArchive()).list();
    const session = await finishedPage('auto', experiment, () => {}, {
      keeping: { run, resume: true, open: openSnapshotArchive },
    });
    expect(session.of('resumed')).toMatchObject([{ update: PAUSED.before, updates: experiment.updates }]);
    expectSame(asNumbers(session.curves), then);
  });

  test('the policy is on its shelf', async () => {
    const archive = await openPolicyArchive();
    const [policy] = await archive.list();
    const file = await archive.get(policy?.sha256 ?? '');
    const bytes = new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer());
    expect(Buffer.compare(bytes, readFileSync(join(ROOT, release, 'policy.onnx')))).toBe(0);
    expect(importOnnx(bytes)).toMatchObject({ member: { arm: 'world-model', seed: 0 } });
  });

  test.skipIf(isFirst)('the formula is on its shelf, and compiles', async () => {
    const [formula] = await (await openTextArchive(FORMULAS)).list();
    expect(formulaOf(formula?.text ?? '').parameters.length).toBeGreaterThan(0);
  });

  test.skipIf(isFirst)('the world is on its shelf, and opens', async () => {
    const [world] = await (await openTextArchive(WORLDS)).list();
    await openWorlds();
    expect(ownWorld(world?.text ?? '', {}).words).not.toEqual([]);
  });

  test('the settings and preferences that were left are found', () => {
    expect(arrive('').experiment).toEqual(experiment);
    expect(createPreferences().getState().backend).toBe('cpu');
  });
});
