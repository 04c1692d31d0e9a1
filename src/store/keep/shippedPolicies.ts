/** Files that come with the lab are on the page's own server, which is asked only when one is wanted. */
import type { ShippedPolicy } from '../../experiment/shippedPolicies';
import { LabError } from '../../foundation/errors';

/** File of a shipped policy. Throws LabError 'invalid-policy' if the server does not have it. */
export const fetchPolicy = ({ file }: ShippedPolicy): Promise<File> => fetchShipped(`policies/${file}`);

/** File by its path below the page. Throws LabError 'invalid-policy' if the server does not have it. */
export async function fetchShipped(path: string): Promise<File> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const response = await fetch(new URL(path, document.baseURI));
  if (response.ok) return new File([await response.blob()], name);
  const what = `The lab’s own ${name} is not where it was served from (${response.status}).`;
  throw new LabError('invalid-policy', what, 'Reload the page.');
}
