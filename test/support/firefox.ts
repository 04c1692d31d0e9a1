/**
 * Firefox without a window, by WebDriver BiDi: one that is installed, or Debian's, unpacked into .cache. Playwright cannot speak to
 * Debian's (it sends a command that is newer), so what a test does is a text that the page runs.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import WebSocket from 'ws';
import { packageRunsHere, unpack } from '../../src/node/chromiumPackage';
import { fetchPackages, librariesIn } from './debianPackages';

interface Place {
  readonly path: string;
  readonly env: Record<string, string>;
}

/** Where Firefox is, or in words why there is none. UNMASK_FIREFOX=/path/to/firefox chooses one. */
export function findFirefox(): Place | string {
  const chosen = process.env.UNMASK_FIREFOX;
  const installed = ['firefox', 'firefox-esr'].find((name) => spawnSync(name, ['--version']).status === 0);
  const own = chosen ?? installed;
  if (own !== undefined) return { path: own, env: {} };
  const folder = resolve('.cache/firefox');
  const root = join(folder, 'root');
  const path = join(root, 'usr/lib/firefox-esr/firefox-esr');
  if (!existsSync(path)) {
    const failure = fetchPackages(folder, ['firefox-esr', 'libvulkan1']);
    if (failure !== null) return `no Firefox: ${failure}`;
  }
  const env = { LD_LIBRARY_PATH: `${librariesIn(root)}:${join(root, 'usr/lib/firefox-esr')}` };
  const { status, stderr } = spawnSync(path, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  return status === 0 ? { path, env } : `Debian’s Firefox does not run here: ${stderr.trim()}`;
}

/** Preferences with which it has WebGPU, on Chromium's SwiftShader. */
export const WITH_WEBGPU = { 'dom.webgpu.enabled': true, 'gfx.webgpu.ignore-blocklist': true } as const;

/** Software for its WebGPU, where there is some. */
const softwareGpu = (): Record<string, string> =>
  packageRunsHere ? { VK_DRIVER_FILES: join(unpack('swiftshader.tar.br'), 'vk_swiftshader_icd.json') } : {};

/** A page of Firefox. */
export class FirefoxPage {
  /** Errors of the console and of scripts so far. */
  readonly complaints: string[] = [];
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #profile: string;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(why: Error): void }>();
  #asked = 0;
  #context = '';

  private constructor(process: ChildProcess, socket: WebSocket, profile: string) {
    this.#process = process;
    this.#socket = socket;
    this.#profile = profile;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))));
  }

  static async open({ path, env }: Place, preferences: Readonly<Record<string, boolean | string>> = {}) {
    const profile = mkdtempSync(join(tmpdir(), 'unmask-firefox-'));
    const lines = Object.entries(preferences).map(([key, value]) => `user_pref("${key}", ${JSON.stringify(value)});`);
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const given = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const started = spawn(path, given, { env: { ...process.env, HOME: profile, ...softwareGpu(), ...env } });
    const url = await new Promise<string>((found, failed) => {
      let said = '';
      started.stderr.on('data', (data) => {
        said += data;
        const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(said) ?? [];
        if (address !== undefined) found(address);
      });
      started.on('exit', () => failed(new Error(`Firefox ended: ${said.slice(-2000)}`)));
    });
    const socket = new WebSocket(`${url}/session`);
    await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
    const page = new FirefoxPage(started, socket, profile);
    await page.#send('session.new', { capabilities: {} });
    await page.#send('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await page.#send<{ contexts: { context: string }[] }>('browsingContext.getTree', {});
    page.#context = contexts[0]?.context ?? '';
    return page;
  }

  async goTo(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  async reload(): Promise<void> {
    await this.#send('browsingContext.reload', { context: this.#context, wait: 'complete' });
  }

  /** Value of an expression in the page, which may be a promise; as JSON. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<{
      result?: { value?: string };
      exceptionDetails?: { text: string };
    }>('script.evaluate', {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context: this.#context },
      awaitPromise: true,
      userActivation: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return JSON.parse(result?.value ?? 'null') as T;
  }

  /** Waits until an expression is true. */
  async until(expression: string): Promise<void> {
    for (const end = Date.now() + 240_000; Date.now() < end; ) {
      if (await this.value<boolean>(`Boolean(${expression})`)) return;
      await new Promise((later) => setTimeout(later, 100));
    }
    throw new Error(`It never came: ${expression}`);
  }

  /** Presses what has a test id, once it is there. */
  async press(testId: string): Promise<void> {
    const found = `document.querySelector('[data-testid="${testId}"]')`;
    await this.until(found);
    await this.value(`${found}.click()`);
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.#process.once('exit', done));
    await this.#send('browser.close', {}).catch(() => this.#process.kill());
    await ended;
    this.#socket.terminate();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #send<T = unknown>(method: string, params: object): Promise<T> {
    const id = ++this.#asked;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  #receive(message: { id?: number; method?: string; result?: never; message?: string; params?: LogEntry }): void {
    const { id, params } = message;
    if (message.method === 'log.entryAdded' && params?.level === 'error') this.complaints.push(params.text ?? '');
    const asked = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || asked === undefined) return;
    this.#waiting.delete(id);
    if (message.result === undefined) asked.reject(new Error(message.message ?? 'Firefox refused it.'));
    else asked.resolve(message.result);
  }
}

interface LogEntry {
  readonly level?: string;
  readonly text?: string | null;
}
