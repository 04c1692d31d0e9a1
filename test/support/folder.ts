/** Folders for the files of tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, onTestFinished, vi } from 'vitest';

/** Path of a new folder, or of a name in it. */
export type FolderAt = (...names: readonly string[]) => string;

const made = (): string => mkdtempSync(join(tmpdir(), 'unmask-test-'));
const gone = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A folder for all tests of a file, or of a `describe`, which is made when it is first named and removed at the end. */
export function sharedFolder(): FolderAt {
  let folder = '';
  afterAll(() => {
    if (folder !== '') gone(folder);
  });
  return (...names) => {
    folder ||= made();
    return join(folder, ...names);
  };
}

/** A folder for the test that runs, which is removed when it has ended. */
export function testFolder(): FolderAt {
  const folder = made();
  onTestFinished(() => gone(folder));
  return (...names) => join(folder, ...names);
}

/** A folder for each test, which is removed at its end. */
export function freshFolder(): FolderAt {
  let folder = '';
  beforeEach(() => {
    folder = made();
  });
  afterEach(() => gone(folder));
  return (...names) => join(folder, ...names);
}

/** Texts that a test's code writes to stderr, which nobody sees: a list that is empty again before each test. */
export function heardErrors(): string[] {
  const said: string[] = [];
  beforeEach(() => {
    said.length = 0;
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  });
  afterEach(() => vi.restoreAllMocks());
  return said;
}
