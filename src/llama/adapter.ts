/**
 * Low-rank adapters in PEFT's form: y += (x·Aᵀ)·Bᵀ·α/r of any of a layer's seven maps. Ranks are filled up to a multiple of 4
 * with zeros, which stay zeros: their gradients are.
 */
import type { Adapter, Adapters } from '../policy/adapters';
import type { PolicyConfiguration } from '../policy/configuration';
import type { Backend, ParameterView, Tensor } from '../tensor/backend';
import { damaged, type Json, type ModelFolder, readJson, unsupported } from './folder';
import { type Module, modulesOf } from './places';
import { openTensors } from './safetensors';
import { tensorFor } from './weights';

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

/** Most ranks of an adapter. */
const MOST_RANKS = 4096;

export interface AdapterShape {
  readonly rank: number;
  /** α/r. */
  readonly factor: number;
  readonly modules: readonly Module[];
}

function readAdapterConfig(config: Json, configuration: PolicyConfiguration): AdapterShape {
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
  const known = modulesOf(configuration);
  if (!Array.isArray(targets)) return refuse('target_modules');
  const modules = known.filter(({ name }) => targets.some((target) => name === target || name.endsWith(`.${target}`)));
  const strange = targets.find((target) => !modules.some(({ name }) => name === target || name.endsWith(`.${target}`)));
  if (strange !== undefined || modules.length === 0) refuse('target_modules');
  return { rank: rank as number, factor: alpha / (rank as number), modules };
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Place of one adapter among the adapters' parameters, [N] a member. */
export interface AdapterPlace {
  readonly module: Module;
  readonly layer: number;
  /** First elements of A [inputs, r] and B [r, outputs], r filled up. */
  readonly A: number;
  readonly B: number;
}

export interface AdapterLayout extends AdapterShape {
  /** Rank filled up to a multiple of 4. */
  readonly filled: number;
  readonly places: readonly AdapterPlace[];
  readonly size: number;
}

function layoutAdapters(shape: AdapterShape, { layers }: PolicyConfiguration): AdapterLayout {
  const filled = Math.ceil(shape.rank / 4) * 4;
  const places: AdapterPlace[] = [];
  let size = 0;
  for (let layer = 0; layer < layers; layer++) {
    for (const module of shape.modules) {
      places.push({ module, layer, A: size, B: size + module.inputs * filled });
      size += (module.inputs + module.outputs) * filled;
    }
  }
  return { ...shape, filled, places, size };
}

/** Parameters [N] of the adapters in a folder. */
export async function readAdapter(folder: ModelFolder, layout: AdapterLayout): Promise<Float32Array> {
  const tensors = await openTensors(folder, 'adapter_model');
  const parameters = new Float32Array(layout.size);
  const { rank: r, filled, places } = layout;
  const names = new Set<string>();
  for (const { module, layer, A, B } of places) {
    const { name, inputs, outputs, column } = module;
    const stem = `base_model.model.model.layers.${layer}.${name}.lora`;
    const read = async (which: 'A' | 'B', shape: readonly number[]): Promise<Float32Array> => {
      names.add(`${stem}_${which}.weight`);
      return tensorFor(tensors, `${stem}_${which}.weight`, shape, folder.name).read();
    };
    const [a, b] = [await read('A', [r, inputs]), await read('B', [outputs, r])];
    for (let i = 0; i < r; i++) {
      for (let k = 0; k < inputs; k++) parameters[A + k * filled + i] = a[i * inputs + k];
      for (let n = 0; n < outputs; n++) parameters[B + i * outputs + column(n)] = b[n * r + i];
    }
  }
  const strange = [...tensors.keys()].find((name) => !names.has(name));
  if (strange !== undefined) throw unsupported(`The adapter holds ${strange}, which its configuration does not name.`);
  return parameters;
}

/** A [r, in] or B [out, r] of a place in PEFT's order, out of values [N] such as gradients. */
export function inPeftOrder(
  values: ArrayLike<number>,
  { rank: r, filled }: AdapterLayout,
  { module: { inputs, outputs, column }, A, B }: AdapterPlace,
  which: 'A' | 'B',
): Float64Array {
  return which === 'A'
    ? Float64Array.from({ length: r * inputs }, (_, i) => values[A + (i % inputs) * filled + Math.floor(i / inputs)])
    : Float64Array.from({ length: outputs * r }, (_, i) => values[B + (i % r) * outputs + column(Math.floor(i / r))]);
}

/** Adapters of a policy, with room for passes over `rows` rows. parameters: [P, N]. */
export function allocateAdapters(
  backend: Backend,
  layout: AdapterLayout,
  parameters: Tensor<'f32'>,
  rows: number,
  options: { differentiated: boolean },
): Adapters {
  const { filled, factor, places } = layout;
  const tensor = (label: string, width: number): Tensor<'f32'> =>
    backend.tensor(`adapter.${label}`, 'f32', parameters.members, rows * width);
  const wide = new Map<number, Tensor<'f32'>>();
  const dLow = options.differentiated ? tensor('dLow', filled) : null;
  const found = new Map<string, Adapter[]>();
  for (const { module, layer, A, B } of places) {
    const { inputs, outputs, first, map } = module;
    const shared = wide.get(outputs) ?? tensor(`wide${outputs}`, outputs);
    wide.set(outputs, shared);
    const view = (offset: number, shape: readonly number[]): ParameterView => ({ tensor: parameters, offset, shape });
    const adapter: Adapter = {
      A: view(A, [inputs, filled]),
      B: view(B, [filled, outputs]),
      factor,
      first,
      low: tensor(`layer${layer}.${module.name}`, filled),
      wide: shared,
      dLow,
    };
    const name = `layer${layer}.${map}`;
    found.set(name, [...(found.get(name) ?? []), adapter]);
  }
  return (map) => found.get(map) ?? [];
}

export async function adapterLayoutOf(folder: ModelFolder, configuration: PolicyConfiguration): Promise<AdapterLayout> {
  return layoutAdapters(readAdapterConfig(await readJson(folder, 'adapter_config.json'), configuration), configuration);
}
