/**
 * Provenance of numbers: the version and the commit of the code that computed them, and its numerics number. Runs keep them with
 * the machines that they ran on (machines.ts).
 */
import * as v from 'valibot';
import { version } from '../../package.json';
import type { BackendKind } from './machines';

/**
 * Numerics number of each backend: the same number, the same bits of the same run. A change to a bit of what a backend
 * computes raises its number; any other change leaves it. test/numerics says when; `npm run numerics` records.
 */
export const NUMERICS: Readonly<Record<BackendKind, number>> = {
  webgpu: 1,
  cpu: 1,
  'cpu-fused': 1,
  reference: 1,
};

declare global {
  /** Commit of the code, set by scripts/run.mjs or vite.config.ts; absent where nobody knows it. */
  var unmaskCommit: string | undefined;
}

/** Commit of this code, “+changed” behind it where files differ from it; undefined where it is not known. */
const commitHere = (): string | undefined => globalThis.unmaskCommit;

export const VersionSchema = v.pipe(v.string(), v.regex(/^\d+\.\d+\.\d+[\w.+-]{0,30}$/));
export const CommitSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{7,40}(\+changed)?$/));
export const NumericsSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000));

export const CodeSchema = v.strictObject({
  version: VersionSchema,
  commit: v.exactOptional(CommitSchema),
  numerics: NumericsSchema,
});

/** Code that computed something. */
export type Code = v.InferOutput<typeof CodeSchema>;

/** Updates that one code computed on one backend; without `code` where that was not kept, as before version 0.2.0. */
export interface Computed {
  readonly backend: BackendKind;
  readonly code?: Code | undefined;
}

/** This code, as it computes on a backend. */
export function codeHere(backend: BackendKind): Code {
  const commit = commitHere();
  return { version, ...(commit === undefined ? {} : { commit }), numerics: NUMERICS[backend] };
}

/** “version 0.2.0, commit 0123456789ab, numerics 1” */
export function codeInWords({ version, commit, numerics }: Code): string {
  return [`version ${version}`, ...(commit === undefined ? [] : [`commit ${commit}`]), `numerics ${numerics}`].join(
    ', ',
  );
}

/** This version, and the numerics numbers of its backends: “0.2.0, commit 0123456789ab, numerics webgpu 1, cpu 1 …”. */
export function versionInWords(): string {
  const commit = commitHere();
  const numbers = Object.entries(NUMERICS).map(([backend, number]) => `${backend} ${number}`);
  return [version, ...(commit === undefined ? [] : [`commit ${commit}`]), `numerics ${numbers.join(', ')}`].join(', ');
}

/** Standing of numbers computed elsewhere beside this code: the same bits, other bits, or nobody knows. */
export type NumericsStanding = 'same' | 'other' | 'unknown';

/** Unknown too where nothing is told of. */
export function standingHere(computed: Computed | undefined): NumericsStanding {
  if (computed?.code === undefined) return 'unknown';
  return computed.code.numerics === NUMERICS[computed.backend] ? 'same' : 'other';
}

/** Note in two sentences for numbers computed with other numerics than those here. */
export function otherNumericsWords({ backend, code }: Computed): string {
  const theirs = code === undefined ? 'code that kept no number' : codeInWords(code);
  return `It was computed on ${backend} by ${theirs}. Here ${backend} has numerics ${NUMERICS[backend]}, which rounds or draws otherwise.`;
}
