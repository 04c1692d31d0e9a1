import { expect } from 'vitest';
import { LabError, type LabErrorCode } from '../../src/foundation/errors';

/** Code of the error that an action throws; null where it throws none. */
export function codeOf(action: () => unknown): LabErrorCode | null {
  try {
    action();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(LabError);
    return (error as LabError).code;
  }
}
