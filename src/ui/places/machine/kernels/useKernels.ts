/** The store of this page as a hook. */
import { useStore } from 'zustand';
import type { KernelDesk, KernelsState } from '../../../../store/desk/kernels';

export function useKernels<T>(store: KernelDesk, select: (state: KernelsState) => T): T {
  return useStore(store.store, select);
}
