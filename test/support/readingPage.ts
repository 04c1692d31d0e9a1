/** A text read by a model's files in a page of the tests' Chromium. */
import { readText, type TextReadout } from '../../src/train/reading/readText';

export interface NamedBytes {
  readonly name: string;
  readonly base64: string;
}

export async function read(
  files: readonly NamedBytes[],
  text: string,
  backend: 'webgpu' | 'cpu',
): Promise<TextReadout> {
  const named = files.map(
    ({ name, base64 }) => new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name),
  );
  return readText({ files: named, text }, backend, navigator.gpu);
}
