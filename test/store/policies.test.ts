/** Files of policies: the last of several is read, and one that cannot be read gives a message. */
import { expect, test, vi } from 'vitest';
import { type BaseModel, findModel } from '../../src/experiment/models';
import { createPreferences } from '../../src/store/keep/preferences';
import { policyName } from '../../src/store/lab';
import { openLab } from '../../src/store/openLab';
import type { PolicySummary } from '../../src/train/protocol';
import { stubLocalStorage } from '../support/localTexts';
import { workers } from './scriptedWorker';

const started = workers();
const model = findModel('stories260k') as BaseModel;

const summary: PolicySummary = {
  sha256: 'ab'.repeat(32),
  environment: 'gridworld',
  member: { arm: 'world-model', seed: 0 },
  update: 3,
  parameters: 100,
  results: {},
  licence: 'NOASSERTION',
  experiment: '',
  misfit: null,
  strangeness: null,
};

test('of two files the later one is read, and nothing of the former is heard any more', async () => {
  const lab = openLab('#preset=gridworld-tiny', started.start);
  const policies = await lab.policies();
  policies.open(new File(['a'], 'a.onnx'));
  const former = started.latest;
  policies.open(new File(['b'], 'b.onnx'));
  expect(former.terminated).toBe(true);
  expect(started.latest).not.toBe(former);
  former.say({ type: 'error', code: 'invalid-policy', message: 'It is damaged.', advice: 'Choose another.' });
  started.latest.say({ type: 'policy', policy: summary });
  expect(policies.store.getState()).toMatchObject({ phase: 'idle', opened: { name: 'b.onnx' }, problem: null });
  expect(policyName(lab.store.getState(), summary.sha256)).toBe('b.onnx');
  // Also while a policy plays.
  policies.play();
  expect(policies.store.getState().phase).toBe('playing');
  // A sign of life is no answer.
  started.latest.say({ type: 'pulse', update: 0, call: null });
  expect(started.latest.terminated).toBe(false);
  policies.open(new File(['c'], 'c.onnx'));
  expect(policies.store.getState()).toMatchObject({ phase: 'reading', opened: null });
});

test('a file that is given while one is saved is refused in words', async () => {
  const lab = openLab('#preset=gridworld-tiny', started.start);
  const policies = await lab.policies();
  lab.editor.run();
  const trainer = started.latest;
  trainer.enter('running');
  policies.export({ arm: 'world-model', seed: 0, cached: false, licence: 'MIT' }, () => {});
  policies.open(new File(['a'], 'a.onnx'));
  expect(policies.store.getState()).toMatchObject({
    phase: 'exporting',
    problem: { what: 'A policy is just being saved.', advice: 'Open the file when it is there.' },
  });
  trainer.say({ type: 'exported', name: 'p.onnx', bytes: new Uint8Array(3), update: 2, hasDiverged: false });
  expect(policies.store.getState()).toMatchObject({ phase: 'idle', saved: { update: 2 } });
});

test('a folder of a model is asked for with the files of that model, and not where they are not to be had', async () => {
  const lab = openLab('#preset=listener', started.start);
  const policies = await lab.policies();
  lab.store.setState({ policyFiles: { [model.sha256]: new File([], 'weights') } });
  lab.editor.run();
  const trainer = started.latest;
  trainer.enter('running');
  vi.stubGlobal('document', { baseURI: 'http://lab/' });
  const asked: string[] = [];
  const answer = vi.fn(async (url: URL) => new Response(asked.push(url.pathname) > 0 ? 'text' : ''));
  vi.stubGlobal('fetch', answer);
  const request = { arm: 'action-mask', seed: 0, cached: false, licence: 'MIT' };
  const paths = model.beside.map((name) => `/models/stories260k/${name}`);
  const packed = async (): Promise<string> => {
    const sent = trainer.commands.findLast(({ type }) => type === 'export');
    expect(sent).toMatchObject(request);
    return sent?.type === 'export' ? ((await sent.base?.text()) ?? '') : '';
  };
  await policies.export(
    request,
    () => {},
    () => lab.models.folder(model, false),
  );
  const beside = () => asked.filter((path) => paths.includes(path));
  expect(beside()).toEqual(paths);
  expect(await packed()).toMatch(/"config\.json",4.*\n(text){4}$/);
  trainer.say({ type: 'exported', name: 'p.zip', bytes: new Uint8Array(3), update: 2, hasDiverged: false });
  // With the weights, where adapters are merged into them.
  await policies.export(
    { ...request, merged: true },
    () => {},
    () => lab.models.folder(model, true),
  );
  expect(beside()).toEqual([...paths, ...paths]);
  expect(asked.at(-1)).toBe('/models/stories260k/model.safetensors');
  expect(await packed()).toContain('"model.safetensors",4');
  trainer.say({ type: 'exported', name: 'p.zip', bytes: new Uint8Array(3), update: 2, hasDiverged: false });
  answer.mockResolvedValue(new Response('', { status: 404 }));
  await policies.export(
    request,
    () => {},
    () => lab.models.folder(model, false),
  );
  expect(policies.store.getState()).toMatchObject({ phase: 'idle', problem: { advice: 'Reload the page.' } });
  vi.unstubAllGlobals();
});

test('a policy whose experiment cannot be read leaves what is on screen, and its name cannot turn words round', async () => {
  const lab = openLab('#preset=gridworld-tiny&updates=1234', started.start);
  const policies = await lab.policies();
  policies.open(new File(['a'], 'a\u202eb.onnx'));
  started.latest.say({ type: 'policy', policy: { ...summary, experiment: 'preset=nowhere' } });
  expect(policies.store.getState().opened?.name).toBe('a\ufffdb.onnx');
  expect(policyName(lab.store.getState(), summary.sha256)).toBe('a\ufffdb.onnx');
  policies.openItsExperiment();
  expect(lab.store.getState().edited.updates).toBe(1234);
  expect(policies.store.getState().problem?.what).toMatch(/could not be read, so what was on screen stays/);
});

test('the licence of saved policies is kept, none stated too, unless it is no expression', () => {
  stubLocalStorage();
  expect(createPreferences().getState().licence).toBe('Apache-2.0');
  createPreferences().setState({ licence: 'CC-BY-4.0 OR MIT' });
  expect(createPreferences().getState().licence).toBe('CC-BY-4.0 OR MIT');
  createPreferences().setState({ licence: 'NOASSERTION' });
  expect(createPreferences().getState().licence).toBe('NOASSERTION');
  createPreferences().setState({ licence: 'all mine' });
  expect(createPreferences().getState().licence).toBe('Apache-2.0');
  vi.unstubAllGlobals();
});
