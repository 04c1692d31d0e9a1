// Compiles the CPU backend's kernels (AssemblyScript, SIMD) twice, only when a source is newer than a product: to
// src/tensor/cpu/kernels.wasm, and with fused multiply-add (relaxed SIMD) to kernels-fused.wasm beside it. Puts a meter into QuickJS
// (meter.mjs), likewise: src/environments/own/quickjs.wasm.
// `npm run build:wasm` runs it; vite.config.ts, tests and `lab` call it first.
// Code loads a product with `import kernels from './kernels.wasm?url&inline'` and `fetch(kernels)`. That is a data URL, so
// it works alike in Vite, in Vitest and in the bundles of scripts/run.mjs. QuickJS is larger: without `&inline` it is a file in Vite.
// `assembly/columns.ts` is no file: its text, bounds, columns of hyperparameters and roles, is made from their declarations.
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withMeter } from './meter.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = resolve(root, 'src/tensor/cpu/assembly');
const declarations = ['src/hyperparameters', 'src/foundation/roles.ts', 'src/tensor/bounds.ts'].map((path) =>
  resolve(root, path),
);
const options = ['-O3', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--use', 'abort='];
// The memory is given: that of one thread, or one that threads share (src/tensor/cpu/load.ts). It may grow to 4 GiB.
options.push('--importMemory', '--noExportMemory', '--maximumMemory', '65536');
/** Sources of the products. */
const PARTS = [sources, ...declarations, fileURLToPath(import.meta.url)];
/** Products, and the options that only they have. */
const PRODUCTS = [
  { product: resolve(root, 'src/tensor/cpu/kernels.wasm'), own: [] },
  { product: resolve(root, 'src/tensor/cpu/kernels-fused.wasm'), own: ['--enable', 'relaxed-simd'] },
];

/** `say`: is told what takes some seconds. */
export async function buildWasm(say = (_text) => {}) {
  meterQuickJs();
  const entry = resolve(sources, 'index.ts');
  const stale = PRODUCTS.filter(({ product }) => isOlder(product, PARTS));
  if (!existsSync(entry) || stale.length === 0) return;
  say('Compiling the processor’s kernels, which is done once and takes some seconds …');
  const { default: asc } = await import('assemblyscript/asc');
  const columns = await columnsSource();
  const readFile = (name, base) => {
    const path = resolve(base, name);
    if (path === resolve(sources, 'columns.ts')) return columns;
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
  for (const { product, own } of stale) {
    const all = [entry, '--baseDir', root, '--outFile', product, ...options, ...own];
    const { error, stderr } = await asc.main(all, { readFile });
    if (error) throw new Error(`The CPU kernels do not compile:\n${stderr.toString()}`);
  }
}

/** Several commands may do it at once, so that the product is replaced in one go. */
function meterQuickJs() {
  const source = createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm');
  const product = resolve(root, 'src/environments/own/quickjs.wasm');
  if (!isOlder(product, [source, fileURLToPath(new URL('meter.mjs', import.meta.url))])) return;
  const draft = `${product}.${process.pid}`;
  writeFileSync(draft, withMeter(readFileSync(source)));
  renameSync(draft, product);
}

/** Text of `assembly/columns.ts`: bounds, byte offsets of the hyperparameter table's columns, and numbers of roles. */
async function columnsSource() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `export { HYPER } from './hyperparameters/columns'; export { DRAWN, ROLE, ROLES } from './foundation/roles'; export { BOUND } from './tensor/bounds';`,
      resolveDir: resolve(root, 'src'),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const { BOUND, DRAWN, HYPER, ROLE, ROLES } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  );
  const fields = (type, numbers) =>
    Object.entries(numbers).map(([name, value]) => `static readonly ${name}: ${type} = ${value};`);
  const offsets = Object.fromEntries(Object.entries(HYPER).map(([name, column]) => [name, 4 * column]));
  return [
    `export class Bound { ${fields('f32', BOUND).join(' ')} }`,
    `export class Column { ${fields('usize', offsets).join(' ')} }`,
    `export class Role { ${fields('u32', ROLE).join(' ')} }`,
    `export const ROLES: u32 = ${ROLES.length};`,
    `export function isDrawn(role: u32): bool { return ${DRAWN.map((role) => `role == Role.${role}`).join(' || ')}; }`,
  ].join('\n');
}

/** True if a product is missing or older than a source, or than a folder among them that lost or got a file. */
export function isOlder(made, paths) {
  if (!existsSync(made)) return true;
  const built = statSync(made).mtimeMs;
  const below = (path) =>
    statSync(path).isDirectory()
      ? [path, ...readdirSync(path, { recursive: true }).map((name) => resolve(path, String(name)))]
      : [path];
  return paths.flatMap(below).some((path) => statSync(path).mtimeMs > built);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildWasm();
