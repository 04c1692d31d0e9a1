// Runs a TypeScript entry of the project in Node: `node scripts/run.mjs src/cli/main.ts [arguments]`.
// esbuild bundles the entry into .cache/run/, without npm packages, unless the bundle there is newer than every source: half of
// the time of a short command went into bundling. The bundle is imported into this process, so stdout, Ctrl-C and the exit code
// are the entry's own.
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './relaxedSimd.mjs';
import { commitOf } from './commit.mjs';
import { requirePackages } from './installed.mjs';
import { viteImports } from './viteImports.mjs';
import { buildWasm, isOlder } from './wasm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Sources of the bundles. */
const SOURCES = ['src', 'shaders', 'worlds', 'bench', 'test', 'scripts', 'package.json', 'tsconfig.json'];

const [entry] = process.argv.splice(2, 1);
if (!entry) throw new Error('Usage: node scripts/run.mjs ENTRY.ts [arguments]');
const outdir = resolve(root, '.cache/run', entry.replace(/\.tsx?$/, '').replaceAll(/[\\/]/g, '-'));
const outfile = join(outdir, 'entry.mjs');
/** True for a package that npm installed: its bundle came with it, and its files have no times of their own. */
const isInstalled = root.split(sep).includes('node_modules');
const isStale =
  !isInstalled && isOlder(outfile, [...SOURCES, entry].map((path) => resolve(root, path)).filter(existsSync));
// An image, or an installed package, has no tools, and a bundle that needs none.
requirePackages(isStale);

/**
 * Makes the entry's bundle. It is replaced atomically, because several runs may start at once; what only some commands
 * need lies beside it, named after its content, for runs that began earlier and load it later.
 */
async function bundle() {
  const began = new Date();
  const onTerminal = (text) => process.stderr.isTTY && process.stderr.write(text);
  onTerminal('Bundling the lab …');
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir,
    entryNames: 'entry',
    chunkNames: '[hash]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [viteImports],
    // Threads begin with the entry, wherever the code that starts them lies.
    define: { 'import.meta.url': 'unmaskEntry' },
    banner: { js: "const unmaskEntry = new URL('./entry.mjs', import.meta.url).href;" },
  });
  await mkdir(outdir, { recursive: true });
  // The entry last: what it imports is there before it.
  for (const { path, contents } of outputFiles.toSorted((a, b) => (a.path === outfile) - (b.path === outfile))) {
    const draft = `${path}.${process.pid}`;
    await writeFile(draft, contents);
    // A source that changed meanwhile is newer.
    if (path === outfile) await utimes(draft, began, began);
    await rename(draft, path);
  }
  const lastWeek = began.getTime() - 7 * 24 * 3600 * 1000;
  for (const name of await readdir(outdir)) {
    const path = join(outdir, name);
    if (statSync(path).mtimeMs < lastWeek) await rm(path);
  }
  onTerminal('\r\x1b[K');
}

/** Builds what is older than its sources; ends the process where the project's own folder cannot be written to. */
async function prepare() {
  if (!isStale) return;
  try {
    await buildWasm((text) => process.stderr.write(`${text}\n`));
    await bundle();
  } catch (cause) {
    if (typeof cause?.code !== 'string' || typeof cause?.syscall !== 'string') throw cause;
    process.stderr.write(`The lab writes what it is built of to its own folder, and that failed: ${cause.message}.\n`);
    process.exit(2);
  }
}

let commit = null;
/** Commit of the lab at the first time that a caller asked for it. */
function commitHere() {
  if (commit === null) commit = commitOf();
  return commit;
}

await prepare();
process.argv[1] = outfile;
process.setSourceMapsEnabled(true);
globalThis.unmaskHome = root;
// Looked up by those commands alone that write it somewhere: git takes some milliseconds.
Object.defineProperty(globalThis, 'unmaskCommit', { get: commitHere });
await import(pathToFileURL(outfile).href);
