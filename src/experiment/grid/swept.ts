/** Names of a sweep's arms, apart from all else of sweeps: the page colours arms before anything is swept. */
import type { Arm } from '../experiment';

export const SWEPT = 'sweep-';

/** True for an arm made by `sweepOf`, with any settings since. */
export const isSwept = ({ id }: Pick<Arm, 'id'>): boolean => id.startsWith(SWEPT);
