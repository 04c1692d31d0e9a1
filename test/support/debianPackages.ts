/**
 * Debian's packages, unpacked into a folder: nothing is installed, and no rights are needed. The lists of packages are fetched
 * into that folder too.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds for one command that needs the network. */
const PATIENCE = 90_000;

/** Unpacks packages, and what they depend on that is not installed, into `folder`/root; gives in words why it cannot. */
export function fetchPackages(folder: string, packages: readonly string[]): string | null {
  if (spawnSync('dpkg', ['--version']).status !== 0) return 'this machine does not use Debian’s packages';
  const archives = join(folder, 'archives');
  for (const path of [join(folder, 'state/lists/partial'), join(folder, 'cache/archives/partial'), archives]) {
    mkdirSync(path, { recursive: true });
  }
  const places = [
    `Dir::State=${join(folder, 'state')}`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${join(folder, 'cache')}`,
    'Acquire::http::Timeout=20',
    'Acquire::Retries=0',
    'Debug::NoLocking=1',
  ].flatMap((option) => ['-o', option]);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', [...places, ...args], { cwd: archives, encoding: 'utf8', timeout: PATIENCE });
  apt('update', '-qq');
  const plan = apt('install', '-s', '-y', '--no-install-recommends', ...packages);
  if (plan.status !== 0) return `its package lists have no ${packages.join(', ')}`;
  // The packages themselves too where they are installed already.
  const others = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name as string);
  if (apt('download', '-qq', ...new Set([...packages, ...others])).status !== 0)
    return 'the packages cannot be downloaded';
  for (const file of readdirSync(archives)) {
    if (spawnSync('dpkg-deb', ['-x', join(archives, file), join(folder, 'root')]).status !== 0)
      return `${file} cannot be unpacked`;
  }
  return null;
}

/** Folder of the libraries below a root. */
export function librariesIn(root: string): string {
  const lib = join(root, 'usr/lib');
  return join(lib, readdirSync(lib).find((name) => /linux-gnu/.test(name)) ?? '');
}
