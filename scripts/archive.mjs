// `npm run archive [-- COMMIT]`: the archive of a release, as a DOI service such as Zenodo takes it, unmask-VERSION.tar.gz in
// this folder. It has every tracked file of the commit (HEAD, if none is named), below unmask-VERSION/, and SHA256SUMS with the
// digest of each. The same commit gives the same bytes with the same git. `npm run archive -- --check FILE` unpacks an archive
// and holds every file to its digest, whoever made it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const SUMS = 'SHA256SUMS';
/** Files that a reader who has only the archive looks for. */
const NEEDED = ['README.md', 'LICENSE', 'THIRD_PARTY.txt', 'CITATION.cff', '.zenodo.json', 'package.json'];

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Something that keeps a release from being archived, or an archive from being trusted. */
export class ArchiveError extends Error {}

/** Writes the archive of a commit of `folder` into it. Returns its path, the number of files and its own digest. */
export function makeArchive(folder, commit = 'HEAD') {
  const git = (args) =>
    execFileSync('git', args, { cwd: folder, maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'pipe'] });
  let names;
  try {
    const tree = git(['ls-tree', '-r', '--name-only', '-z', `${commit}^{commit}`]);
    names = tree.toString().split('\0').filter(Boolean);
  } catch {
    throw new ArchiveError(`${commit} is no commit of this repository. Name a tag, such as v0.2.0.`);
  }
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new ArchiveError(`${commit} has no ${missing.join(', ')}: commit that first.`);
  if (names.includes(SUMS)) throw new ArchiveError(`${commit} has a file ${SUMS} of its own: rename it first.`);
  const { version } = JSON.parse(git(['show', `${commit}:package.json`]).toString());
  const prefix = `unmask-${version}/`;
  const path = resolve(folder, `unmask-${version}.tar.gz`);
  const scratch = mkdtempSync(join(tmpdir(), 'unmask-archive-'));
  try {
    // git writes the commit into commit.txt on the way, so digests are of what it wrote.
    const input = git(['archive', `--prefix=${prefix}`, commit]);
    execFileSync('tar', ['-xf', '-', '-C', scratch], { input });
    const sums = names.map((name) => `${digest(readFileSync(join(scratch, prefix, name)))}  ${name}\n`).join('');
    writeFileSync(join(scratch, SUMS), sums);
    const added = [`--prefix=${prefix}`, `--add-file=${join(scratch, SUMS)}`];
    git(['archive', '--format=tar.gz', `--output=${path}`, ...added, commit]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return { path, files: names.length, digest: digest(readFileSync(path)) };
}

/** Unpacks an archive and compares every file with its digest. Returns their number; throws what is wrong. */
export function checkArchive(path) {
  if (!existsSync(path)) throw new ArchiveError(`There is no file ${path}.`);
  const scratch = mkdtempSync(join(tmpdir(), 'unmask-archive-'));
  try {
    try {
      execFileSync('tar', ['-xzf', resolve(path), '-C', scratch], { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch {
      throw new ArchiveError(`${path} cannot be unpacked: it is damaged, or no archive. Get it again.`);
    }
    const [top = '', ...others] = readdirSync(scratch);
    const root = join(scratch, top);
    if (others.length > 0 || !existsSync(join(root, SUMS))) {
      throw new ArchiveError(`${path} has no ${SUMS} in one folder, so \`npm run archive\` did not make it.`);
    }
    const sums = new Map(
      readFileSync(join(root, SUMS), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => [line.slice(66), line.slice(0, 64)]),
    );
    const found = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1));
    const wrong = [
      ...[...sums.keys()].filter((name) => !found.includes(name)).map((name) => `${name} is missing`),
      ...found.filter((name) => name !== SUMS && !sums.has(name)).map((name) => `${name} has no digest`),
      ...[...sums]
        .filter(([name, sum]) => found.includes(name) && digest(readFileSync(join(root, name))) !== sum)
        .map(([name]) => `${name} differs from its digest`),
      ...NEEDED.filter((name) => !sums.has(name)).map((name) => `${name} is not in it`),
    ];
    if (wrong.length > 0)
      throw new ArchiveError(`${path} is not whole: ${wrong.slice(0, 5).join('; ')}. Get it again.`);
    return sums.size;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function main([first, file]) {
  if (first === '--check') {
    console.log(`${checkArchive(file ?? '')} files, all as their digests say.`);
    return;
  }
  const { path, files, digest: sum } = makeArchive(process.cwd(), first);
  checkArchive(path);
  console.log(`${path}: ${files} files, unpacked and checked.\nSHA-256 ${sum}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main(process.argv.slice(2));
  } catch (cause) {
    if (!(cause instanceof ArchiveError)) throw cause;
    console.error(cause.message);
    process.exitCode = 1;
  }
}
