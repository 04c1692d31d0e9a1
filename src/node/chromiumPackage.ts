// Unpacks the archives of the npm package @sparticuz/chromium (Linux x64): a headless Chromium, the libraries it needs,
// fonts, and SwiftShader, a Vulkan driver in software. Each is unpacked once, below node_modules/.cache.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { LabError } from '../foundation/errors';

type Archive = 'chromium.br' | 'swiftshader.tar.br' | 'al2023.tar.br' | 'fonts.tar.br';

export const packageRunsHere = process.platform === 'linux' && process.arch === 'x64';

/** Folder with the archive's contents. Safe in several processes at once: the first rename wins, and all use its folder. */
export function unpack(archive: Archive): string {
  const bin = packageFolder();
  const cache = resolve(bin, '../../../.cache/unmask');
  const version = (JSON.parse(readFileSync(join(bin, '../package.json'), 'utf8')) as { version: string }).version;
  const folder = join(cache, `${archive.split('.')[0]}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'unpacking-'));
  const contents = brotliDecompressSync(readFileSync(join(bin, archive)));
  if (archive.endsWith('.tar.br')) execFileSync('tar', ['-x', '-C', draft], { input: contents });
  else writeFileSync(join(draft, 'chromium'), contents, { mode: 0o755 });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function packageFolder(): string {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin');
  } catch (cause) {
    throw new LabError('not-loaded', 'The package @sparticuz/chromium is missing.', 'Run `npm install`.', { cause });
  }
}
