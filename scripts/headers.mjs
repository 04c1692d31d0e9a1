// What a server of the built lab sends with every file, and what the page says of itself where the server is a plain one.

/** Only this origin's files; WebAssembly, whose bytes come as a data URL; Workers; nothing inline, no other address. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "connect-src 'self' data:",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** By name. A page in a frame is a use that is meant, so nothing is said of frames. */
export const HEADERS = {
  'Content-Security-Policy': POLICY,
  // A frame with a sandbox and without allow-same-origin reads the page's files as a stranger.
  'Access-Control-Allow-Origin': '*',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
