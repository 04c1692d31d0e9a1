/** Models out of folders: what is read, and what is refused by name instead of trained wrong. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapted, readAdapter } from '../../src/llama/adapter';
import { readConfig } from '../../src/llama/config';
import type { ModelFolder } from '../../src/llama/folder';
import { readModel } from '../../src/llama/model';
import { openTensors } from '../../src/llama/safetensors';
import { readWeights } from '../../src/llama/weights';
import { inOne, inParts, storedBytes } from '../../src/policy/frozen';
import { widened } from '../../src/tensor/halves';
import { type Entry, filesOf, folderOf, jsonOf, packed, unpacked, withHeader } from './folders';

const files = filesOf('grouped-tied');
const config = jsonOf(files['config.json'] as Uint8Array);
const weights = unpacked(files['model.safetensors'] as Uint8Array);

const reading =
  (given: object): (() => unknown) =>
  () =>
    readConfig({ ...config, ...given } as never);

describe('config.json', () => {
  test.each([
    [{ architectures: ['MistralForCausalLM'] }, /MistralForCausalLM/],
    [{ architectures: undefined, model_type: 'gemma' }, /gemma/],
    [{ rope_scaling: { rope_type: 'llama3', factor: 8 } }, /turns positions by.*llama3/],
    [{ rope_parameters: { rope_type: 'yarn', rope_theta: 1e4, factor: 4 } }, /turns positions by.*yarn/],
    [
      { rope_parameters: { rope_type: 'default', rope_theta: 1e4, partial_rotary_factor: 0.5 } },
      /partial_rotary_factor/,
    ],
    [{ rope_parameters: { full_attention: { rope_theta: 1e4 } } }, /full_attention/],
    [{ use_sliding_window: true, sliding_window: 32 }, /use_sliding_window/],
    [{ is_causal: false }, /is_causal/],
    [{ model_type: 'gemma' }, /LlamaForCausalLM and model_type: gemma/],
    [{ num_hidden_layers: 1e7 }, /layers, more than 1024/],
    [{ hidden_size: 20, num_attention_heads: 3, num_key_value_heads: 3 }, /20 does not divide into 3 heads/],
    [{ layer_types: ['full_attention', 'sliding_attention'] }, /layer_types/],
    [{ hidden_act: 'gelu' }, /hidden_act.*gelu/],
    [{ mlp_bias: true }, /mlp_bias/],
    [{ num_local_experts: 8 }, /num_local_experts/],
    [{ quantization_config: { bits: 4 } }, /quantization_config/],
    [{ torch_dtype: 'float8_e4m3fn' }, /torch_dtype.*float8/],
    [{ hidden_size: 18, head_dim: 4 }, /18/],
    [{ num_key_value_heads: 3 }, /4 heads do not share 3/],
    [{ head_dim: 256 }, /256.*128/],
    [{ intermediate_size: 41 }, /41/],
    [{ rms_norm_eps: 0 }, /rms_norm_eps/],
    [{ tie_word_embeddings: 'yes' }, /tie_word_embeddings/],
    [{ vocab_size: undefined }, /has no vocab_size/],
    [{ num_hidden_layers: 1.5 }, /num_hidden_layers: 1.5, which is no whole number/],
    [{ hidden_size: '32' }, /hidden_size: "32", which is no whole number/],
  ])('%j is refused by name', (given, says) => {
    expect(reading(given)).toThrow(says);
  });

  test('older and newer names of theta and types are the same, and an unused window is none', () => {
    const shape = (given: object) => readConfig({ ...config, rope_theta: undefined, ...given } as never).policy(64);
    const newer = shape({ rope_parameters: { rope_theta: 5e5, rope_type: 'default' }, dtype: 'bfloat16' });
    expect(newer).toEqual(shape({ rope_theta: 5e5, torch_dtype: 'bfloat16' }));
    expect(newer.llama?.theta).toBe(5e5);
    for (const same of [
      { use_sliding_window: false, sliding_window: 32 },
      { sliding_window: 32 },
      { rope_scaling: { type: 'default' } },
      { rope_scaling: {} },
      { hidden_act: 'swish' },
      { architectures: [] },
    ]) {
      expect(shape(same)).toEqual(shape({}));
    }
    expect(shape({ rope_scaling: { rope_type: 'default', rope_theta: 50 } }).llama?.theta).toBe(50);
    expect(shape({ layer_types: ['full_attention', 'full_attention'] }).llama?.theta).toBe(10_000);
  });

  test('a vocabulary that is no multiple of 4 is filled up', () => {
    const { tokens, policy } = readConfig({ ...config, vocab_size: 37 } as never);
    expect([tokens, policy(8).vocabulary]).toEqual([37, 40]);
  });
});

describe('weights', () => {
  const norm = weights['model.norm.weight'] as Entry;
  const notFinite = (entry: Entry): Entry => {
    return { ...entry, data: Uint8Array.from(entry.data, (byte, i) => (i < entry.data.length - 4 ? byte : 0xff)) };
  };
  const { policy, tokens } = readConfig(config as never);
  const read = (given: Record<string, Uint8Array | object>) => readWeights(folderOf(given), policy(64), tokens);
  const whole = { 'model.safetensors': files['model.safetensors'] as Uint8Array };

  test('shards give the same parameters as one file', async () => {
    const names = Object.keys(weights);
    const half = (odd: number) => Object.fromEntries(Object.entries(weights).filter((_, i) => i % 2 === odd));
    const sharded = {
      'a.safetensors': packed(half(0)),
      'b.safetensors': packed(half(1)),
      'model.safetensors.index.json': {
        weight_map: Object.fromEntries(names.map((name, i) => [name, i % 2 === 0 ? 'a.safetensors' : 'b.safetensors'])),
      },
    };
    expect(await read(sharded)).toEqual(await read(whole));
  });

  test('are shared with threads, not copied for each', async () => {
    const { values } = (await read(whole)).get('head.weight') ?? expect.fail();
    expect(structuredClone(values).buffer).toBeInstanceOf(SharedArrayBuffer);
    structuredClone(values)[0] = 77;
    expect(values[0]).toBe(77);
  });

  test('are kept in the type of their tensors, vectors and what is of several types in float32', async () => {
    const typesOf = async (given: Record<string, Uint8Array>) =>
      Object.fromEntries([...(await read(given))].map(([name, { type, values }]) => [name, [type, values.byteLength]]));
    const narrow = (entries: typeof weights, type: 'BF16' | 'F16') =>
      Object.fromEntries(
        Object.entries(entries).map(([name, { shape, data }]) => {
          const halves = data.filter((_, i) => i % 4 > 1);
          return [name, { dtype: type, shape, data: halves }];
        }),
      );
    const [wide, brain] = [await typesOf(whole), narrow(weights, 'BF16')];
    const kept = await typesOf({ 'model.safetensors': packed(brain) });
    for (const [name, [type, bytes]] of Object.entries(wide)) {
      const isVector = name.endsWith('.gamma');
      expect(type).toBe('f32');
      expect([name, kept[name]]).toEqual([name, isVector ? ['f32', bytes] : ['bf16', (bytes as number) / 2]]);
    }
    const key = 'model.layers.0.self_attn.k_proj.weight';
    const mixed = packed({ ...brain, [key]: { ...(brain[key] as Entry), dtype: 'F16' } });
    expect(await typesOf({ 'model.safetensors': mixed })).toEqual({
      ...kept,
      'layer0.qkv.weight': wide['layer0.qkv.weight'],
    });
    const { configuration, frozen } = await readModel(folderOf({ ...files, 'model.safetensors': packed(brain) }));
    const numbers = inOne(configuration, frozen);
    expect(inOne(configuration, inParts(configuration, numbers))).toEqual(numbers);
    expect(storedBytes(frozen)).toBe(Object.values(kept).reduce((sum, [, bytes]) => sum + (bytes as number), 0));
  });

  test.each([
    ['a missing tensor', { 'model.norm.weight': undefined }, /lack model\.norm\.weight/],
    ['one more', { 'model.layers.0.self_attn.q_norm.weight': norm }, /q_norm/],
    ['another layer', { 'model.layers.2.mlp.up_proj.weight': norm }, /layers\.2/],
    ['another shape', { 'model.norm.weight': weights['model.layers.0.self_attn.k_proj.weight'] }, /\[8,16\].*\[16\]/],
    ['a number that is none', { 'model.norm.weight': notFinite(norm) }, /model\.norm\.weight.*not finite/],
    ['numbers of eight bytes', { 'model.norm.weight': { ...norm, dtype: 'F64' } }, /F64/],
  ])('%s is refused by name', async (_, given, says) => {
    const entries = Object.entries({ ...weights, ...given }).filter(([, entry]) => entry !== undefined);
    await expect(read({ 'model.safetensors': packed(Object.fromEntries(entries) as typeof weights) })).rejects.toThrow(
      says,
    );
  });

  test('a copy of a tied head and computed tables are left alone', async () => {
    const copy = weights['model.embed_tokens.weight'] as Entry;
    const more = packed({ ...weights, 'lm_head.weight': copy, 'model.layers.0.self_attn.rotary_emb.inv_freq': copy });
    expect(await read({ 'model.safetensors': more })).toEqual(await read(whole));
  });

  test.each([
    ['an empty file', new Uint8Array(0), /too short/],
    ['a file cut short', whole['model.safetensors'].subarray(0, 5000), /not whole/],
    ['a head that is longer than the file', withHeader({}, []).fill(255, 0, 6), /cut short/],
    ['numbers beyond the file', withHeader({ x: { dtype: 'F32', shape: [1], data_offsets: [0, 4] } }, []), /not whole/],
    [
      'another length',
      withHeader({ x: { dtype: 'F32', shape: [2], data_offsets: [0, 4] } }, [0, 0, 0, 0]),
      /not whole/,
    ],
    [
      'a shape below 0',
      withHeader({ x: { dtype: 'F32', shape: [-1], data_offsets: [0, 4] } }, [0, 0, 0, 0]),
      /described/,
    ],
  ])('%s is refused', async (_, file, says) => {
    await expect(read({ 'model.safetensors': file })).rejects.toThrow(says);
  });

  test('another head than the tied one, and a read that ends early, are refused; what is not needed may be of any type', async () => {
    const embedding = weights['model.embed_tokens.weight'] as Entry;
    const other = { ...embedding, data: embedding.data.map((byte, i) => (i === 3 ? byte ^ 1 : byte)) };
    const tied = packed({ ...weights, 'lm_head.weight': other });
    await expect(read({ 'model.safetensors': tied })).rejects.toThrow(/another head/);
    const table = { dtype: 'F64', shape: [1], data: new Uint8Array(8) };
    const idle = packed({ ...weights, 'model.layers.0.self_attn.rotary_emb.inv_freq': table });
    expect(await read({ 'model.safetensors': idle })).toEqual(await read(whole));
    const inMemory = folderOf(whole);
    const early: ModelFolder = {
      ...inMemory,
      async open(file) {
        const found = await inMemory.open(file);
        const short = async (from: number, to: number) =>
          (await found?.read(from, from === 0 ? to : to - 4)) as Uint8Array;
        return found === null
          ? null
          : { bytes: found.bytes, read: (from, to) => (from <= 8 ? found.read(from, to) : short(from, to)) };
      },
    };
    await expect(readWeights(early, policy(64), tokens)).rejects.toThrow(/could not be read to its end/);
  });

  test('a name out of a file cannot write on the terminal, nor fill it', async () => {
    const strange = packed({ ...weights, [`\u001b[2J${'x'.repeat(10_000)}`]: norm });
    const error: Error = await read({ 'model.safetensors': strange }).then(
      () => new Error('read'),
      (cause: Error) => cause,
    );
    expect(error.message).not.toContain('\u001b');
    expect(error.message.length).toBeLessThan(500);
  });

  test('sizes of a configuration are compared with the files before memory is taken', async () => {
    const huge = readConfig({ ...config, vocab_size: 1e9 } as never);
    await expect(readWeights(folderOf(whole), huge.policy(64), huge.tokens)).rejects.toThrow(/has the shape/);
  });

  test('an index may not name a file elsewhere', async () => {
    const index = { weight_map: { 'model.norm.weight': '../secret.safetensors' } };
    await expect(openTensors(folderOf({ 'model.safetensors.index.json': index }), 'model')).rejects.toThrow(/no file/);
  });

  test('a file with some bytes changed is read or refused with a reason, never otherwise', async () => {
    const bytes = whole['model.safetensors'];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2500), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        async (changes) => {
          const changed = bytes.slice();
          for (const [at, value] of changes) changed[at] = value;
          await read({ 'model.safetensors': changed }).catch((error: Error) => {
            expect(error.name).toBe('LabError');
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('every float16 and bfloat16 is widened exactly', () => {
  const all = new Uint16Array(65_536).map((_, i) => i);
  const [halves, brains] = [widened(all, 'f16'), widened(all, 'bf16')];
  const view = new DataView(new ArrayBuffer(4));
  for (let i = 0; i < 65_536; i++) {
    const [sign, exponent, fraction] = [i & 0x8000 ? -1 : 1, (i >>> 10) & 31, i & 1023];
    const finite = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
    const expected = exponent < 31 ? sign * finite : fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    if (!Object.is(halves[i], expected)) expect([i, halves[i]]).toEqual([i, expected]);
    view.setUint32(0, i << 16);
    if (!Object.is(brains[i], view.getFloat32(0))) expect([i, brains[i]]).toEqual([i, view.getFloat32(0)]);
  }
});

describe('an adapter', () => {
  const configuration = readConfig(config as never).policy(64);
  const adapter = filesOf('grouped-tied/adapter');
  const settings = jsonOf(adapter['adapter_config.json'] as Uint8Array);
  const policy = (given: object) =>
    adapted(folderOf({ 'adapter_config.json': { ...settings, ...given } }), configuration);

  test.each([
    [{ peft_type: 'IA3' }, /peft_type/],
    [{ use_rslora: true }, /use_rslora/],
    [{ use_dora: true }, /use_dora/],
    [{ rank_pattern: { q_proj: 4 } }, /rank_pattern/],
    [{ alpha_pattern: { q_proj: 4 } }, /alpha_pattern/],
    [{ modules_to_save: ['lm_head'] }, /modules_to_save/],
    [{ bias: 'all' }, /bias/],
    [{ target_modules: ['q_proj', 'lm_head'] }, /target_modules.*lm_head/],
    [{ target_modules: '.*_proj' }, /target_modules/],
    [{ target_modules: [] }, /target_modules/],
    [{ layers_to_transform: [0] }, /layers_to_transform/],
    [{ r: 0 }, /^r in/],
    [{ r: 2 ** 40 }, /^r in/],
    [{ alora_invocation_tokens: [3, 4] }, /alora_invocation_tokens/],
    [{ init_lora_weights: 'pissa' }, /init_lora_weights.*pissa/],
    [{ something_new: true }, /something_new/],
  ])('%j is refused by name', async (given, says) => {
    await expect(policy(given)).rejects.toThrow(says);
  });

  test('maps may be named layer by layer, as all-linear does, but not of some layers alone', async () => {
    const named = (layers: readonly number[]) => ({
      target_modules: layers.flatMap((layer) => ['q', 'v'].map((map) => `model.layers.${layer}.self_attn.${map}_proj`)),
    });
    expect(await policy(named([0, 1]))).toEqual(await policy({ target_modules: ['q_proj', 'v_proj'] }));
    await expect(policy(named([0]))).rejects.toThrow(/target_modules/);
  });

  test('settings that are there and change nothing are read', async () => {
    const given = {
      rank_pattern: {},
      modules_to_save: [],
      use_dora: false,
      lora_dropout: 0.05,
      init_lora_weights: true,
    };
    expect(await policy(given)).toMatchObject({ adapters: { rank: 2, factor: 2 } });
  });

  test('tensors that its configuration does not name are refused', async () => {
    const folder = folderOf({ 'adapter_model.safetensors': adapter['adapter_model.safetensors'] as Uint8Array });
    await expect(readAdapter(folder, await policy({ target_modules: ['q_proj'] }))).rejects.toThrow(/k_proj|mlp/);
    await expect(readAdapter(folder, await policy({ r: 3 }))).rejects.toThrow(/shape \[2,16\].*\[3,16\]/);
  });
});
