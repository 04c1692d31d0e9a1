/** SHA-256 of files, by which they are told apart. */
import { LabError } from './errors';

/** Hash in lower-case hexadecimal. Throws LabError 'unsupported' in a page that came over http from another machine. */
export async function sha256Of(file: Blob | Uint8Array<ArrayBuffer>): Promise<string> {
  // Browsers have `subtle` only in pages that came over https or from this machine.
  const { subtle } = globalThis.crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) {
    const what = 'Policies’ files are told apart by hashes, which the browser refuses to a page that came over http.';
    throw new LabError('unsupported', what, 'Open the lab over https, or from this machine.');
  }
  const bytes = file instanceof Blob ? await file.arrayBuffer() : file;
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
