/** Lines of Python that the page shows, as far as they can be checked without Python. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { defaultSettings, environments } from '../../src/environments/registry';
import { composeVocabulary } from '../../src/environments/vocabulary';
import { exportOnnx } from '../../src/onnx/exportOnnx';
import { readModel } from '../../src/onnx/readModel';
import { folderSnippet, snippet } from '../../src/ui/places/runs/policies/snippet';
import { randomPolicy } from '../support/policies';

const quoted = (text: string, pattern: RegExp): string[] => Array.from(text.matchAll(pattern), ([, name = '']) => name);

test('the text that is read is of words that every world has', () => {
  const text = /text = \[(.*)\]/.exec(snippet(false))?.[1] ?? '';
  const words = quoted(text, /"([^"]+)"/g);
  expect(words.length).toBeGreaterThan(0);
  for (const [id, environment] of Object.entries(environments)) {
    const vocabulary = composeVocabulary([environment.create(defaultSettings(id)).words]).words;
    expect(vocabulary, id).toEqual(expect.arrayContaining(words));
  }
});

test.each([false, true])('what it gives and asks for is what a file has, cached: %s', (cached) => {
  const { graph, metadataProps } = readModel(exportOnnx(randomPolicy(1), { cached }));
  const source = snippet(cached);
  const given = quoted(source, /(?:inputs = \{|inputs\[)"(\w+)"/g);
  const inputs = graph.input.map(({ name = '' }) => name);
  expect(given).toEqual(inputs.slice(0, cached ? 3 : 1));
  expect(inputs.slice(given.length).every((name) => cached && /^past_key_values\./.test(name))).toBe(true);
  expect(graph.output.map(({ name }) => name)).toEqual(expect.arrayContaining(quoted(source, /run\(\["(\w+)"\]/g)));
  const keys = metadataProps.map(({ key }) => key);
  const asked = quoted(source, /about\["(\w+)"\]/g);
  expect(asked).toHaveLength(2);
  expect(keys).toEqual(expect.arrayContaining(asked));
});

test('the documentation of language models shows how their folders are read', async () => {
  const blocks = quoted(await readFile('docs/llama.md', 'utf8'), /```python\n([\s\S]*?)\n```/g);
  expect(blocks).toEqual([folderSnippet(false), folderSnippet(true)]);
});

test('the documentation says the same', async () => {
  const blocks = quoted(await readFile('docs/onnx.md', 'utf8'), /```python\n([\s\S]*?)\n```/g);
  expect(blocks[0]).toBe(snippet(false));
  const [before, after] = blocks[0]?.split(/(?=logits = )/) ?? [];
  expect(`${before}${blocks[1]}\n${after}`).toBe(snippet(true));
});
