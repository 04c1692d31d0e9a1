/** What can be wrong with a file that should be a policy: it is broken, or it is sound and not one of ours. */
import { LabError } from '../foundation/errors';

/** The file breaks a rule of its own format. */
export function damaged(what: string, cause?: unknown): LabError {
  const advice = 'Choose a whole ONNX file; if it was downloaded, download it again.';
  return new LabError('invalid-policy', what, advice, { cause });
}

/** A sound ONNX file, as far as one can see, that holds something else than a policy of this lab. */
export function foreign(what: string, cause?: unknown): LabError {
  const advice = 'Choose a policy as this lab exports it, not converted by another program.';
  return new LabError('unsupported', what, advice, { cause });
}

export function tooLarge(what: string): LabError {
  return new LabError('limits', what, 'Choose a smaller file: policies of this lab have a few megabytes.');
}

/** A name out of a file, fit for a message. */
export function clipped(name: string): string {
  const printable = name.slice(0, 200).replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd');
  return printable.length > 100 ? `${printable.slice(0, 99)}…` : printable;
}
