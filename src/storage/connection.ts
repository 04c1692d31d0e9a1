/** A database of this browser, opened when it is needed, and again after the browser closed it. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/** `create` makes the stores of a new database. */
export function connection<Schema extends DBSchema>(
  name: string,
  version: number,
  create: (created: IDBPDatabase<Schema>) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;
  const forget = (): void => {
    opened = null;
  };
  return () => {
    opened ??= openDB<Schema>(name, version, {
      upgrade: create,
      // A newer version of the lab, in another tab, keeps things in another form and waits for this one to let go.
      blocking(_, __, { target }) {
        (target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    }).catch((cause: unknown) => {
      forget();
      throw cause;
    });
    return opened;
  };
}
