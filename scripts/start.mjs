// `npm start`: builds the lab, serves it on this machine, prints the address, and opens it if there is a screen.
import process from 'node:process';
import { requirePackages } from './installed.mjs';

const hasScreen =
  !process.env.CI &&
  !process.env.SSH_CONNECTION &&
  (process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY));

requirePackages();
const { build, preview } = await import('vite');
console.log('Building the page …');
await build({ logLevel: 'error' });
const server = await preview({ preview: { open: hasScreen } });
console.log('Unmask is running. Stop it with Ctrl-C.\n');
server.printUrls();
