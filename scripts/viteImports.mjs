// esbuild plugin for the Vite imports that the engine uses: `x.wgsl?raw` (text), `x.wasm?url&inline` and `x.wasm?url` (data URLs) and
// `import.meta.glob('folder/**/*.wgsl', { query: '?raw', import: 'default', eager: true })` (texts by path; without `eager`
// functions that load them, without `**/` only the folder's own).
import { readdir, readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';

const GLOB = /import\.meta\.glob(?:<[^>]*>)?\(\s*'([^'*]+)\/(\*\*\/)?\*(\.\w+)', \{([^}]*)\}\s*,?\s*\)/g;

/** @type {import('esbuild').Plugin} */
export const viteImports = {
  name: 'vite-imports',
  setup({ onResolve, onLoad }) {
    for (const [suffix, loader] of /** @type {[RegExp, import('esbuild').Loader][]} */ ([
      [/\?raw(&\w+)?$/, 'text'],
      [/\?url(&inline)?$/, 'dataurl'],
    ])) {
      onResolve({ filter: suffix }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path.replace(suffix, '')),
        namespace: loader,
      }));
      onLoad({ filter: /.*/, namespace: loader }, async ({ path }) => ({ contents: await readFile(path), loader }));
    }
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.glob')) return null;
      return { contents: await withGlobs(text, dirname(path)), loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/** Text of a module in which each glob is an object of imports: eager ones are placed before the module's own. */
async function withGlobs(text, folder) {
  const imports = [];
  let written = text;
  for (const [call, below, deep, ending, options] of text.matchAll(GLOB)) {
    const query = /query: '([^']*)'/.exec(options)?.[1] ?? '';
    const entries = await readdir(resolve(folder, below), { recursive: deep !== undefined, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => relative(folder, resolve(entry.parentPath, entry.name)).split(sep).join('/'))
      .sort();
    const isEager = options.includes('eager: true');
    const members = paths.map((path) => {
      if (!isEager)
        return `${JSON.stringify(path)}: () => import(${JSON.stringify(path + query)}).then((one) => one.default)`;
      imports.push(`import glob${imports.length} from ${JSON.stringify(path + query)};`);
      return `${JSON.stringify(path)}: glob${imports.length - 1}`;
    });
    written = written.replace(call, () => `{ ${members.join(', ')} }`);
  }
  return `${imports.join(' ')} ${written}`;
}
