import { totalmem } from 'node:os';

/** Bytes of memory that this process may have: the machine's, or those of its container. */
export const machineBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
