/** What may happen to a tab of a published lab: a part of its code does not arrive, and a newer version is published. */

import { type Journey, MESSAGES } from './journey';
import { messaged, to } from './steps';

const TINY = '#preset=gridworld-tiny';

/** The file of the speed panel is not there. */
function lackSpeedPanel(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (address, ...rest) =>
    String(address).includes('/SpeedPanel-') ? new Response(null, { status: 404 }) : fetch(address, ...rest);
}

/** A service worker of another version waits. */
function publishAnother(): void {
  const { serviceWorker } = navigator;
  const registration = Object.assign(new EventTarget(), {
    waiting: Object.assign(new EventTarget(), { scriptURL: new URL('serviceWorker.js', location.href).href }),
    update: async () => {},
  });
  Object.assign(serviceWorker, { register: async () => registration });
  // No longer one that saves data.
  Reflect.deleteProperty(navigator, 'connection');
}

export const published: readonly Journey[] = [
  {
    name: 'a part that does not arrive',
    link: TINY,
    before: lackSpeedPanel,
    states: [{ name: 'part-missing', about: MESSAGES, reach: [to('speed'), messaged('missing')] }],
  },
  {
    name: 'a newer version',
    link: TINY,
    before: publishAnother,
    states: [{ name: 'newer-version', about: MESSAGES, reach: messaged('new-version') }],
  },
];
