/** Low-rank adapters in PEFT's form: y += (x·Aᵀ)·Bᵀ·α/r of any of a layer's seven maps. */
import type { Json } from '../foundation/json';
import { type AdapterForm, filledRank, type PolicyConfiguration } from '../policy/configuration';
import { layoutParameters, type ParameterLayout } from '../policy/parameters';
import { damaged, type ModelFolder, readJson, unsupported } from './folder';
import { modulesOf } from './places';
import { openTensors } from './safetensors';
import { type FileTensor, finite, tensorFor } from './weights';

/** Settings of PEFT's that change numbers, and the values under which they do not. Dropout is off when a model is used. */
const NEUTRAL: Readonly<Record<string, readonly unknown[]>> = {
  bias: ['none'],
  // Others change the weights of the model that is adapted.
  init_lora_weights: [true, false, null, 'gaussian', 'orthogonal', 'eva', 'mica', 'lora_ga'],
};

/** Settings that change nothing here. */
const IDLE = [
  'auto_mapping',
  'base_model_name_or_path',
  'revision',
  'inference_mode',
  'task_type',
  'peft_type',
  'peft_version',
  'lora_dropout',
  'megatron_core',
  'qalora_group_size',
  'runtime_config',
  'ensure_weight_tying',
  'r',
  'lora_alpha',
  'target_modules',
];

/** File that tells of an adapter. */
export const ADAPTER_CONFIG = 'adapter_config.json';

/** Most ranks of an adapter. */
export const MOST_RANKS = 4096;

