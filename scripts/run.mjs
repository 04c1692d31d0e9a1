// Runs a TypeScript entry of the project in Node: `node scripts/run.mjs src/lab/main.ts [arguments]`.
// esbuild bundles the entry into .cache/run/ (a few tens of milliseconds), without npm packages. The bundle is imported into
// this process, so stdout, Ctrl-C and the exit code are the entry's own.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { requirePackages } from './installed.mjs';
import { viteImports } from './viteImports.mjs';
import { buildWasm } from './wasm.mjs';

requirePackages();
const { build } = await import('esbuild');
const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles one entry and returns the bundle's path. It is replaced atomically, because several runs may start at once. */
async function bundle(entry) {
  const outfile = resolve(root, '.cache/run', `${entry.replace(/\.tsx?$/, '').replaceAll(/[\\/]/g, '-')}.mjs`);
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

const [entry] = process.argv.splice(2, 1);
if (!entry) throw new Error('Usage: node scripts/run.mjs ENTRY.ts [arguments]');
const outfile = await prepare(entry);
process.argv[1] = outfile;
process.setSourceMapsEnabled(true);
await import(pathToFileURL(outfile).href);
