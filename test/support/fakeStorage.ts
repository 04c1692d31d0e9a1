/** This browser's storage in memory (fake-indexeddb), with faults: for tests of what the page keeps, without a browser. */
import 'fake-indexeddb/auto';
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';

/** Name of the DOMException that the n-th request for reading or writing fails with, counted from 0; null for none. */
export type RequestPlan = (request: number, kind: 'get' | 'put') => string | null;

let plan: RequestPlan = () => null;
let requests = 0;

/** An empty storage, whose requests fail as planned. */
export function emptyStorage(): void {
  globalThis.indexedDB = new IDBFactory();
  failRequests(() => null);
}

/** Counting begins again. */
export function failRequests(planned: RequestPlan): void {
  plan = planned;
  requests = 0;
}

/** Requests since `failRequests`. */
export const countRequests = (): number => requests;

/** A value as another page of the same origin might put it into a store of a database that the lab has opened before. */
export function putForeign(database: string, store: string, value: unknown, key?: IDBValidKey): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const writing = opening.result.transaction(store, 'readwrite');
      writing.objectStore(store).put(value, key);
      writing.oncomplete = () => {
        opening.result.close();
        resolve();
      };
      writing.onerror = () => reject(writing.error);
    };
  });
}

for (const [method, kind] of [
  ['get', 'get'],
  ['getAll', 'get'],
  ['put', 'put'],
  ['delete', 'put'],
] as const) {
  const real = IDBObjectStore.prototype[method] as (...given: unknown[]) => IDBRequest;
  Object.assign(IDBObjectStore.prototype, {
    [method](this: IDBObjectStore, ...given: unknown[]): IDBRequest {
      const name = plan(requests, kind);
      requests += 1;
      if (name !== null) throw new DOMException('A fault on purpose.', name);
      return real.apply(this, given);
    },
  });
}
