/** Worlds as the page has them: described and played by the code of a Worker, here in this process with modules of its own. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Environment } from '../../src/environments/environment';
import { exhibit } from '../../src/environments/exhibit';
import { hostWorlds, openWorld } from '../../src/environments/own/own';
import type { WorkshopRequest } from '../../src/environments/own/workshop/asked';
import { definitionFor, findEnvironment } from '../../src/environments/registry';
import type { Experiment } from '../../src/experiment/experiment';
import { isMakeable, openWorldsOf, withWorld } from '../../src/experiment/ownWorld';
import { checkExperiment } from '../../src/experiment/parse';
import { defaultPreset, findPreset } from '../../src/experiment/presets/presets';
import { ForeignWorlds } from '../../src/store/desk/foreignWorlds';
import { Workshop, type WorkshopWorker } from '../../src/store/desk/workshop';
import { Editor } from '../../src/store/edit/editor';
import { createLabStore } from '../../src/store/lab';
import { Runner } from '../../src/store/run/runner';
import { walkText } from '../support/ownWorlds';
import { workers } from './scriptedWorker';

const small = findPreset('gridworld-tiny')?.experiment ?? defaultPreset.experiment;

/** What was asked of the Worker, and how to be told of what it answers. */
let asked: string[];

/** The Worker's own code, between two copies of every message. */
async function realWorker(): Promise<WorkshopWorker> {
  const inside = { postMessage: (_: unknown) => {}, onmessage: (_: { data: WorkshopRequest }) => {} };
  vi.resetModules();
  vi.stubGlobal('self', inside);
  await import('../../src/environments/own/workshop/worker');
  const outside: WorkshopWorker = {
    onmessage: null,
    onerror: null,
    postMessage(request) {
      asked.push(request.type);
      const data = structuredClone(request);
      queueMicrotask(() => inside.onmessage({ data }));
    },
    terminate() {},
  };
  inside.postMessage = (event) => outside.onmessage?.({ data: structuredClone(event) } as MessageEvent);
  return outside;
}

/** The same environments, made where the worlds run. */
async function here({ id, settings }: Experiment['environment']): Promise<Environment> {
  const { openWorlds } = await import('../../src/environments/own/here');
  const { findEnvironment: find } = await import('../../src/environments/registry');
  await openWorlds();
  const environment = find(id)?.create(settings);
  if (environment === undefined) throw new Error(id);
  return environment;
}

let opened: string[];

beforeEach(async () => {
  [asked, opened] = [[], []];
  const worker = await realWorker();
  hostWorlds(async () => new ForeignWorlds(new Workshop(() => worker), (world) => opened.push(world)));
});

async function there({ environment }: Pick<Experiment, 'environment'>): Promise<Environment> {
  await openWorldsOf({ environment });
  const made = findEnvironment(environment.id)?.create(environment.settings);
  if (made === undefined) throw new Error(environment.id);
  return made;
}

describe.each(
  Object.entries({
    'a text': withWorld(small, walkText()).environment,
    'one of the lab’s, with settings': { id: 'own', settings: { world: '@bandit', arms: 3 } },
    'a mixture': withWorld({ ...small, environment: { id: 'mixture', settings: { calculator: 0 } } }, walkText())
      .environment,
  }),
)('%s', (_, environment) => {
  test('is what it is where it runs, and is played there', async () => {
    const [one, other] = [await there({ environment }), await here(environment)];
    const facts = ({
      words,
      kinds,
      context,
      maxTurns,
      legalSets,
      stopToken,
      hasHeldOut,
      thoughts,
      parts,
    }: Environment) => ({
      ...{ words, kinds, context, maxTurns, legalSets, stopToken, hasHeldOut, thoughts },
      parts: parts?.map(({ id, weight }) => ({ id, weight })),
    });
    expect(facts(one)).toEqual(facts(other));
    const shown = exhibit(other);
    const { tokens, roles, scenes, kinds } = shown;
    expect(await one.elsewhere?.exhibit()).toEqual({ tokens, roles, scenes, kinds });
    const task = other.drawTask(new (await import('../../src/foundation/philox')).RandomStream(1, 0, 0, 0, 0));
    const prompt = { task, tokens: [], roles: [] };
    expect(await one.elsewhere?.scenes('board', prompt)).toEqual(other.scenes?.(task, [], []));
    expect(await one.elsewhere?.randomSuccess()).toBe(other.randomSuccess);
  });
});

test('a world is judged once the Worker has told of it, and what is on screen is looked at again', async () => {
  const lab = createLabStore();
  const editor = new Editor(lab, new Runner(lab, workers().start, () => 'cpu'));
  const worker = await realWorker();
  hostWorlds(async () => new ForeignWorlds(new Workshop(() => worker), (world) => editor.lookAgain(world)));
  const broken = withWorld(small, walkText({ words: 'elsewhere' }));
  editor.replace(broken, null);
  expect(lab.getState().problems).toEqual([]);
  expect(isMakeable(broken.environment)).toBe(false);
  await Promise.all([openWorldsOf(broken), openWorldsOf(broken)]);
  expect(asked).toEqual(['describe']);
  expect(lab.getState().problems[0]?.message).toMatch(/elsewhere is not defined/);

  const onScreen = lab.getState().edited;
  const wrong = { ...withWorld(small, walkText()).environment, settings: { world: walkText(), length: 99 } };
  await openWorldsOf({ environment: wrong });
  expect(checkExperiment({ ...small, environment: wrong }).problems[0]?.message).toMatch(
    /Set it to a value from 3 to 9/,
  );
  expect(definitionFor('own', wrong.settings)).toMatchObject({ title: 'Walk' });
  expect(definitionFor('own', wrong.settings)?.settings.map(({ key }) => key)).toContain('decoding');
  expect(lab.getState().edited).toBe(onScreen);
  await openWorld('export default 3');
  await openWorld('export default 3', { length: 4 });
  expect(asked).toEqual(['describe', 'describe', 'describe']);
});

test('this thread plays no such world, and asks for no more of one whose call used up its time', async () => {
  const text = walkText({ fields: 'heldOut: 0, draw: () => { for (;;); }' });
  const environment = await there(withWorld(small, text));
  expect(() => environment.createWorld(1)).toThrow(/plays no world that somebody wrote/);
  const draw = () => environment.elsewhere?.scenes('board', { task: Int32Array.of(1, 0), tokens: [], roles: [] });
  expect(JSON.stringify(await draw())).toMatch(/draw\(\) did not come to an end \(line 8\)/);
  expect(asked).toEqual(['describe', 'draw']);
  expect(await draw()).toHaveLength(1);
  expect(asked).toEqual(['describe', 'draw']);
});
