/**
 * Workers under the page's content security policy: no request to another origin, no code made of text. Imported for its
 * effect, by the page and by every Worker, before anything starts one.
 *
 * A Worker whose script is a file has the policy that came with that file as a response header, and plain file hosts send
 * none; a Worker whose script is a blob inherits the policy of its starter. So each begins as a blob of one
 * line that imports its file. It is done to the browser's own constructor, so that packages' Workers (onnxruntime's threads) are
 * held to it as well.
 */

/** True in a frame with a sandbox and without allow-same-origin. There Chromium starts no module that is a blob. */
const hasNoOrigin = globalThis.origin === 'null';

/** A script that imports another, and hands over the messages that came meanwhile. */
const importing = (href: string): string => `
const early = [];
const hold = (event) => {
  event.stopImmediatePropagation();
  early.push(event);
};
addEventListener('message', hold);
import(${JSON.stringify(href)}).then(
  () => {
    removeEventListener('message', hold);
    for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports }));
  },
  (cause) => setTimeout(() => { throw cause; }),
);`;

const scripts = new Map<string, string>();

/** Address of the blob that imports a script. Its fragment is the script's name, for lists of Workers. */
function inheriting(script: string | URL): string {
  const { href, protocol, pathname } = new URL(script, location.href);
  if (protocol === 'blob:') return href;
  const known = scripts.get(href);
  if (known !== undefined) return known;
  const text = hasNoOrigin ? importing(href) : `import ${JSON.stringify(href)};`;
  const line = new Blob([text], { type: 'text/javascript' });
  const address = `${URL.createObjectURL(line)}#${pathname.slice(pathname.lastIndexOf('/') + 1)}`;
  scripts.set(href, address);
  return address;
}

// Some browsers let no Worker start another.
if (typeof Worker !== 'undefined') {
  globalThis.Worker = class extends Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(inheriting(script), { ...options, type: hasNoOrigin ? 'classic' : 'module' });
    }
  };
}
