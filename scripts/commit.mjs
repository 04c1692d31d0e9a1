// Commit of this copy of the lab. A clone asks git; a source archive and a packed package have it in commit.txt, where `git
// archive` writes it (.gitattributes) and `node scripts/commit.mjs --pack` before `npm pack`; `--unpack` takes it out again.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'commit.txt';
/** Contents of the file in a clone. */
const UNWRITTEN = '$Format:%h$\n';
/** Files that decide what is computed and shown; a note beside them is no change of the lab. */
const BUILT = ['src', 'shaders', 'worlds', 'public', 'scripts', 'index.html', 'package.json', 'package-lock.json'];
const COMMIT = /^[0-9a-f]{7,40}(\+changed)?$/;

/** Commit of the lab in a folder, 12 digits of it, “+changed” behind it where files differ; undefined where it is not known. */
export function commitOf(root = here) {
  // A folder of its own: a package unpacked into another project is not of that project's commit.
  const found = existsSync(resolve(root, '.git')) ? fromGit(root) : written(root);
  return found !== undefined && COMMIT.test(found) ? found : undefined;
}

function fromGit(root) {
  const git = (...words) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    return git('status', '--porcelain', '--', ...BUILT) === '' ? commit : `${commit}+changed`;
  } catch {
    // No git on this machine, or no commit yet.
    return undefined;
  }
}

function written(root) {
  const path = resolve(root, FILE);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packs = process.argv.includes('--pack');
  writeFileSync(resolve(here, FILE), packs ? `${commitOf() ?? 'unknown'}\n` : UNWRITTEN);
}
