/**
 * Every kernel as the page shows it. The shaders are read once more, with their comments: the build takes those out of
 * what training loads.
 */
import { preprocess } from '../../gpu/preprocess';
import { CONSTANTS } from '../../tensor/webgpu/constants';
import { type KernelText, SWEEPS, type Variant } from './report';
import { KERNELS, type Served } from './served';

const FOLDER = '../../../shaders/';
const FILES: ReadonlyMap<string, string> = new Map([
  ['constants.wgsl', CONSTANTS],
  ...Object.entries(
    import.meta.glob<string>('../../../shaders/**/*.wgsl', { query: '?raw&commented', import: 'default', eager: true }),
  ).map(([path, text]) => [path.slice(FOLDER.length), text] as const),
]);

/** What kernels are written out for on the page, where their text depends on it. */
const EXAMPLE: Readonly<Record<string, number>> = { HEAD_QUADS: 4, ACTIVATION: 0 };

/** Text of every shader file, those that are only included among them. */
export const shaderFiles = (): ReadonlyMap<string, string> => FILES;

/** `_tiled` and what it is the other half of; `_split` is what GPUs take where rows are long. */
export function variantOf(kernel: string, kernels: readonly Served[] = KERNELS): Variant | null {
  if (kernel.endsWith('_tiled') || kernel.endsWith('_split')) return 'tiled';
  return kernels.some((one) => one.kernel === `${kernel}_tiled`) ? 'plain' : null;
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
      sweep: SWEEPS.find((sweep) => (operations as readonly string[]).includes(sweep)) ?? null,
    };
  });
}

/** Without comments, but for `// #repeat` and its like. */
const body = (text: string): string => text.replace(/\/\/(?! #).*$/gm, '');

/** The comment a file opens with, its lines joined; the sentence that begins with “Floor:” apart. */
export function headOf(text: string): { about: string; floor: string } {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('//') || line.startsWith('// #include')) break;
    lines.push(line.replace(/^\/\/ ?/, ''));
  }
  const head = lines.join(' ');
  const [, before = head, floor = '', after = ''] =
    /^(.*?)(?:, same|[;.])? ?\b[Ff]loor: (.*?(?:\.(?= [A-Z]|$)|$))(.*)$/.exec(head) ?? [];
  const about = `${before.trim()}${/[.:]$/.test(before.trim()) ? '' : '.'}${after}`;
  return { about, floor: floor.replace(/\.$/, '') };
}
