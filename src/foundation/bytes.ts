/** Sizes in memory and in files. */

export const MIB = 2 ** 20;

/** Whole MiB, rounded up: no size is told smaller than it is. */
export const mebibytes = (bytes: number): string => `${Math.ceil(bytes / MIB).toLocaleString('en')} MiB`;
