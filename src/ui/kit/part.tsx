/** Components whose code is loaded apart from the page, each within a boundary of its own. */
import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { apart } from '../../foundation/apart';
import { Boundary } from './Boundary';

/** `what`: the part, as a sentence begins. `waiting`: shown in its place while it is on its way. */
export function part<P extends object>(
  what: string,
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): FunctionComponent<P> {
  const Bare = within(what, load);
  return (props) => (
    <Suspense fallback={waiting}>
      <Bare {...props} />
    </Suspense>
  );
}

/** A part that holds up all within the nearest Suspense while it is on its way. */
export function within<P extends object>(what: string, load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  const attempts = new Attempts(apart(load));
  return (props) => <Part what={what} attempts={attempts as unknown as Attempts<object>} given={props} />;
}

/** React keeps what a lazy component failed with, so another attempt is another component. */
class Attempts<P extends object> {
  readonly #load: () => Promise<ComponentType<P>>;
  newest: ComponentType<P>;

  constructor(load: () => Promise<ComponentType<P>>) {
    this.#load = load;
    this.newest = this.again();
  }

  again(): ComponentType<P> {
    this.newest = lazy(async () => ({ default: await this.#load() })) as ComponentType<P>;
    return this.newest;
  }
}

function Part({ what, attempts, given }: { what: string; attempts: Attempts<object>; given: object }) {
  const [Shown, setShown] = useState(() => attempts.newest);
  return (
    <Boundary what={what} onAgain={() => setShown(() => attempts.again())}>
      <Shown {...given} />
    </Boundary>
  );
}

/** Value that a loader gives; null until then. A failure is thrown to the nearest boundary. */
export function useArrived<T>(load: () => Promise<T>): T | null {
  const [arrived, setArrived] = useState<T | null>(null);
  useEffect(() => {
    let isWanted = true;
    const fail = (cause: unknown) => () => {
      throw cause;
    };
    load().then(
      (value) => isWanted && setArrived(() => value),
      (cause) => isWanted && setArrived(fail(cause)),
    );
    return () => {
      isWanted = false;
    };
  }, [load]);
  return arrived;
}
