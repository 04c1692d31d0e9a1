/** The built page from a server that isolates it from other origins, as sharing memory with its threads asks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject } from 'vitest';

const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Ends with a slash. */
export async function isolatedSite(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const found = await fetch(new URL(url, inject('siteUrl')));
    response.writeHead(found.status, { 'Content-Type': found.headers.get('content-type') ?? '', ...ISOLATION });
    response.end(Buffer.from(await found.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
