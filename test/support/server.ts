// Builds the lab once for all browser tests and serves the build on a free port (Vitest's global setup of the `browser`
// project). A test reads the address with `inject('siteUrl')`.
import { rm } from 'node:fs/promises';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { buildWasm } from '../../scripts/wasm.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    siteUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outDir = `test-results/site-${process.pid}`;
  await buildWasm();
  // Vitest sets another value; the page under test must be the published one.
  process.env.NODE_ENV = 'production';
  await build({ logLevel: 'warn', mode: 'production', build: { outDir, emptyOutDir: true } });
  const server = await preview({ logLevel: 'warn', preview: { port: 0, host: '127.0.0.1' }, build: { outDir } });
  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error('The preview server has no address.');
  project.provide('siteUrl', url);
  return async () => {
    await server.close();
    await rm(outDir, { recursive: true, force: true });
  };
}
