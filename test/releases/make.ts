/**
 * `node scripts/run.mjs test/releases/make.ts CHECKOUT`: the files of a release for test/fixtures/releases/VERSION, written by that
 * release's own code. CHECKOUT is a folder with the release's commit and its packages (`npm ci`).
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CASES, type Case } from './cases';
import { keptByPage } from './keptByPage';

const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('Usage: node scripts/run.mjs test/releases/make.ts CHECKOUT');
const checkout = resolve(given);
const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
const folder = resolve('test/fixtures/releases', version);
if (existsSync(folder)) throw new Error(`${folder} is there already: files of a release are never made again.`);
const scratch = mkdtempSync(join(tmpdir(), 'unmask-release-'));

/** What the release's `lab` prints. */
const lab = (...args: string[]): string =>
  execFileSync(process.execPath, ['scripts/run.mjs', 'src/cli/main.ts', ...args], {
    cwd: checkout,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function keep(path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

/** Trains a run in one go, and beside it as far as its checkpoint. */
function train({ name, link, options = [], before }: Case): void {
  const backend = options.includes('--backend') ? [] : ['--backend', 'cpu'];
  const given = [...backend, ...options].map((one) => one.replace('test/releases', resolve('test/releases')));
  const result = lab('run', `#${link}`, ...given, '--json');
  keep(`runs/${name}/result.json`, result);
  const experiment = join(scratch, `${name}.json`);
  writeFileSync(experiment, JSON.stringify(JSON.parse(result).experiment));
  keep(`runs/${name}/link.txt`, lab('link', experiment));
  if (before === null) return;
  const run = join(scratch, name);
  lab('run', `#${link}`, ...given, '--updates', String(before), '--out', run);
  copyFileSync(join(run, 'checkpoint.safetensors'), join(folder, 'runs', name, 'checkpoint.safetensors'));
}

/** A policy, and how it plays. */
function savePolicy(): void {
  const file = join(folder, 'policy.onnx');
  lab('export', join(scratch, 'plain'), '--member', 'world-model/0', '--out', file);
  keep('played.json', lab('eval', file, '--episodes', '16', '--json'));
}

/** Worlds and formulas that the release gives as files; version 0.1.0 had none. */
function keepTexts(): void {
  for (const [from, to] of [
    ['worlds', 'worlds'],
    ['docs/recipes', 'formulas'],
  ] as const) {
    const there = join(checkout, from);
    for (const name of existsSync(there) ? readdirSync(there) : [])
      keep(`${to}/${name}`, readFileSync(join(there, name)));
  }
}

const trained = CASES.filter(({ since }) => since.localeCompare(version, 'en', { numeric: true }) <= 0);
for (const one of trained) train(one);
savePolicy();
keepTexts();
const { link, kept } = await keptByPage(checkout, scratch, join(folder, 'policy.onnx'));
keep('page/link.txt', `${link}\n`);
keep('page/kept.json.gz', gzipSync(JSON.stringify(kept)));
rmSync(scratch, { recursive: true });
