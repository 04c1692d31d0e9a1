import type fc from 'fast-check';

/** Reads an input, and returns or throws a LabError. Any other error is a finding, and so is what it says itself. */
export interface Subject {
  readonly name: string;
  readonly inputs: fc.Arbitrary<unknown>;
  readonly read: (input: never) => unknown;
}

export const subject = <T>(name: string, inputs: fc.Arbitrary<T>, read: (input: T) => unknown): Subject => ({
  name,
  inputs,
  read,
});
