/**
 * Slurm out of Debian's packages, unpacked into a folder: nothing is installed, and no rights are needed. The lists of
 * packages are fetched into that folder too.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = ['slurmctld', 'slurmd', 'slurm-client', 'slurm-wlm-basic-plugins', 'munge', 'libmunge2'];
/** Milliseconds for one command that needs the network. */
const PATIENCE = 90_000;

export interface Slurm {
  /** Folder that takes the place of `/`. */
  readonly root: string;
  /** Folder of plugins. */
  readonly plugins: string;
  /** Value of LD_LIBRARY_PATH. */
  readonly libraries: string;
}

/** Slurm in `folder`, or in words why it cannot be had. */
export function unpackSlurm(folder: string): Slurm | string {
  const root = join(folder, 'root');
  if (!existsSync(join(root, 'usr/sbin/slurmd-wlm'))) {
    const failure = fetchPackages(folder, root);
    if (failure !== null) return failure;
  }
  const libraries = join(
    root,
    'usr/lib',
    readdirSync(join(root, 'usr/lib')).find((name) => /linux-gnu/.test(name)) ?? '',
  );
  const plugins = join(libraries, 'slurm-wlm');
  const slurm = { root, plugins, libraries: `${libraries}:${plugins}` };
  const env = { ...process.env, LD_LIBRARY_PATH: slurm.libraries };
  const { status, stderr } = spawnSync(join(root, 'usr/sbin/slurmd-wlm'), ['-V'], { env, encoding: 'utf8' });
  return status === 0 ? slurm : `Debian’s Slurm does not run here: ${(stderr ?? '').trim()}`;
}

function fetchPackages(folder: string, root: string): string | null {
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
  const plan = apt('install', '-s', '-y', '--no-install-recommends', ...PACKAGES);
  if (plan.status !== 0) return `its package lists have no ${PACKAGES.join(', ')}`;
  // The packages themselves too where they are installed already.
  const others = [...plan.stdout.matchAll(/^Inst (\S+)/gm)].map(([, name]) => name as string);
  if (apt('download', '-qq', ...new Set([...PACKAGES, ...others])).status !== 0)
    return 'the packages cannot be downloaded';
  for (const file of readdirSync(archives)) {
    if (spawnSync('dpkg-deb', ['-x', join(archives, file), root]).status !== 0) return `${file} cannot be unpacked`;
  }
  return null;
}
