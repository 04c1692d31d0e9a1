/** The policies that come with the lab: the page's own server has them, and is asked only when one is wanted. */
import { LabError } from '../foundation/errors';

export interface ShippedPolicy {
  readonly file: string;
  readonly environment: string;
  /** `warm-start`: it has only imitated a script. */
  readonly kind: 'warm-start' | 'trained';
  readonly sha256: string;
}

let index: Promise<readonly ShippedPolicy[]> | null = null;

/** All of them. Throws where the server cannot be asked; the next call asks again. */
function allShipped(): Promise<readonly ShippedPolicy[]> {
  index ??= fetchShipped('index.json')
    .then((response) => response.json())
    .catch((cause: unknown) => {
      index = null;
      throw cause;
    });
  return index;
}

/** Those of one world. Throws where the server cannot be asked. */
export async function shippedPolicies(environment: string): Promise<ShippedPolicy[]> {
  return (await allShipped()).filter((one) => one.environment === environment);
}

/** null where none of them has this hash. Throws where the server cannot be asked. */
export async function findShipped(sha256: string): Promise<ShippedPolicy | null> {
  return (await allShipped()).find((one) => one.sha256 === sha256) ?? null;
}

export async function fetchPolicy({ file }: ShippedPolicy): Promise<File> {
  return new File([await (await fetchShipped(file)).blob()], file);
}

async function fetchShipped(file: string): Promise<Response> {
  const response = await fetch(new URL(`policies/${file}`, document.baseURI));
  if (response.ok) return response;
  const what = `The lab’s own ${file} is not where it was served from (${response.status}).`;
  throw new LabError('invalid-policy', what, 'Reload the page.');
}
