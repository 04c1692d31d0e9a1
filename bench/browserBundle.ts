/**
 * Runs a TypeScript module in a page of the tests' Chromium. esbuild bundles it with the Vite imports that the engine
 * uses; localhost serves it, because WebGPU needs a secure context.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { viteImports } from '../scripts/viteImports.mjs';
import { startChromium } from '../test/support/chromium';

/** Folder of onnxruntime's WebAssembly, which is requested beside the page. */
const ORT = 'node_modules/onnxruntime-web/dist';

/** Calls `use` with a page in which the module's exports are the global `bench`. Console messages go to stderr. */
export async function withPage<T>(entry: string, use: (page: Page) => Promise<T>): Promise<T> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bench',
    target: 'esnext',
    define: { 'import.meta.url': 'document.baseURI' },
    plugins: [viteImports],
  });
  const server = createServer(async ({ url = '' }, response) => {
    const isWasm = url.endsWith('.wasm');
    response.setHeader('content-type', isWasm ? 'application/wasm' : 'text/html');
    response.end(isWasm ? await readFile(join(ORT, basename(url))) : '<title>bench</title>');
  }).listen(0, '127.0.0.1');
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    page.on('console', (message) => console.error(message.text()));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    return await use(page);
  } finally {
    await browser.close();
    server.close();
  }
}
