/**
 * `config.json` of a Llama or a Qwen2 to the shape of a policy, with the defaults of transformers. What would change the numbers
 * and is not computed here is refused by name, so that nothing trains wrong in silence.
 */
import { isJson, type Json } from '../foundation/json';
import type { LlamaBlocks } from '../foundation/llamaBlocks';
import { checkConfiguration, type PolicyConfiguration } from '../policy/configuration';
import { damaged, unsupported } from './folder';

const ARCHITECTURES = { LlamaForCausalLM: 'llama', Qwen2ForCausalLM: 'qwen2' } as const;
type Architecture = keyof typeof ARCHITECTURES;

/** Layers, more than any model of the family has. */
const MOST_LAYERS = 1024;

const NUMBER_TYPES = ['float32', 'float16', 'bfloat16'];

/** Settings that change a model's numbers, and the values under which they do not. */
const NEUTRAL: Readonly<Record<string, readonly unknown[]>> = {
  is_causal: [true, null],
  mlp_bias: [false],
  quantization_config: [null],
  partial_rotary_factor: [1, null],
  num_experts: [0, null],
  num_local_experts: [0, null],
  attn_logit_softcapping: [null],
  final_logit_softcapping: [null],
  logit_scale: [1, null],
  logits_scaling: [1, null],
  residual_multiplier: [1, null],
  embedding_multiplier: [1, null],
  attention_multiplier: [null],
  use_qk_norm: [false],
  qk_layernorm: [false],
};

export interface ModelShape {
  readonly architecture: Architecture;
  /** Tokens; the policy's vocabulary is a multiple of 4. */
  readonly tokens: number;
  /** Longest text that the model was made for, in tokens. */
  readonly longest: number;
  /** Shape for trajectories of at most `context` tokens. */
  policy(context: number): PolicyConfiguration;
}

/** Shape of a model. Throws LabError for one that is not of the family, or has parts that the lab does not compute. */
export function readConfig(config: Json): ModelShape {
  const architecture = architectureOf(config);
  refuseUnknown(config);
  const count = (name: string, otherwise?: number): number => {
    const value = config[name] ?? otherwise;
    if (value === undefined) throw damaged(`config.json has no ${name}.`);
    if (!Number.isSafeInteger(value) || (value as number) < 1) {
      throw damaged(`config.json says ${name}: ${JSON.stringify(value)}, which is no whole number above 0.`);
    }
    return value as number;
  };
  const positive = (name: string, given: unknown): number => {
    if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0)
      throw damaged(`${name} is no number above 0.`);
    return given;
  };
  const [width, heads] = [count('hidden_size'), count('num_attention_heads')];
  const layers = count('num_hidden_layers');
  if (layers > MOST_LAYERS) throw unsupported(`The model has ${layers} layers, more than ${MOST_LAYERS}.`);
  if (config.head_dim == null && width % heads !== 0) {
    throw damaged(`A width of ${width} does not divide into ${heads} heads.`);
  }
  const tokens = count('vocab_size');
  const llama: LlamaBlocks = {
    keyValueHeads: count('num_key_value_heads', heads),
    headWidth: count('head_dim', width / heads),
    hidden: count('intermediate_size'),
    epsilon: positive('rms_norm_eps', config.rms_norm_eps ?? 1e-6),
    theta: positive('rope_theta', thetaOf(config)),
    tied: flag(config, 'tie_word_embeddings'),
    biases: biasesOf(config, architecture),
  };
  const base = {
    layers,
    width,
    heads,
    vocabulary: Math.ceil(tokens / 4) * 4,
    positions: 'rotary',
    activation: 'relu',
    initialisation: 'gpt-2',
    initialScale: 0.02,
    llama,
  } as const;
  const longest = count('max_position_embeddings', 2048);
  checkConfiguration({ ...base, context: longest });
  return { architecture, tokens, longest, policy: (context) => ({ ...base, context }) };
}

function architectureOf({ architectures, model_type: type }: Json): Architecture {
  const names = Object.keys(ARCHITECTURES) as Architecture[];
  const [first = null]: unknown[] = Array.isArray(architectures) ? architectures : [];
  const named = first === null ? null : String(first);
  const found = names.find((name) => (named === null ? ARCHITECTURES[name] === type : name === named));
  // Programs go by either name, so both have to say the same.
  if (found !== undefined && (type === undefined || type === ARCHITECTURES[found])) return found;
  if (found !== undefined) throw unsupported(`config.json says ${found} and model_type: ${String(type)}.`);
  throw unsupported(`The model is a ${named ?? String(type)}; the lab computes ${names.join(' and ')}.`);
}

function refuseUnknown(config: Json): void {
  for (const [name, values] of Object.entries(NEUTRAL)) {
    if (name in config && !values.includes(config[name])) {
      throw unsupported(`config.json says ${name}: ${JSON.stringify(config[name])}, which the lab does not compute.`);
    }
  }
  const refuse = (name: string): never => {
    throw unsupported(`config.json says ${name}: ${JSON.stringify(config[name])}, which the lab does not compute.`);
  };
  if (!['silu', 'swish'].includes(String(config.hidden_act ?? 'silu'))) refuse('hidden_act');
  // A window alone is not used; transformers uses one where use_sliding_window says so.
  if (config.use_sliding_window === true && config.sliding_window !== null) refuse('use_sliding_window');
  const { layer_types: types } = config;
  if (Array.isArray(types) && types.some((type) => type !== 'full_attention')) refuse('layer_types');
  for (const name of ['dtype', 'torch_dtype']) {
    if (config[name] != null && !NUMBER_TYPES.includes(String(config[name]))) refuse(name);
  }
}

/** Older files say rope_theta, newer ones rope_parameters. */
function thetaOf({ rope_theta: theta, rope_parameters: newest, rope_scaling: older }: Json): unknown {
  const parameters = isJson(older) && Object.keys(older).length > 0 ? older : newest;
  if (parameters == null) return theta ?? 10_000;
  if (!isJson(parameters)) throw damaged('rope_parameters is no object.');
  const { rope_type: named, type: unnamed, rope_theta: newer, ...rest } = parameters;
  const type = named ?? unnamed ?? 'default';
  const others = Object.keys(rest).filter((name) => name !== 'partial_rotary_factor' || rest[name] !== 1);
  if (type !== 'default' || others.length > 0) {
    throw unsupported(`config.json turns positions by ${JSON.stringify(parameters)}, which the lab does not compute.`);
  }
  return newer ?? theta ?? 10_000;
}

function flag(config: Json, name: string): boolean {
  const value = config[name] ?? false;
  if (typeof value !== 'boolean') throw damaged(`${name} is neither true nor false.`);
  return value;
}

function biasesOf(config: Json, architecture: Architecture): LlamaBlocks['biases'] {
  if (architecture === 'Qwen2ForCausalLM') return 'qkv';
  return flag(config, 'attention_bias') ? 'attention' : 'none';
}
