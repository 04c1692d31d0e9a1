/**
 * All that a page has in its browser’s storage, as JSON: databases and local texts. Both functions run in a page, and here on
 * fake-indexeddb; they refer to nothing outside themselves.
 */
export interface KeptStorage {
  readonly local: Readonly<Record<string, string>>;
  readonly databases: readonly {
    readonly name: string;
    readonly version: number;
    readonly stores: readonly {
      readonly name: string;
      readonly keyPath: string | null;
      readonly autoIncrement: boolean;
      /** [key, value], with what JSON does not have as { $: kind, of: text }. */
      readonly records: readonly (readonly [key: IDBValidKey, value: unknown])[];
    }[];
  }[];
}

export async function readStorage(): Promise<KeptStorage> {
  const settled = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const base64 = (buffer: ArrayBufferLike, from: number, length: number) =>
    btoa(Array.from(new Uint8Array(buffer, from, length), (byte) => String.fromCharCode(byte)).join(''));
  const encoded = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'number' && !Number.isFinite(value)) return { $: 'number', of: String(value) };
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof Blob) {
      const bytes = await value.arrayBuffer();
      return { $: 'Blob', of: base64(bytes, 0, bytes.byteLength) };
    }
    if (ArrayBuffer.isView(value)) {
      return { $: value.constructor.name, of: base64(value.buffer, value.byteOffset, value.byteLength) };
    }
    if (Array.isArray(value)) return Promise.all(value.map(encoded));
    const entries = Object.entries(value).map(async ([key, one]) => [key, await encoded(one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  const readStore = async (database: IDBDatabase, name: string) => {
    const store = database.transaction(name).objectStore(name);
    const { keyPath, autoIncrement } = store;
    const [keys, values] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
    const records = await Promise.all(keys.map(async (key, i) => [key, await encoded(values[i])] as const));
    return { name, keyPath: keyPath as string | null, autoIncrement, records };
  };
  const databases = [];
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    const stores = [];
    for (const store of database.objectStoreNames) stores.push(await readStore(database, store));
    databases.push({ name, version: database.version, stores });
    database.close();
  }
  return { local: { ...localStorage }, databases };
}

/** Puts what another page kept, as JSON, into an empty storage. */
export async function fillStorage(json: string): Promise<void> {
  const { local, databases }: KeptStorage = JSON.parse(json);
  const decoded = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(decoded);
    if (typeof value !== 'object' || value === null) return value;
    if (!('$' in value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, decoded(one)]));
    const { $: kind, of } = value as unknown as { $: string; of: string };
    if (kind === 'number') return Number(of);
    const bytes = Uint8Array.from(atob(of), (letter) => letter.charCodeAt(0));
    if (kind === 'Blob') return new Blob([bytes]);
    const Numbers = { Uint8Array, Float32Array, Float64Array, Int32Array }[kind];
    if (Numbers === undefined) throw new Error(`No ${kind} can be put into a storage here.`);
    return new Numbers(bytes.buffer);
  };
  for (const [key, text] of Object.entries(local)) localStorage.setItem(key, text);
  for (const { name, version, stores } of databases) {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const { name: store, keyPath, autoIncrement } of stores) {
        opening.result.createObjectStore(store, { keyPath, autoIncrement });
      }
    };
    await new Promise<void>((resolve, reject) => {
      opening.onerror = () => reject(opening.error);
      opening.onsuccess = () => {
        const writing = opening.result.transaction(
          stores.map((store) => store.name),
          'readwrite',
        );
        for (const { name: store, keyPath, records } of stores) {
          for (const [key, value] of records) {
            writing.objectStore(store).put(decoded(value), keyPath === null ? key : undefined);
          }
        }
        writing.oncomplete = () => {
          opening.result.close();
          resolve();
        };
        writing.onerror = () => reject(writing.error);
      };
    });
  }
}
