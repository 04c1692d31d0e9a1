/** Address of a token of a batch: `#batch/2/20`, token 20 of trajectory 2. */
import type { TokenPosition } from '../../../batch/page/pieces';
import { placeLink } from '../place';

export const tokenLink = (trajectory: number, token: number): string => placeLink('batch', `${trajectory}/${token}`);

/** The token that an address names; null if it names none. */
export function placeNamed(name: string): TokenPosition | null {
  const [, trajectory, token] = /^(\d{1,9})\/(\d{1,9})$/.exec(name) ?? [];
  return trajectory === undefined ? null : { trajectory: Number(trajectory), token: Number(token) };
}
