/** Objects of JSON that somebody else wrote: their fields may be anything. */

export type Json = Readonly<Record<string, unknown>>;

/** True for an object; a list and null are none. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
