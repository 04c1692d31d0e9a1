/**
 * The package in a page, without a bundler: its GPU, and Workers from the package's folder. A browser starts no Worker of another
 * origin's file, as from a content delivery network: there one thread computes, the page's own, and the run says so.
 */
import { LabError } from '../foundation/errors';
import { browserPool } from '../train/pool/port';
import { chooseBackend } from '../train/run/choose/backends';
import { runOn } from './machine';

export * from './index';

const startsWorkers = new URL(import.meta.url).origin === globalThis.origin;

runOn({
  async choose(choice, members, workers, apart, task) {
    const pool = browserPool(members);
    if (!startsWorkers) {
      const chosen = await chooseBackend(choice, navigator.gpu, { ...pool, workers: 1 });
      const why = 'one thread, the page’s own, for a browser starts no Worker of another origin';
      return { ...chosen, reason: `${chosen.reason}; ${why}` };
    }
    const wanted = Math.max(1, Math.min(workers ?? pool.workers, members));
    return chooseBackend(choice, navigator.gpu, { ...pool, workers: wanted, isApart: apart || wanted === 1 }, task);
  },
  async read(path) {
    const url = new URL(`../public/${path}`, import.meta.url);
    const response = await fetch(url).catch(() => null);
    if (response?.ok === true) return new Uint8Array(await response.arrayBuffer());
    const what = `${url.href} could not be loaded, which the experiment begins from.`;
    throw new LabError('missing-policy', what, 'Serve the folder “public” of the package beside its folder “engine”.');
  },
});
