/** A member's policy as a file, from a run under way. Loaded when asked for; training does not need it. */

import { folderOfFiles } from '../../llama/folder';
import { exportOnnx } from '../../onnx/exportOnnx';
import { memberPolicy, type PolicySource, resultsOf } from '../policies/member';
import { modelFiles } from '../policies/modelFiles';
import type { PolicyRequest } from '../protocol';
import type { RecentMetrics } from './recentMetrics';

export interface MemberFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly update: number;
  /** True if its last gradient was not finite: it holds the policy from before, which trains no more. */
  readonly hasDiverged: boolean;
}

/** File of a member's policy. Throws LabError where its training diverged. */
export async function exportMember(
  source: PolicySource,
  request: PolicyRequest,
  metrics: RecentMetrics,
): Promise<MemberFile> {
  const { arm, seed, cached, licence, base } = request;
  const { update, members } = source.snapshot;
  const index = members.findIndex((member) => member.arm === arm && member.seed === seed);
  const curve = metrics.curve(index, update);
  const policy = memberPolicy(source, index, resultsOf(curve), licence);
  const hasDiverged = !Number.isFinite(curve('gradNorm').at(-1) ?? 0);
  const name = `unmask-${policy.environment.id}-${arm}-seed-${seed}-update-${update}`;
  if (base === undefined) return { name: `${name}.onnx`, bytes: exportOnnx(policy, { cached }), update, hasDiverged };
  const files = Object.fromEntries(base.map((file) => [file.name, file]));
  const folder = await modelFiles(policy, folderOfFiles(policy.base?.title ?? '', files));
  return { name: `${name}.zip`, bytes: await zipped(name, folder), update, hasDiverged };
}

/** Files in one folder, not compressed: weights do not get smaller. The same files give the same bytes. */
async function zipped(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import('fflate');
  const entries = Array.from(files, ([name, bytes]) => [`${folder}/${name}`, bytes] as const);
  return new Uint8Array(zipSync(Object.fromEntries(entries), { level: 0, mtime: FIRST_DATE }));
}

/** First date that a zip can tell, in any time zone. */
const FIRST_DATE = new Date(1980, 0, 1);
