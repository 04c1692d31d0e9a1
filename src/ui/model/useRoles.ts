/** Roles that tokens can have in the world of the experiment on the page. */
import { type Role, rolesIn } from '../../foundation/roles';
import { worldOf } from './environment';
import { useLabState } from './useLab';

export const useRoles = (): readonly Role[] =>
  rolesIn(worldOf(useLabState((state) => state.edited.environment))?.environment);
