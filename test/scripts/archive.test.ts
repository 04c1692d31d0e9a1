/**
 * What a release is cited and archived as: CITATION.cff, .zenodo.json, and the archive, made of a small repository and taken apart.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkArchive, makeArchive } from '../../scripts/archive.mjs';
import { sharedFolder } from '../support/folder';

interface Package {
  readonly version: string;
  readonly license: string;
}

const read = (path: string): string => readFileSync(path, 'utf8');
const { version, license } = JSON.parse(read('package.json')) as Package;
const citation = read('CITATION.cff');
/** A field of one line, without quotes. */
const field = (key: string): string | undefined => new RegExp(`^${key}: "?(.*?)"?$`, 'm').exec(citation)?.[1];

describe('CITATION.cff', () => {
  test('has what the format asks for (CFF 1.2.0), and nothing it does not know', () => {
    expect(field('cff-version')).toBe('1.2.0');
    expect(field('type')).toBe('software');
    expect(field('message')).toContain('cite');
    expect(citation).toMatch(/^authors:\n {2}- name: \S/m);
    const keys = [...citation.matchAll(/^([a-z-]+):/gm)].map(([, key]) => key);
    const known = 'cff-version message type title abstract authors version date-released license keywords doi';
    expect(keys.filter((key) => !known.split(' ').includes(key ?? ''))).toEqual([]);
  });

  test('is of this version, and dated as CHANGELOG.md dates it', () => {
    expect(field('version')).toBe(version);
    expect(field('license')).toBe(license);
    const [, heading = ''] =
      new RegExp(`^## ${version.replaceAll('.', '\\.')}, (.*)$`, 'm').exec(read('CHANGELOG.md')) ?? [];
    const day = Date.parse(`${heading} UTC`);
    expect(field('date-released')).toBe(Number.isNaN(day) ? undefined : new Date(day).toISOString().slice(0, 10));
  });

  test('says the same as .zenodo.json', () => {
    const zenodo = JSON.parse(read('.zenodo.json')) as { readonly description: string; readonly creators: unknown };
    const folded = /^abstract: >-\n((?: {2}.*\n)+)/m.exec(citation)?.[1] ?? '';
    const keywords = [...citation.matchAll(/^ {2}- (?!name:)(.*)$/gm)].map(([, word]) => word);
    expect(zenodo).toMatchObject({ title: field('title'), version, license, keywords, upload_type: 'software' });
    expect(zenodo.description).toBe(folded.trim().replace(/\n {2}/g, ' '));
    expect(zenodo.creators).toEqual([{ name: /- name: (.*)/.exec(citation)?.[1] }]);
  });
});

const at = sharedFolder();
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd: at() });

describe('an archive', () => {
  beforeAll(() => {
    git('init', '--quiet');
    for (const name of ['README.md', 'LICENSE', 'THIRD_PARTY.txt', 'CITATION.cff', 'package.json'])
      copyFileSync(name, at(name));
    mkdirSync(at('data'));
    writeFileSync(at('data', 'ünïcode, and bytes.bin'), Uint8Array.of(0, 255, 10, 13, 0));
    writeFileSync(at('.gitignore'), '*.tar.gz\n');
    copyFileSync('.gitattributes', at('.gitattributes'));
    writeFileSync(at('commit.txt'), '$Format:%H$\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'One');
  });

  test('is refused for a commit that nobody has, or without what it needs', () => {
    expect(() => makeArchive(at(), 'v9')).toThrow('v9 is no commit');
    expect(() => makeArchive(at())).toThrow('HEAD has no .zenodo.json');
  });

  test('has the tracked files of the commit alone, is the same each time, and is checked', () => {
    copyFileSync('.zenodo.json', at('.zenodo.json'));
    git('add', '.');
    git('commit', '--quiet', '-m', 'Two');
    git('tag', 'v1');
    writeFileSync(at('LICENSE'), 'changed since\n');
    writeFileSync(at('untracked.txt'), 'not in it\n');
    const made = makeArchive(at(), 'v1');
    expect(made.path).toBe(at(`unmask-${version}.tar.gz`));
    expect(checkArchive(made.path)).toBe(10);
    expect(made.files).toBe(10);
    expect(makeArchive(at(), 'v1').digest).toBe(made.digest);
    const named = execFileSync('tar', ['-xzOf', made.path, `unmask-${version}/commit.txt`]).toString();
    expect(named).toBe(git('rev-parse', 'v1').toString());
  });

  test('of this repository is whole', { timeout: 60_000 }, () => {
    const own = at('own');
    execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', '.', own]);
    const made = makeArchive(own);
    expect(checkArchive(made.path)).toBe(made.files);
    rmSync(own, { recursive: true });
  });

  test('that was changed, cut or made otherwise is told', () => {
    const path = at(`unmask-${version}.tar.gz`);
    const cut = at('cut.tar.gz');
    writeFileSync(cut, readFileSync(path).subarray(0, 4000));
    expect(() => checkArchive(cut)).toThrow('cannot be unpacked');
    execFileSync('tar', ['-xzf', path], { cwd: at() });
    const folder = `unmask-${version}`;
    writeFileSync(at(folder, 'LICENSE'), 'another\n');
    writeFileSync(at(folder, 'more.txt'), 'more\n');
    rmSync(at(folder, 'README.md'));
    const changed = at('changed.tar.gz');
    execFileSync('tar', ['-czf', changed, folder], { cwd: at() });
    const told = spawnSync(process.execPath, ['scripts/archive.mjs', '--check', changed], { encoding: 'utf8' });
    expect(told.status).toBe(1);
    expect(told.stderr).toContain(
      'README.md is missing; more.txt has no digest; LICENSE differs from its digest. Get it again.',
    );
  });
});
