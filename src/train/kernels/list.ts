/** Every kernel as the page shows it. Shaders are loaded here with comments; the build removes them for training. */
import { compile } from '../../formula/compile';
import { wgslModule } from '../../formula/wgsl/module';
import { preprocess } from '../../gpu/preprocess';
import { MADE } from '../../tensor/webgpu/made';
import { type KernelText, SERIES_NAMES, type Variant } from './report';
import { KERNELS, type ServedKernel } from './served';

const FOLDER = '../../../shaders/';

/** Formulas that printed kernels are shown for. */
const FORMULA = compile(`# PPO's clip by the ratio of whole trajectories, with the group's rewards as advantage
param epsilon = 0.2 in [0, 1]
gain = (reward - mean_group(reward)) / (std_group(reward) + 0.0001)
ratio = exp(mean_trajectory(clip(logp - old_logp, -20, 20)))
loss = -min(ratio * gain, clip(ratio, 1 - epsilon, 1 + epsilon) * gain)
show moved = where(abs(ratio - 1) > epsilon, 1, 0)`);

/** Kernels without a file. */
export const PRINTED: ReadonlyMap<string, string> = new Map(
  (['held', 'objective'] as const).map((kind) => [
    `formula/${kind}.wgsl`,
    wgslModule(FORMULA, kind, { commented: true }),
  ]),
);

const FILES: ReadonlyMap<string, string> = new Map([
  ...MADE,
  ...PRINTED,
  ...Object.entries(
    import.meta.glob<string>('../../../shaders/**/*.wgsl', { query: '?raw&commented', import: 'default', eager: true }),
  ).map(([path, text]) => [path.slice(FOLDER.length), text] as const),
]);

/** Sizes that the page writes kernels out for, where their text depends on them. */
const EXAMPLE: Readonly<Record<string, number>> = {
  HEAD_QUADS: 4,
  ACTIVATION: 0,
  ACTIVATED: 1,
  ACCUMULATE: 1,
  RESIDUAL: 1,
  COLUMNS: 4,
  SIDE: 16,
  WEIGHTS: 1,
  STORE: 1,
  ROTARY: 1,
  PLACED: 1,
  SCATTER: 1,
  THREADS: 64,
  QUERIES: 4,
  KEYS: 4,
  F32: 1,
  BF16: 0,
  F16: 0,
};

/** Text of every shader file, by path; included files too. */
export const shaderFiles = (): ReadonlyMap<string, string> => FILES;

/** Kernels of software alone, which GPUs have in one with another. */
const APART: readonly string[] = [
  'backward/attention_query',
  'backward/attention_key_value',
  'backward/layer_norm_weight',
];

/** Kernels that GPUs have a counterpart of for wide rows alone. */
const NARROW: readonly string[] = ['forward/layer_norm'];

/** Variant that uses a kernel: GPUs `_tiled` and `_split`, software the counterpart of a `_tiled` one; null: both. */
export function variantOf(kernel: string, kernels: readonly ServedKernel[] = KERNELS): Variant | null {
  if (kernel.endsWith('_tiled') || kernel.endsWith('_split')) return 'tiled';
  if (NARROW.includes(kernel)) return null;
  const isSoftwares = APART.includes(kernel) || kernels.some((one) => one.kernel === `${kernel}_tiled`);
  return isSoftwares ? 'plain' : null;
}

export function kernelTexts(): KernelText[] {
  return KERNELS.map(({ kernel, family, operations }): KernelText => {
    const name = `${kernel}.wgsl`;
    const file = FILES.get(name);
    if (file === undefined) throw new Error(`No shader file is called ${name}.`);
    const code = preprocess(name, FILES, EXAMPLE);
    const uses = Object.entries(EXAMPLE).filter(([size]) => new RegExp(`\\b${size}\\b|\\$${size}`).test(body(file)));
    return {
      name: kernel,
      family,
      operations,
      variant: variantOf(kernel),
      ...headOf(file),
      file,
      code,
      sizes: Object.fromEntries(uses),
      storageBindings: [...code.matchAll(/var<storage/g)].length,
      workgroup: /@workgroup_size\(([^)]*)\)/.exec(code)?.[1] ?? '',
      series: SERIES_NAMES.find((series) => (operations as readonly string[]).includes(series)) ?? null,
    };
  });
}

/** Text without comments, except for directives like `// #repeat`. */
const body = (text: string): string => text.replace(/\/\/(?! #).*$/gm, '');

/** Head comment of a file, its lines joined, split into the sentence after “Floor:” and the rest. */
export function headOf(text: string): { about: string; floor: string } {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('//') || line.startsWith('// #')) break;
    lines.push(line.replace(/^\/\/ ?/, ''));
  }
  const head = lines.join(' ');
  const [, before = head, floor = '', after = ''] =
    /^(.*?)(?:, same|[;.])? ?\b[Ff]loor: (.*?(?:\.(?= [A-Z]|$)|$))(.*)$/.exec(head) ?? [];
  const about = `${before.trim()}${/[.:]$/.test(before.trim()) ? '' : '.'}${after}`;
  return { about, floor: floor.replace(/\.$/, '') };
}
