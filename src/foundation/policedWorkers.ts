/**
 * Workers under the page's content security policy: no request to another origin, no code made of text. Imported for its
 * effect, by the page and by every Worker, before anything starts one.
 *
 * A Worker whose script is a file has the policy that came with that file as a response header, and plain file hosts send
 * none; a Worker whose script is a blob inherits the policy of whoever starts it. So each begins as a blob of one
 * line that imports its file. It is done to the browser's own constructor, so that packages' Workers (onnxruntime's threads) are
 * held to it as well.
 */
const scripts = new Map<string, string>();

/** Address of the blob that imports a script. Its fragment is the script's name, for whoever lists Workers. */
function inheriting(script: string | URL): string {
  const { href, protocol, pathname } = new URL(script, location.href);
  if (protocol === 'blob:') return href;
  const known = scripts.get(href);
  if (known !== undefined) return known;
  const line = new Blob([`import ${JSON.stringify(href)};`], { type: 'text/javascript' });
  const address = `${URL.createObjectURL(line)}#${pathname.slice(pathname.lastIndexOf('/') + 1)}`;
  scripts.set(href, address);
  return address;
}

// Some browsers let no Worker start another.
if (typeof Worker !== 'undefined') {
  globalThis.Worker = class extends Worker {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(inheriting(script), { ...options, type: 'module' });
    }
  };
}
