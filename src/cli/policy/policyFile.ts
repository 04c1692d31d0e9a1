/** Policies in files, named on the command line. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { openWorlds } from '../../environments/own/here';
import { namesWorld } from '../../experiment/ownWorld';
import { currentHash } from '../../experiment/shippedPolicies';
import { LabError } from '../../foundation/errors';
import { type ImportedPolicy, importOnnx } from '../../onnx/importOnnx';
import { POLICY_LIMITS } from '../../onnx/limits';
import type { OutputKind } from '../guardOutput';

export interface PolicyFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Hash that experiments name it by: `currentHash` of the file's own. */
  readonly sha256: string;
  readonly policy: ImportedPolicy;
}

/** Policy in a file. Throws LabError that names the file. */
export async function readPolicyFile(path: string | undefined): Promise<PolicyFile> {
  if (path === undefined) {
    throw new LabError('invalid-policy', 'No policy was named.', 'Name a file that lab export wrote.');
  }
  const bytes = await readBytes(path);
  try {
    const sha256 = currentHash(createHash('sha256').update(bytes).digest('hex'));
    const policy = importOnnx(bytes);
    if (namesWorld(policy.experiment)) await openWorlds();
    return { path, bytes, sha256, policy };
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    throw new LabError(cause.code, `${path}: ${cause.what}`, cause.advice, { cause });
  }
}

/** Files of `lab export`, told by reading them. */
export const POLICY_FILE: OutputKind = {
  name: 'a policy that lab export wrote',
  async isOne(path) {
    try {
      await readPolicyFile(path);
      return true;
    } catch (cause) {
      if (cause instanceof LabError) return false;
      throw cause;
    }
  },
};

/** Bytes of a file; one that is too large is refused unread. */
async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (what: string, cause?: unknown): LabError =>
    new LabError('invalid-policy', what, 'Name a file that lab export wrote.', { cause });
  try {
    const entry = await stat(path);
    if (entry.isDirectory()) throw refuse(`${path} is a folder.`);
    if (entry.size > POLICY_LIMITS.bytes) {
      const what = `${path} has ${entry.size} bytes, more than ${POLICY_LIMITS.bytes}.`;
      throw new LabError('limits', what, 'Name a file that lab export wrote.');
    }
    return await readFile(path);
  } catch (cause) {
    throw cause instanceof LabError ? cause : refuse(`${path} cannot be read.`, cause);
  }
}
