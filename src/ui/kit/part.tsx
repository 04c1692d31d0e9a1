/** Components whose code is loaded apart from the page, each within a boundary of its own. */
import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { apart } from '../../foundation/apart';
import { Boundary } from './Boundary';

/** Props of a component. */
type PropsOf<C> = C extends () => unknown ? object : C extends (props: infer P extends object) => unknown ? P : never;

/** `what`: the part, as a sentence begins. `name`: its name in the module. `waiting`: shown in its place while it is on its way. */
export function part<M, N extends keyof M>(
  what: string,
  load: () => Promise<M>,
  name: N,
  waiting: ReactNode = null,
): FunctionComponent<PropsOf<M[N]>> {
  const Bare = within(what, load, name);
  return (props) => (
    <Suspense fallback={waiting}>
      <Bare {...props} />
    </Suspense>
  );
}

/** Line in the place of a part that is on its way: “Loading the sweep.” */
export const loading = (what: string): ReactNode => <p className="small soft">Loading {what}.</p>;

/** A part that holds up all within the nearest Suspense while it is on its way. */
export function within<M, N extends keyof M>(
  what: string,
  load: () => Promise<M>,
  name: N,
): FunctionComponent<PropsOf<M[N]>> {
  const attempts = new Attempts(apart(async () => (await load())[name] as ComponentType<object>));
  return (props) => <Part what={what} attempts={attempts} given={props} />;
}

/** React keeps what a lazy component failed with, so another attempt is another component. */
class Attempts {
  readonly #load: () => Promise<ComponentType<object>>;
  newest: ComponentType<object>;

  constructor(load: () => Promise<ComponentType<object>>) {
    this.#load = load;
    this.newest = this.again();
  }

  again(): ComponentType<object> {
    this.newest = lazy(async () => ({ default: await this.#load() }));
    return this.newest;
  }
}

function Part({ what, attempts, given }: { what: string; attempts: Attempts; given: object }) {
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
