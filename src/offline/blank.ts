/**
 * Says why the page stays blank where its code does not arrive. A script of its own that is no module: a frame with a sandbox and
 * without allow-same-origin has no origin, so a server must permit it to read modules, and a plain one does not.
 */
export {};

const WORDS =
  globalThis.origin === 'null'
    ? {
        what: 'Unmask cannot run in this frame.',
        why: 'The page around it keeps the frame apart (sandbox without allow-same-origin), and this server lets such a frame read none of its code.',
        advice:
          'Open it in a page of its own. Whoever made the page around it can add allow-same-origin to the sandbox, or have the server send Access-Control-Allow-Origin: *.',
      }
    : {
        what: 'The code of this page did not arrive.',
        why: 'The connection ended on the way, or a newer version was published in this moment.',
        advice: 'Open it again: settings and kept runs stay.',
      };

function say(): void {
  const place = document.getElementById('root') ?? document.body;
  // Parts that are missing later are told of by the page itself.
  if (place.childElementCount > 0) return;
  const strong = document.createElement('b');
  strong.textContent = WORDS.what;
  const text = document.createElement('p');
  text.append(strong, ` ${WORDS.why} ${WORDS.advice}`);
  const link = document.createElement('a');
  // Another query, or the browser would only look up the fragment in the page that it has.
  link.href = `${location.pathname}?again=${Date.now()}${location.hash}`;
  link.textContent = 'Open Unmask';
  if (globalThis.origin === 'null') link.target = '_blank';
  const said = document.createElement('main');
  said.className = 'loading';
  said.setAttribute('role', 'alert');
  said.append(text, link);
  place.append(said);
}

addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && say(), true);
