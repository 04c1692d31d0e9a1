// The engine as a package's files, in engine/: `node scripts/engine.mjs`, before `npm pack`. One bundle for Node and one for pages
// without a bundler, each with shaders, kernels and packages inside, and their types as one file, index.d.ts.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { commitOf } from './commit.mjs';
import { viteImports } from './viteImports.mjs';
import { buildWasm } from './wasm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const TYPES = '.cache/types/src';
/** What onnxruntime loads later, from beside its code. */
const ONNX_RUNTIME = ['ort-wasm-simd-threaded.wasm', 'ort-wasm-simd-threaded.mjs'];

/** The page's Workers run a file of the package. */
const pageWorker = {
  name: 'page-worker',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pool[\\/]port\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace('./pageWorker.ts', './pageWorker.js'),
      loader: 'ts',
    }));
  },
};

const common = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2023',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'error',
  plugins: [pageWorker, viteImports],
};

/** Builds engine/ in a folder: the project's own, if none is named. */
export async function buildEngine(folder = join(root, 'engine')) {
  await buildWasm(() => {});
  await rm(folder, { recursive: true, force: true });
  const define = { 'globalThis.unmaskCommit': JSON.stringify(commitOf()) ?? 'undefined' };
  const bundled = (entries, more) =>
    build({ ...common, define, outdir: folder, chunkNames: '[name]-[hash]', ...entries, ...more });
  // The WebGPU build of onnxruntime has 17 MB, and its plain one does the same.
  const external = ['onnxruntime-web/jspi'];
  await bundled(
    { entryPoints: { page: 'src/engine/page.ts', pageWorker: 'src/train/pool/pageWorker.ts' } },
    { platform: 'browser', external },
  );
  // The GPU's driver is a binary, for whoever installs it.
  await bundled(
    { entryPoints: { node: 'src/engine/node.ts', thread: 'src/engine/thread.ts' } },
    { platform: 'node', target: 'node20', external: [...external, 'webgpu'] },
  );
  for (const file of ONNX_RUNTIME) {
    await copyFile(join(root, 'node_modules/onnxruntime-web/dist', file), join(folder, file));
  }
  await writeFile(join(folder, 'index.d.ts'), await declarations());
}

/** Types of the package, as one text that needs no other. */
export async function declarations() {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const printed = await printedTypes();
  /** Declarations in the order in which they were needed, with their files. */
  const taken = new Map();
  const take = async (name, file) => {
    const { statements, imports } = await read(file);
    if (!statements.has(name) && imports.has(name)) return take(name, imports.get(name));
    const text = printed[name] ?? withUnion(statements, name);
    if (text === undefined) throw new Error(`${file} declares no ${name}, which a type of the package needs.`);
    const known = taken.get(name);
    if (known !== undefined && known.file !== file)
      throw new Error(`Two types of the package have the name ${name}: ${known.file}, ${file}. Rename one.`);
    if (known !== undefined) return;
    taken.set(name, { file, text });
    const code = text.replace(/\/\*[\s\S]*?\*\/|'[^'\n]*'/g, '');
    for (const [word] of code.matchAll(/\b[A-Z]\w+\b/g)) {
      if (word !== name && (statements.has(word) || imports.has(word))) await take(word, file);
      // A printed one is of any file.
      else if (printed[word] !== undefined && !taken.has(word)) await take(word, file);
    }
  };
  const doors = await read('engine/index.d.ts');
  for (const name of [...doors.statements.keys(), 'LabError']) await take(name, 'engine/index.d.ts');
  return `${[...taken.values()].map(({ text }) => text).join('\n')}\n`;
}

/** A statement; a type of the words of a list is their union, because the list is no value of the package. */
const withUnion = (statements, name) =>
  statements.get(name)?.replace(/\(typeof (\w+)\)\[number\]/, (whole, list) => {
    const words = statements.get(list)?.match(/readonly \[(.*)\]/)?.[1];
    return words === undefined ? whole : words.replaceAll('"', "'").replaceAll(', ', ' | ');
  });

/** Top statements of a declaration file by name, each with its comment, and its imports: files by name. */
async function read(file) {
  const text = await readFile(join(root, TYPES, file), 'utf8');
  const imports = new Map();
  for (const [, names, path] of text.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm)) {
    for (const name of names.split(','))
      imports.set(name.replace(/\btype\b/, '').trim(), join(dirname(file), `${path}.d.ts`));
  }
  const statements = new Map();
  // What is inside a statement is indented, or closes it.
  for (const [whole] of text.matchAll(
    /^(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?(?:export|declare) .*\n(?:(?: |\}).*\n)*/gm,
  )) {
    const name = /(?:interface|type|class|function|const) (\w+)/.exec(whole.replace(/\/\*\*[\s\S]*?\*\//, ''))?.[1];
    if (name !== undefined) statements.set(name, whole.trimEnd());
  }
  return { statements, imports };
}

async function printedTypes() {
  const outfile = resolve(root, '.cache/run/engine-declarations.mjs');
  await mkdir(dirname(outfile), { recursive: true });
  await build({
    ...common,
    splitting: false,
    entryPoints: ['src/engine/declarations.ts'],
    outfile,
    platform: 'node',
    packages: 'external',
  });
  return (await import(`${outfile}?${Date.now()}`)).PRINTED;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildEngine();
