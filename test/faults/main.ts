/**
 * `npm run faults [-- --only NAME --times N]`: injects faults and writes what was lost into docs/reliability.md. With `--page`
 * it builds the page and injects those that need it in a browser; with `--soak headless` or `--soak page` it trains for `--hours`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { injectAll } from './fault';
import type { Site } from './page';
import { FAULTS, faultsOfPage } from './registry';
import { rowOf, withPart, withRows } from './report';
import { soakHeadless } from './soak/headless';
import { soakPage } from './soak/page';

const PAGE = 'docs/reliability.md';
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    times: { type: 'string' },
    page: { type: 'boolean' },
    soak: { type: 'string' },
    hours: { type: 'string', default: '1' },
  },
});
const { only, times, soak } = values;
let site: Promise<Site> | null = null;
const opened = (): Promise<Site> => {
  site ??= openSite();
  return site;
};
const ofPage = faultsOfPage(opened);
const all = [...FAULTS, ...ofPage];
const chosen = values.page === true ? ofPage : FAULTS;
const unknown = only?.find((name) => chosen.every((fault) => fault.name !== name));
if (unknown !== undefined) throw new Error(`There is no fault ${unknown}. They are: ${chosen.map(({ name }) => name)}`);
if (times !== undefined && !/^[1-9]\d{0,6}$/.test(times)) throw new Error(`--times ${times} is no number of times.`);

const date = new Date().toISOString().slice(0, 10);
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
if (soak !== undefined) await addPart(soak, Number(values.hours));
for (const fault of soak === undefined ? chosen : []) {
  if (only !== undefined && !only.includes(fault.name)) continue;
  const why = fault.missing?.() ?? null;
  if (why !== null) {
    process.stdout.write(`${fault.name}: left out, ${why}\n`);
    continue;
  }
  const count = times === undefined ? await fault.times.long() : Number(times);
  const outcome = await injectAll(fault, count, (done) => {
    if (process.stderr.isTTY === true) process.stderr.write(`\r\x1b[K${fault.name}: ${done} of ${count}`);
  });
  process.stdout.write(
    `${fault.name}: ${outcome.times} times, ${outcome.lost.length === 0 ? 'nothing lost' : 'LOST'}\n`,
  );
  for (const what of outcome.lost.slice(0, 5)) process.stdout.write(`  ${what}\n`);
  if (outcome.lost.length > 0) process.exitCode = 1;
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  writeFileSync(PAGE, withRows(page, all, new Map([[fault.name, rowOf(fault, outcome, date, commit)]])));
}
if (site !== null) {
  const { browser, folder } = await (site as Promise<Site>);
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function addPart(kind: string, hours: number): Promise<void> {
  if (!(hours > 0)) throw new Error(`--hours ${values.hours} is no number of hours.`);
  if (kind !== 'headless' && kind !== 'page') throw new Error(`There is no soak ${kind}: headless, or page.`);
  const part = await (kind === 'headless' ? soakHeadless(hours) : soakPage(await opened(), hours));
  process.stdout.write(`${JSON.stringify(part, null, 2)}\n`);
  if (part.lost.length > 0) process.exitCode = 1;
  writeFileSync(PAGE, withPart(readFileSync(PAGE, 'utf8'), part, date, commit));
}

async function openSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'unmask-site-'));
  const command = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', folder, '--emptyOutDir'];
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('The page cannot be built.');
  const { startChromium } = await import('../support/chromium');
  return { browser: await startChromium(), folder };
}
