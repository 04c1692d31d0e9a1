/** Slurm out of Debian's packages. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fetchPackages, librariesIn } from '../support/debianPackages';

const PACKAGES = ['slurmctld', 'slurmd', 'slurm-client', 'slurm-wlm-basic-plugins', 'munge', 'libmunge2'];

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
    const failure = fetchPackages(folder, PACKAGES);
    if (failure !== null) return failure;
  }
  const libraries = librariesIn(root);
  const plugins = join(libraries, 'slurm-wlm');
  const slurm = { root, plugins, libraries: `${libraries}:${plugins}` };
  const env = { ...process.env, LD_LIBRARY_PATH: slurm.libraries };
  const { status, stderr } = spawnSync(join(root, 'usr/sbin/slurmd-wlm'), ['-V'], { env, encoding: 'utf8' });
  return status === 0 ? slurm : `Debian’s Slurm does not run here: ${(stderr ?? '').trim()}`;
}
