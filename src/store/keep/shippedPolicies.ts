/** Shipped policies: their files are on the page's own server, which is asked only when one is wanted. */
import type { ShippedPolicy } from '../../experiment/shippedPolicies';
import { LabError } from '../../foundation/errors';

/** File of a shipped policy. Throws LabError 'invalid-policy' if the server does not have it. */
export async function fetchPolicy({ file }: ShippedPolicy): Promise<File> {
  const response = await fetch(new URL(`policies/${file}`, document.baseURI));
  if (response.ok) return new File([await response.blob()], file);
  const what = `The lab’s own ${file} is not where it was served from (${response.status}).`;
  throw new LabError('invalid-policy', what, 'Reload the page.');
}
