/** A member's policy as a file, from a run under way. Loaded when asked for; training does not need it. */

import { damaged } from '../../../llama/folder';
import { openPacked } from '../../../llama/packed';
import { exportOnnx } from '../../../onnx/exportOnnx';
import { memberPolicy, type PolicySource, resultsOf } from '../../policies/member';
import { mergedPolicy, modelFiles } from '../../policies/modelFiles';
import { zipOf } from '../../policies/zipped';
import type { PolicyRequest } from '../../protocol';
import type { RecentMetrics } from '../recentMetrics';

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
  const { arm, seed, cached, licence, base, merged = false } = request;
  const { update, members } = source.snapshot;
  const index = members.findIndex((member) => member.arm === arm && member.seed === seed);
  const curve = metrics.curve(index, update);
  const policy = memberPolicy(source, index, resultsOf(curve), licence);
  const hasDiverged = !Number.isFinite(curve('gradNorm').at(-1) ?? 0);
  const name = `unmask-${policy.environment.id}-${arm}-seed-${seed}-update-${update}`;
  if (base === undefined) return { name: `${name}.onnx`, bytes: exportOnnx(policy, { cached }), update, hasDiverged };
  const folder = await openPacked(base);
  if (folder === null) throw damaged('The file holds no folder of a model.');
  const files = await modelFiles(merged ? await mergedPolicy(policy, folder) : policy, folder);
  return { name: `${name}.zip`, bytes: await zipOf(name, files), update, hasDiverged };
}