function readForm(config: Json, configuration: PolicyConfiguration): AdapterForm {
  const refuse = (name: string): never => {
    throw unsupported(
      `adapter_config.json says ${name}: ${JSON.stringify(config[name])}, which the lab does not compute.`,
    );
  };
  if (config.peft_type !== 'LORA') refuse('peft_type');
  // A setting that is not known may change the numbers, so it has to be empty.
  for (const [name, value] of Object.entries(config)) {
    if (!IDLE.includes(name) && !isEmpty(value) && !NEUTRAL[name]?.includes(value)) refuse(name);
  }
  const { r: rank, lora_alpha: alpha, target_modules: targets } = config;
  if (!Number.isSafeInteger(rank) || (rank as number) < 1 || (rank as number) > MOST_RANKS) {
    throw damaged(`r in adapter_config.json is no whole number from 1 to ${MOST_RANKS}.`);
  }
  if (typeof alpha !== 'number' || !Number.isFinite(alpha)) throw damaged('adapter_config.json has no lora_alpha.');
  if (!Array.isArray(targets) || targets.some((target) => typeof target !== 'string')) return refuse('target_modules');
  const isNamed = (module: string, target: string): boolean => module === target || module.endsWith(`.${target}`);
  const places = modulesOf(configuration).map(({ name }) => {
    return {
      name,
      layers: Array.from({ length: configuration.layers }, (_, layer) => `model.layers.${layer}.${name}`),
    };
  });
  // PEFT's `all-linear` names the maps of a model of few layers one by one: all layers of a map, or none.
  const modules = places.filter(({ layers }) => layers.every((one) => targets.some((target) => isNamed(one, target))));
  const named = modules.flatMap(({ layers }) => layers);
  const strange = targets.find((target) => !named.some((one) => isNamed(one, target)));
  if (strange !== undefined || modules.length === 0) refuse('target_modules');
  return { rank: rank as number, factor: alpha / (rank as number), maps: modules.map(({ name }) => name) };
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A or B of one map of a layer. */
export interface AdapterPart {
  /** Name in the files, without PEFT's additions before and behind it: `layers.0.self_attn.q_proj`. */
  readonly module: string;
  readonly which: 'A' | 'B';
  /** Shape in the files: A [r, in], B [out, r]. */
  readonly shape: readonly [number, number];
  /** Place [N] in a policy's parameters of the element at [row, column] of the files' tensor. */
  readonly index: (row: number, column: number) => number;
}

/** The parts of a policy's adapters, and where each lies in its layout. */
export function adapterParts(configuration: PolicyConfiguration, { specs }: ParameterLayout): readonly AdapterPart[] {
  const { adapters, layers } = configuration;
  if (adapters === undefined) return [];
  const { rank } = adapters;
  const filled = filledRank(adapters);
  const offset = (name: string): number => specs.find((spec) => spec.name === name)?.offset ?? Number.NaN;
  const modules = modulesOf(configuration).filter(({ name }) => adapters.maps.includes(name));
  return Array.from({ length: layers }, (_, layer) =>
    modules.flatMap(({ name, inputs, outputs, column }): AdapterPart[] => {
      const [A, B] = [offset(`layer${layer}.${name}.A`), offset(`layer${layer}.${name}.B`)];
      const module = `layers.${layer}.${name}`;
      return [
        { module, which: 'A', shape: [rank, inputs], index: (i, k) => A + k * filled + i },
        { module, which: 'B', shape: [outputs, rank], index: (n, i) => B + i * outputs + column(n) },
      ];
    }),
  ).flat();
}

const nameOf = (module: string, which: AdapterPart['which']): string =>
  `base_model.model.model.${module}.lora_${which}.weight`;

/** Parameters [N] of a policy's adapters out of a folder; its value head is 0. */
export async function readAdapter(folder: ModelFolder, configuration: PolicyConfiguration): Promise<Float32Array> {
  const tensors = await openTensors(folder, 'adapter_model');
  const layout = layoutParameters(configuration);
  const parameters = new Float32Array(layout.size);
  const names = new Set<string>();
  for (const { module, which, shape, index } of adapterParts(configuration, layout)) {
    const name = nameOf(module, which);
    names.add(name);
    const values = await tensorFor(tensors, name, shape, folder.name).read();
    finite(values, 'f32', name, folder.name).forEach((value, i) => {
      parameters[index(Math.floor(i / shape[1]), i % shape[1])] = value;
    });
  }
  const strange = [...tensors.keys()].find((name) => !names.has(name));
  if (strange !== undefined) throw unsupported(`The adapter holds ${strange}, which its configuration does not name.`);
  return parameters;
}

/** A part in the files' order out of values [N] by parameter, such as gradients. */
export function partOf(values: ArrayLike<number>, { shape: [rows, columns], index }: AdapterPart): Float64Array {
  return Float64Array.from({ length: rows * columns }, (_, i) => values[index(Math.floor(i / columns), i % columns)]);
}

/** All tensors of an adapter's file out of a policy's parameters [N], as readAdapter reads them; a critic has no place there. */
export function adapterTensors(parameters: Float32Array, configuration: PolicyConfiguration): readonly FileTensor[] {
  return adapterParts(configuration, layoutParameters(configuration)).map((part) => ({
    name: nameOf(part.module, part.which),
    shape: part.shape,
    values: Float32Array.from(partOf(parameters, part)),
  }));
}

/** adapter_config.json of a policy's adapters. base: name of the model below them. */
export function adapterConfig({ adapters }: PolicyConfiguration, base: string): Json {
  if (adapters === undefined) throw new RangeError('The policy has no adapters.');
  const { rank, factor, maps } = adapters;
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: base,
    r: rank,
    // The setting itself: α ÷ r · r may differ from it in its last bits.
    lora_alpha: Number((factor * rank).toPrecision(12)),
    lora_dropout: 0,
    bias: 'none',
    target_modules: maps.map((name) => name.slice(name.lastIndexOf('.') + 1)),
    inference_mode: true,
  };
}

/** The policy that a folder's adapter makes of a model. */
export async function adapted(folder: ModelFolder, configuration: PolicyConfiguration): Promise<PolicyConfiguration> {
  return { ...configuration, adapters: readForm(await readJson(folder, ADAPTER_CONFIG), configuration) };
}
