/**
 * Page of kernels: what each computes, its WGSL, its agreement with the float64 reference on this very device, and its
 * speed; and other projects' numbers from a fixture file, recomputed. The lab keeps its state meanwhile.
 */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { KernelsState } from '../../../../store/desk/kernels';
import { useArrived } from '../../../kit/part';
import { placeLink } from '../../../model/place';
import { useInspector } from '../../../model/useInspector';
import { useLab } from '../../../model/useLab';
import { KernelView } from './KernelView';
import { Overview } from './Overview';
import './kernels.css';

/** Store until the real one is there. */
const AWAITED = createStore<Pick<KernelsState, 'kernels' | 'ended'>>(() => ({ kernels: null, ended: null }));

/** `name` is the kernel’s; empty for the list of all. */
export function KernelsPage({ name: kernel }: { name: string }) {
  const store = useArrived(useLab().kernels);
  const kernels = useStore(store?.store ?? AWAITED, (state) => state.kernels);
  const ended = useStore(store?.store ?? AWAITED, (state) => state.ended);
  const inspecting = useInspector((state) => state.isOpen);
  const main = useRef<HTMLElement>(null);
  const before = useRef<string | null>(null);
  useEffect(() => store?.load(), [store]);
  useLayoutEffect(() => {
    if (before.current !== kernel) scrollTo(0, 0);
    // Not when the page is opened by its link: there the focus is at the beginning anyway.
    if (before.current !== null && before.current !== kernel) main.current?.focus({ preventScroll: true });
    before.current = kernel;
  }, [kernel]);
  useEffect(() => {
    const { title } = document;
    document.title = kernel === '' ? 'Kernels · Unmask' : `${kernel} · Unmask`;
    return () => {
      document.title = title;
    };
  }, [kernel]);
  const one = kernels?.find(({ name }) => name === kernel) ?? null;
  // Their texts come from a Worker, some seconds late on a machine that trains.
  const waiting = <p className="soft">{ended === null ? 'Loading the kernels.' : `${ended.what} ${ended.advice}`}</p>;
  return (
    <main ref={main} className="kernels" tabIndex={-1} data-testid="kernels" data-kernel={kernel}>
      {inspecting && (
        <p className="small">
          <a href={placeLink('lab')} data-testid="kernels-to-token">
            Back to the token
          </a>
        </p>
      )}
      {kernel === '' ? (
        <Overview store={store} kernels={kernels}>
          {waiting}
        </Overview>
      ) : store === null || kernels === null ? (
        waiting
      ) : one === null ? (
        <p>
          There is no kernel called {kernel}. <a href={placeLink('kernels')}>All kernels</a>
        </p>
      ) : (
        <KernelView key={one.name} store={store} kernels={kernels} kernel={one} />
      )}
    </main>
  );
}
