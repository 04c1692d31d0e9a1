/** The package in Node: threads, and the GPU through the npm package `webgpu` where that is installed. */
import { readFile } from 'node:fs/promises';
import { chooseNodeBackend } from '../node/backend';
import { threadPool } from '../node/poolThread';
import { runOn } from './machine';

export * from './index';

runOn({
  choose: (choice, members, workers, isApart, task) =>
    chooseNodeBackend(
      choice,
      { ...threadPool(members, workers, new URL('./thread.js', import.meta.url)), isApart },
      task,
    ),
  read: (path) => readFile(new URL(`../public/${path}`, import.meta.url)),
});
