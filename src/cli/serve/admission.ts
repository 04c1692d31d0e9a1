/**
 * Admission of requests: from programs that ask for a name of this machine, and from pages that were named. Any page
 * may send requests to this machine from its visitor's browser; the browser adds the page's Origin. A page whose own
 * name was pointed here (DNS rebinding) has no foreign Origin, but asks for that name as Host.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { excerpt } from '../../foundation/errors';

export interface Refusal {
  /** Status code of HTTP. */
  readonly status: number;
  readonly what: string;
  readonly advice: string;
}

/** Names that always mean this machine, in the form that a Host has: 127.0.0.0/8, the loopback of IPv6, localhost. */
export const LOOPBACK = /^(?:localhost|127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}|\[::1\])$/;

/** Host as clients write it: an address of IPv6 has brackets. */
export const hostName = (name: string): string =>
  (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name).toLowerCase();

/** Name in a Host header, without a port; null if it is none. */
function nameIn(host: string): string | null {
  return /^(\[[\da-f:.]+\]|[^\s:[\]/@?#]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase() ?? null;
}

export class Admission {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /** `hosts`: names besides loopback ones. `origins`: of pages, such as http://localhost:3000. */
  constructor(hosts: readonly string[], origins: readonly string[]) {
    this.#hosts = new Set(hosts.map(hostName));
    this.#origins = new Set(origins);
  }

  /** Reason why a request is not answered; null if it is. */
  refusal(headers: IncomingHttpHeaders): Refusal | null {
    const { host = '', origin, 'sec-fetch-site': site = 'none' } = headers;
    const name = nameIn(host);
    if (name === null || !(LOOPBACK.test(name) || this.#hosts.has(name))) {
      return {
        status: 421,
        what: `A request for the host “${excerpt(host)}” is refused.`,
        advice: `If clients call this machine so, start lab serve with --allow-host NAME.`,
      };
    }
    // Without an Origin browsers still say that an image or a frame is asked for by another site's page.
    const isOfPage = origin !== undefined || !['none', 'same-origin'].includes(String(site));
    if (!isOfPage || this.#origins.has(origin ?? '')) return null;
    return {
      status: 403,
      what: `A request of a page of “${excerpt(origin ?? 'another site')}” is refused.`,
      advice: `If that page may play here, start lab serve with --origin URL.`,
    };
  }

  /** Headers that let a named page read an answer. */
  readable({ origin }: IncomingHttpHeaders): Readonly<Record<string, string>> {
    if (origin === undefined || !this.#origins.has(origin)) return {};
    return { 'access-control-allow-origin': origin, vary: 'Origin' };
  }
}
