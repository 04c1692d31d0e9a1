#!/usr/bin/env node
// The command `unmask` of the installed package: what `npm run -s lab --` is in a clone.
import process from 'node:process';

globalThis.unmaskCommand = 'unmask';
process.argv.splice(2, 0, 'src/cli/main.ts');
await import('./run.mjs');
