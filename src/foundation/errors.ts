/**
 * The lab's own errors. Each says what happened, in words for the person at the screen, and ends in advice. Programs
 * branch on `code`; nothing parses the message.
 */
export type LabErrorCode =
  | 'no-webgpu'
  | 'no-adapter'
  | 'device-lost'
  | 'out-of-memory'
  | 'shader-compilation'
  | 'limits'
  | 'invalid-experiment'
  | 'invalid-link'
  | 'invalid-fixture'
  | 'invalid-formula'
  | 'invalid-batch'
  | 'invalid-policy'
  | 'invalid-world'
  | 'missing-policy'
  | 'unsupported'
  | 'non-finite'
  | 'storage'
  | 'not-loaded'
  | 'internal';

export class LabError extends Error {
  readonly code: LabErrorCode;
  /** Event in words, without the advice. */
  readonly what: string;
  /** Advice: a full sentence on what the person can do. */
  readonly advice: string;

  constructor(code: LabErrorCode, what: string, advice: string, options?: ErrorOptions) {
    super(`${what} ${advice}`, options);
    this.name = 'LabError';
    this.code = code;
    this.what = what;
    this.advice = advice;
  }
}

/** Message of a LabError without the advice at its end. */
export function withoutAdvice(message: string, advice: string): string {
  return message.endsWith(advice) ? message.slice(0, message.length - advice.length).trim() : message;
}

export function isOutOfMemory(cause: unknown): cause is LabError {
  return cause instanceof LabError && cause.code === 'out-of-memory';
}

/** Control characters, lone surrogates and direction overrides: nothing a title needs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** Messages with which browsers say that a module or its style did not arrive. */
const NOT_LOADED = /dynamically imported module|importing a module script|preload CSS/i;

function notLoaded(cause: Error): LabError {
  const what = 'A part of the lab’s own code could not be loaded.';
  const advice =
    'Check the connection and try again. If a newer version has taken this one’s place, reload the page once nothing trains.';
  return new LabError('not-loaded', what, advice, { cause });
}

/**
 * Foreign text, fit for a message: one line of so many characters at most, without characters that move a cursor, hide
 * letters or turn their order round.
 */
export function excerpt(text: string, most = 60): string {
  const line = text
    .slice(0, 2 * most)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd'));
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('');
}

/** Message of another program's error, as a part of a sentence. */
export function reasonOf(cause: unknown): string {
  return excerpt(cause instanceof Error ? cause.message : String(cause), 300).replace(/\.$/, '');
}

/** LabError around anything that was thrown; a LabError itself stays unchanged. */
export function asLabError(cause: unknown): LabError {
  if (cause instanceof LabError) return cause;
  if (cause instanceof Error && NOT_LOADED.test(cause.message)) return notLoaded(cause);
  const what = `${reasonOf(cause) || 'Something failed without a word'}.`;
  return new LabError('internal', what, 'Reload the page; if it happens again, please report it with the link.', {
    cause,
  });
}
