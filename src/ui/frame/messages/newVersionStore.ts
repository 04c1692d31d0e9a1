/** How to change to a newer version of the lab; null where there is none. */
import { createStore } from 'zustand/vanilla';

export const newVersion = createStore<{ readonly reload: (() => void) | null }>(() => ({ reload: null }));
