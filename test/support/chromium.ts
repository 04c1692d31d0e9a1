// Starts a headless Chromium with WebGPU for the browser tests. On Linux x64 it is the one inside @sparticuz/chromium, with
// SwiftShader as GPU: slow, but the same everywhere. Elsewhere it is an installed Chrome, Chromium or Edge.
// UNMASK_CHROMIUM=/path/to/browser chooses another one.
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
import { packageRunsHere, unpack } from '../../src/node/chromiumPackage';

const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-webgpu',
];

/** Timeout in milliseconds, only for what never comes: a tiny run takes a tenth of it on a busy software GPU. */
const PATIENCE = 240_000;

export async function startChromium(): Promise<Browser> {
  return patient(await chromium.launch(launchOptions()));
}

/** A browser that keeps in a folder what its pages keep, as a person's does. */
export async function startProfile(folder: string): Promise<BrowserContext> {
  const viewport = { width: 1440, height: 860 };
  const context = await chromium.launchPersistentContext(folder, {
    ...launchOptions(),
    viewport,
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

function launchOptions(): LaunchOptions {
  const chosen = process.env.UNMASK_CHROMIUM;
  if (!chosen && packageRunsHere) return { args: flags, ...packaged() };
  return { executablePath: chosen ?? findInstalled(), args: flags };
}

/** The browser with PATIENCE as the timeout of all its pages. Unless they may keep a copy of the lab, they save data. */
function patient(browser: Browser): Browser {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open({ serviceWorkers: 'block', ...options });
    if (options?.serviceWorkers !== 'allow') await context.addInitScript(saveData);
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
  return browser;
}

/** Has the page load nothing ahead, which takes seconds of two cores. */
function saveData(): void {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
}

function packaged(): Pick<LaunchOptions, 'executablePath' | 'env'> {
  const folder = unpack('chromium.br');
  const swiftShader = unpack('swiftshader.tar.br');
  for (const name of readdirSync(swiftShader)) {
    if (!existsSync(join(folder, name))) copyFileSync(join(swiftShader, name), join(folder, name));
  }
  const env: Record<string, string> = { ...definedVariables(), LD_LIBRARY_PATH: libraryPath() };
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_PATH = join(unpack('fonts.tar.br'), 'fonts');
  return { executablePath: join(folder, 'chromium'), env };
}

function libraryPath(): string {
  const own = join(unpack('al2023.tar.br'), 'lib');
  return process.env.LD_LIBRARY_PATH ? `${own}:${process.env.LD_LIBRARY_PATH}` : own;
}

function definedVariables(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] != null));
}

function findInstalled(): string {
  const windows = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) =>
    ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((path) =>
      join(process.env[variable] ?? 'C:/', path),
    ),
  );
  const candidates: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    ),
    linux: ['google-chrome', 'chromium', 'chromium-browser', 'microsoft-edge'].map((name) => `/usr/bin/${name}`),
    win32: windows,
  };
  const found = candidates[process.platform]?.find((path) => existsSync(path));
  if (found) return found;
  throw new Error('The browser tests need Chrome, Chromium or Edge: install one, or set UNMASK_CHROMIUM to its path.');
}
