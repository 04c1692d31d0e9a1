/** Fine-tuning as the page's Worker serves it: told before it begins, stopped between two updates, and out as a folder again. */
import { readdirSync, readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { USUAL_TUNING } from '../../src/experiment/tuning';
import { folderOfFiles } from '../../src/llama/folder';
import { readModel, trainable } from '../../src/llama/model';
import { openPacked, packModel } from '../../src/llama/packed';
import { createCpuBackend } from '../../src/tensor/cpu/backend';
import { openPackedModel } from '../../src/train/policies/models';
import type { TuneNews } from '../../src/train/tuning/news';
import { serveTuning, stopTuning } from '../../src/train/tuning/serve';
import { planTuning, tune, tunedFolder } from '../../src/train/tuning/tune';

const FOLDER = 'public/models/stories260k';
const files = Object.fromEntries(
  readdirSync(FOLDER).map((name) => [name, new Blob([readFileSync(`${FOLDER}/${name}`)])]),
);
const base = packModel('stories260K', files);

const KITES = ['Tom had a red kite. The kite was big.', 'Lily saw a kite in the sky.', 'The kite was lost.'];
const texts = new File([KITES.join('\n<|endoftext|>\n')], 'kites.txt');
const settings = { ...USUAL_TUNING, updates: 6, learningRate: 0.01, heldOut: 0.4 };

async function served(more: Partial<typeof settings>, heard: (news: TuneNews) => void = () => {}, file = texts) {
  const said: TuneNews[] = [];
  const hear = (news: TuneNews): void => {
    said.push(news);
    heard(news);
  };
  await serveTuning({ base, texts: file, settings: { ...settings, ...more } }, true, hear);
  const done = said.at(-1);
  if (done?.kind !== 'done') throw new Error('It did not end.');
  return { said, done };
}

const lossesOf = (said: readonly TuneNews[]): number[] =>
  said.flatMap((news) => (news.kind === 'learned' ? [news.loss] : []));

test('tells pieces and memory before it begins, and nothing else', async () => {
  const said: TuneNews[] = [];
  await serveTuning({ base, texts, settings }, false, (news) => said.push(news));
  expect(said).toEqual([
    {
      ...{ kind: 'planned', learned: 2, examined: 1, cut: 0 },
      memory: { text: expect.stringMatching(/^Takes about \d+ MiB of memory\./), isLacking: false },
    },
  ]);
});

test('is refused where the browser tells of less memory than it takes', async () => {
  const said: TuneNews[] = [];
  const refused = serveTuning({ base, texts, settings }, true, (news) => said.push(news), 2 ** -8);
  await expect(refused).rejects.toMatchObject({ code: 'limits' });
  expect(said).toMatchObject([{ kind: 'planned', memory: { isLacking: true } }]);
});

test('learns as the command line does, examined on the way or not, and gives a model that policies begin from', async () => {
  const { said, done } = await served({});
  const folder = folderOfFiles('stories260K', files);
  const file = { name: texts.name, bytes: new Uint8Array(await texts.arrayBuffer()) };
  const plan = await planTuning(folder, await readModel(folder), file, settings);
  const losses: number[] = [];
  const backend = await createCpuBackend();
  const alone = await tune(plan, backend, { learned: (_, loss) => losses.push(loss) });
  // Its memory is free while files are made; what was learned is beside the model then.
  expect(backend.allocatedBytes).toBe(0);
  expect(plan.memory).toMatchObject({ read: alone.parameters.byteLength, saved: alone.parameters.byteLength });
  expect(lossesOf(said)).toEqual(losses);
  expect(losses).toHaveLength(6);
  expect(done).toMatchObject({ updates: 6, before: alone.before, after: alone.after });
  expect(losses.at(-1)).toBeLessThan((losses[0] as number) / 1.2);
  const examined = said.flatMap((news) => (news.kind === 'examined' ? [news.update] : []));
  expect(examined).toEqual([0, 1, 2, 3, 4, 5, 6]);
  const { model } = await openPackedModel(done.model);
  expect(model).toMatchObject({ title: 'stories260K tuned on kites.txt', tokens: 512, layers: 5 });
  const read = await readModel((await openPacked(done.model)) as NonNullable<Awaited<ReturnType<typeof openPacked>>>);
  expect(trainable(read).parameters).toEqual(alone.parameters);
  expect(done.folders.map(({ name }) => name)).toEqual(['stories260K tuned on kites.txt.zip']);
});

test('files of a model that named other ends name the one that was taught, and keep theirs', async () => {
  const json = (value: object) => new Blob([JSON.stringify(value)]);
  const config = JSON.parse(readFileSync(`${FOLDER}/config.json`, 'utf8'));
  const file = { name: texts.name, bytes: new Uint8Array(await texts.arrayBuffer()) };
  const endsOf = async (of: unknown, generation: unknown, merge = true) => {
    const more = {
      'config.json': json({ ...config, eos_token_id: of }),
      'generation_config.json': json({ eos_token_id: generation, top_p: 0.9 }),
    };
    const folder = folderOfFiles('theirs', { ...files, ...more });
    const plan = await planTuning(folder, await readModel(folder), file, { ...settings, rank: 4 });
    const written = await tunedFolder(plan, { parameters: plan.model.parameters, updates: 0 }, { merge, below: '' });
    return ['config.json', 'generation_config.json'].map((name) => {
      const bytes = written.get(name);
      return bytes && JSON.parse(new TextDecoder().decode(bytes)).eos_token_id;
    });
  };
  // tokenizer_config.json names 2, which texts are taught to end with.
  expect(await endsOf([5, 7], 5)).toEqual([
    [2, 5, 7],
    [2, 5],
  ]);
  expect(await endsOf(2, [7, 2])).toEqual([2, [7, 2]]);
  expect(await endsOf(undefined, null)).toEqual([[2], [2]]);
  expect(await endsOf(5, 5, false)).toEqual([undefined, undefined]);
});

test('an adapter that leaves merged takes three copies of the whole model more', async () => {
  const folder = folderOfFiles('stories260K', files);
  const file = { name: texts.name, bytes: new Uint8Array(await texts.arrayBuffer()) };
  const thin = { ...settings, rank: 4, updates: 0 };
  const [alone, merged] = [false, true].map(async (merges) => {
    const plan = await planTuning(folder, await readModel(folder), file, thin, merges);
    const written = await tunedFolder(
      plan,
      { parameters: plan.model.parameters, updates: 0 },
      { merge: true, below: '' },
    );
    return { saved: plan.memory.saved, file: written.get('model.safetensors')?.length ?? 0 };
  });
  const [before, after] = [await alone, await merged];
  expect(((after?.saved ?? 0) - (before?.saved ?? 0)) / (3 * (after?.file ?? 1))).toBeCloseTo(1, 1);
});

test('an adapter comes out merged and alone', async () => {
  const { done } = await served({ rank: 4, updates: 2 });
  const [whole, adapter] = await Promise.all(
    done.folders.map(async ({ file }) => Object.keys(unzipSync(new Uint8Array(await file.arrayBuffer())))),
  );
  const at = 'stories260K tuned on kites.txt';
  expect(whole).toEqual(
    expect.arrayContaining([`${at}/model.safetensors`, `${at}/config.json`, `${at}/tokenizer.json`]),
  );
  expect(adapter).toContain(`${at}, adapter/adapter_model.safetensors`);
  expect((await openPackedModel(done.model)).model.id).not.toBe((await openPackedModel(base)).model.id);
});

test('ends after the update in flight when it is stopped, with what was learned by then', async () => {
  const { said, done } = await served({ updates: 1000 }, (news) => {
    if (news.kind === 'learned' && news.update === 2) stopTuning();
  });
  expect(lossesOf(said)).toHaveLength(2);
  expect(done.updates).toBe(2);
  const { done: short } = await served({ updates: 2 });
  expect(await done.model.text()).toBe(await short.model.text());
});

test.each([
  ['picture.txt', new Uint8Array([0x89, 0x50, 0xff, 0xfe]), /picture\.txt is no text in UTF-8\. Choose a plain text/],
  ['empty.txt', '\n', /no text to learn from in empty\.txt/],
  ['a.jsonl', '{"text": "Tom."}\n{"prompt": 4}\n', /Line 2 has no text, no prompt with a completion/],
  ['a.jsonl', '{"text": "Tom."}\nTom.\n', /Line 2 is no JSON/],
])('%s is refused in words', async (name, content, words) => {
  await expect(served({}, undefined, new File([content], name))).rejects.toThrow(words);
});
