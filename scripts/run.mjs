// Runs a TypeScript entry of the project in Node: `node scripts/run.mjs src/cli/main.ts [arguments]`.
// esbuild bundles the entry into .cache/run/, without npm packages, unless the bundle there is newer than every source: half of
// the time of a short command went into bundling. The bundle is imported into this process, so stdout, Ctrl-C and the exit code
// are the entry's own.
import { existsSync } from 'node:fs';
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './relaxedSimd.mjs';
import { commitOf } from './commit.mjs';
import { requirePackages } from './installed.mjs';
import { viteImports } from './viteImports.mjs';
import { buildWasm, isOlder } from './wasm.mjs';

requirePackages();
const root = fileURLToPath(new URL('..', import.meta.url));
/** Sources of the bundles. */
const SOURCES = ['src', 'shaders', 'worlds', 'bench', 'test', 'scripts', 'package.json', 'tsconfig.json'];

/** The path of an entry's bundle. It is replaced atomically, because several runs may start at once. */
async function bundle(entry) {
  const outfile = resolve(root, '.cache/run', `${entry.replace(/\.tsx?$/, '').replaceAll(/[\\/]/g, '-')}.mjs`);
  const began = new Date();
  const sources = SOURCES.map((path) => resolve(root, path)).filter(existsSync);
  if (!isOlder(outfile, sources)) return outfile;
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [viteImports],
  });
  await mkdir(dirname(outfile), { recursive: true });
  const draft = `${outfile}.${process.pid}`;
  await writeFile(draft, outputFiles[0].contents);
  // A source that changed meanwhile is newer.
  await utimes(draft, began, began);
  await rename(draft, outfile);
  return outfile;
}

/** The bundle's path; ends the process where the project's own folder cannot be written to. */
async function prepare(entry) {
  try {
    await buildWasm();
    return await bundle(entry);
  } catch (cause) {
    if (typeof cause?.code !== 'string' || typeof cause?.syscall !== 'string') throw cause;
    process.stderr.write(`The lab writes what it is built of to its own folder, and that failed: ${cause.message}.\n`);
    return process.exit(2);
  }
}

let commit = null;
/** Commit of the lab at the first time that a caller asked for it. */
function commitHere() {
  if (commit === null) commit = commitOf();
  return commit;
}

const [entry] = process.argv.splice(2, 1);
if (!entry) throw new Error('Usage: node scripts/run.mjs ENTRY.ts [arguments]');
const outfile = await prepare(entry);
process.argv[1] = outfile;
process.setSourceMapsEnabled(true);
// Looked up by those commands alone that write it somewhere: git takes some milliseconds.
Object.defineProperty(globalThis, 'unmaskCommit', { get: commitHere });
await import(pathToFileURL(outfile).href);
