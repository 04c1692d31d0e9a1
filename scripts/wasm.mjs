// Compiles the CPU backend's kernels (AssemblyScript, SIMD) to src/tensor/cpu/kernels.wasm, only when a source is newer
// than the product. `npm run build:wasm` runs it; start, build, test and lab call it first.
// Code loads the product with `import kernels from './kernels.wasm?url&inline'` and `fetch(kernels)`, which is a data URL
// and therefore the same in Vite, in Vitest and in the bundles of scripts/run.mjs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = resolve(root, 'src/tensor/cpu/assembly');
const product = resolve(root, 'src/tensor/cpu/kernels.wasm');
const options = ['-O3', '--noAssert', '--enable', 'simd', '--runtime', 'stub', '--use', 'abort='];

export async function buildWasm() {
  const entry = resolve(sources, 'index.ts');
  if (!existsSync(entry) || !isStale()) return;
  const { default: asc } = await import('assemblyscript/asc');
  const { error, stderr } = await asc.main([entry, '--baseDir', root, '--outFile', product, ...options]);
  if (error) throw new Error(`The CPU kernels do not compile:\n${stderr.toString()}`);
}

function isStale() {
  if (!existsSync(product)) return true;
  const built = statSync(product).mtimeMs;
  const inputs = readdirSync(sources, { recursive: true }).map((name) => resolve(sources, String(name)));
  return [...inputs, fileURLToPath(import.meta.url)].some((path) => statSync(path).mtimeMs > built);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildWasm();
