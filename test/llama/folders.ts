/** Folders of models in memory. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ModelFolder } from '../../src/llama/folder';

export type Files = Readonly<Record<string, Uint8Array | string | object>>;

/** Models among the fixtures. */
export const FIXTURES = [
  'all-attention-biases',
  'grouped-tied',
  'head-dim-bf16',
  'new-names-long',
  'qwen-bias',
  'untied-theta',
] as const;

const fixtures = fileURLToPath(new URL('../fixtures/llama/', import.meta.url));

/** Files of a model among the fixtures. */
export function filesOf(model: string): Record<string, Uint8Array> {
  const files = readdirSync(fixtures + model).filter((name) => statSync(`${fixtures}${model}/${name}`).isFile());
  return Object.fromEntries(files.map((name) => [name, new Uint8Array(readFileSync(`${fixtures}${model}/${name}`))]));
}

export function folderOf(files: Files, name = 'model'): ModelFolder {
  return {
    name,
    async open(file) {
      const given = files[file];
      if (given === undefined) return null;
      const text = typeof given === 'string' ? given : JSON.stringify(given);
      const bytes = given instanceof Uint8Array ? given : new TextEncoder().encode(text);
      return { bytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
    },
  };
}

export const jsonOf = (bytes: Uint8Array): Record<string, unknown> => JSON.parse(new TextDecoder().decode(bytes));

export interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

/** A safetensors file. */
export function packed(entries: Readonly<Record<string, Entry>>): Uint8Array {
  let end = 0;
  const header = Object.entries(entries).map(([name, { dtype, shape, data }]) => {
    const data_offsets = [end, end + data.length];
    end += data.length;
    return [name, { dtype, shape, data_offsets }];
  });
  return withHeader(
    Object.fromEntries(header),
    Object.values(entries).flatMap(({ data }) => [...data]),
  );
}

export function withHeader(header: object, data: readonly number[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(8);
  new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
  return Uint8Array.from([...length, ...text, ...data]);
}

/** Tensors of a file, to be packed otherwise. */
export function unpacked(file: Uint8Array): Record<string, Entry> {
  const length = Number(new DataView(file.buffer, file.byteOffset, 8).getBigUint64(0, true));
  const header = jsonOf(file.subarray(8, 8 + length));
  const entries = Object.entries(header).filter(([name]) => name !== '__metadata__');
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const {
        dtype,
        shape,
        data_offsets: offsets,
      } = value as {
        dtype: string;
        shape: number[];
        data_offsets: [number, number];
      };
      return [name, { dtype, shape, data: file.subarray(8 + length + offsets[0], 8 + length + offsets[1]) }];
    }),
  );
}

const STORIES = 'public/models/stories260k';

/** A template that says who speaks in brackets, and ends each message as the model ends a text. */
export const CHAT_TEMPLATE =
  '{{ bos_token }}{% for one in messages %}[{{ one.role }}] {{ one.content | trim }}{{ eos_token }}\n{% endfor %}' +
  '{% if add_generation_prompt %}[assistant] {% endif %}';

/** Files of stories260K with a chat template, or without one. */
export const chatting = (template: string | null = CHAT_TEMPLATE): Files => {
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors'];
  const files = names.map((name) => [name, new Uint8Array(readFileSync(`${STORIES}/${name}`))] as const);
  const written = template === null ? [] : [['chat_template.jinja', new TextEncoder().encode(template)] as const];
  return Object.fromEntries([...files, ...written]);
};
