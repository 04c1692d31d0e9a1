/** The store of this page as a hook. */
import { useStore } from 'zustand';
import type { Kernels, KernelsState } from '../../../../store/desk/kernels';

export function useKernels<T>(store: Kernels, select: (state: KernelsState) => T): T {
  return useStore(store.store, select);
}
