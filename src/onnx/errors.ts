/** Errors of files that should be policies: broken, sound but of another kind, or too large. */
import { excerpt, LabError } from '../foundation/errors';

/** Error of a file that breaks a rule of its own format. */
export function damaged(what: string, cause?: unknown): LabError {
  const advice = 'Choose a whole ONNX file; if it was downloaded, download it again.';
  return new LabError('invalid-policy', what, advice, { cause });
}

/** Error of a sound ONNX file that is no policy of this lab. */
export function foreign(what: string, cause?: unknown): LabError {
  const advice = 'Choose a policy as this lab exports it, not converted by another program.';
  return new LabError('unsupported', what, advice, { cause });
}

export function tooLarge(what: string): LabError {
  return new LabError('limits', what, 'Choose a smaller file: policies of this lab have a few megabytes.');
}

/** Name from a file, made safe for a message: printable, and at most 100 characters. */
export function clipped(name: string): string {
  return excerpt(name, 100);
}
