/** A model's folder as one file: the same files again, and nothing that belongs to no model. */
import { expect, test } from 'vitest';
import { openPacked, packModel } from '../../src/llama/packed';

const files = {
  'config.json': new Blob(['{"a": "ä"}']),
  'model-00001-of-00002.safetensors': new Blob([new Uint8Array([1, 2, 3])]),
  'tokenizer.json': new Blob(['']),
  'README.md': new Blob(['MIT']),
  'chat_template.jinja': new Blob(['{{ x }}']),
  'pytorch_model.bin': new Blob(['no']),
};

test('its files come out of it as they were, by name', async () => {
  const folder = await openPacked(packModel('mein Ordner ä', files));
  expect(folder?.name).toBe('mein Ordner ä');
  const read = async (name: string) => {
    const file = await folder?.open(name);
    return file ? [...(await file.read(0, file.bytes))] : null;
  };
  expect(await read('model-00001-of-00002.safetensors')).toEqual([1, 2, 3]);
  expect(new TextDecoder().decode(Uint8Array.from((await read('config.json')) ?? []))).toBe('{"a": "ä"}');
  expect(await read('tokenizer.json')).toEqual([]);
  for (const name of ['README.md', 'chat_template.jinja']) expect(await read(name)).not.toBeNull();
  for (const name of ['pytorch_model.bin', 'toString']) expect(await read(name)).toBeNull();
});

test('any other file is none, and one that was cut or written by somebody is damaged', async () => {
  expect(await openPacked(new Blob(['{"unmask":1}\n']))).toBeNull();
  const packed = packModel('m', files);
  await expect(openPacked(packed.slice(0, packed.size - 1))).rejects.toThrow(/damaged/);
  const written = (list: string) => openPacked(new Blob([`{"unmask":"model",${list}}\n`]));
  for (const list of [
    '"name":"m","files":[["../x",0]]',
    '"name":"m"',
    '"name":"m","files":[["config.json",-1]]',
    '"',
  ]) {
    await expect(written(list)).rejects.toThrow(/damaged/);
  }
});
