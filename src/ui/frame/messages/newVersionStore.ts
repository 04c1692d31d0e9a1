/** Change to a newer version of the lab: `reload` makes it; null where there is none. */
import { createStore } from 'zustand/vanilla';

export const newVersion = createStore<{ readonly reload: (() => void) | null }>(() => ({ reload: null }));
