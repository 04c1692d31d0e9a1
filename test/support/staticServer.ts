// The plainest file server that a published lab may meet: files below one path, MIME types, 404 for everything else. No
// special headers unless told, no compression, no fallback page. It records the requests.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.onnx': 'application/octet-stream',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

interface ServedRequest {
  /** Path below the served one, 'index.html' for the folder itself; the whole path of a request outside it. */
  readonly path: string;
  readonly status: 200 | 404;
}

export interface StaticServer {
  /** Ends with a slash. */
  readonly url: string;
  readonly requests: readonly ServedRequest[];
  close(): Promise<void>;
}

/** Serves a folder below a path that starts and ends with a slash, on a port of this machine; 0: a free one. */
export async function serveFolder(
  folder: string,
  below: string,
  chosen = 0,
  headers: Readonly<Record<string, string>> = {},
): Promise<StaticServer> {
  const requests: ServedRequest[] = [];
  const server = createServer(async (request, response) => {
    const whole = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname));
    const path = whole.startsWith(below) ? whole.slice(below.length) || 'index.html' : whole;
    const contents = whole.startsWith(below) ? await readFile(join(folder, path)).catch(() => null) : null;
    const status = contents === null ? 404 : 200;
    requests.push({ path, status });
    const type = TYPES[extname(path)] ?? 'text/plain';
    response.writeHead(status, contents === null ? {} : { 'Content-Type': type, ...headers });
    response.end(contents);
  });
  await new Promise<void>((resolve) => server.listen(chosen, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${below}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
