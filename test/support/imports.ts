// The import graph of src/, read from the source text: enough for TypeScript as this project writes it (single quotes,
// no re-export tricks), and much faster than a compiler.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Text of a file of the project. Throws where there is none: a check of nothing would always pass. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Import {
  /** Both relative to src/, without extension: 'rl/update', 'tensor/backend'. */
  from: string;
  to: string;
  /** `worker`: started by `new URL('…', import.meta.url)`, so its code is not in the importer's bundle. */
  kind: 'value' | 'type' | 'worker';
}

const statement = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const dynamic = /\bimport\('([^']+)'\)/g;
const glob = /\bimport\.meta\.glob(?:<[^>]*>)?\(\s*'([^']+)'/g;
const worker = /new URL\('(\.[^']+)',\s*import\.meta\.url\)/g;

/** Paths of files below a folder with one of the endings, relative to the project's root, with forward slashes. */
export function filesBelow(folder: string, endings: RegExp): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Every relative import inside src/, globs of shaders included, AssemblyScript left out. */
export function readImports(): Import[] {
  return filesBelow('src', /\.tsx?$/)
    .filter((path) => !path.startsWith('src/tensor/cpu/assembly/'))
    .flatMap((path) => importsOf(path, read(path)));
}

export function importsOf(path: string, source: string): Import[] {
  const found: [string, Import['kind']][] = [
    ...[...source.matchAll(statement)].map(([, type, to]): [string, Import['kind']] => [
      to ?? '',
      type ? 'type' : 'value',
    ]),
    ...[...source.matchAll(dynamic)].map(([, to]): [string, Import['kind']] => [to ?? '', 'value']),
    ...[...source.matchAll(glob)].map(([, to]): [string, Import['kind']] => [to ?? '', 'value']),
    ...[...source.matchAll(worker)].map(([, to]): [string, Import['kind']] => [to ?? '', 'worker']),
  ];
  return found
    .filter(([to]) => to.startsWith('.') && !to.endsWith('.css'))
    .map(([to, kind]) => ({ from: moduleName(path), to: moduleName(posix.join(dirname(path), to)), kind }));
}

const moduleName = (path: string) =>
  path
    .replace(/\?.*$/, '')
    .replace(/\.tsx?$/, '')
    .replace(/^src\//, '');
