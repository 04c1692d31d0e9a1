/** Pages of the places, loaded when they are first gone to. The lab is there from the beginning and has none. */
import type { FunctionComponent } from 'react';
import { within } from '../kit/part';
import type { PlaceId } from '../model/place';

/** A page. `name`: the words after the address's slash. */
type Page = FunctionComponent<{ name: string }>;

const PAGES: Readonly<Record<Exclude<PlaceId, 'lab'>, Page>> = {
  why: within('Why', () => import('../places/understand/why/Why').then((module) => module.Why)),
  sure: within('How sure', () => import('../places/understand/sure/Sure').then((module) => module.Sure)),
  training: within('Training', () =>
    import('../places/understand/training/Training').then((module) => module.Training),
  ),
  settings: within('The settings', () => import('../places/settings/Settings').then((module) => module.Settings)),
  runs: within('The page of runs', () => import('../places/runs/RunsPage').then((module) => module.RunsPage)),
  library: within('The gallery', () => import('../places/library/LibraryPage').then((module) => module.LibraryPage)),
  findings: within('The findings', () =>
    import('../places/library/findings/FindingsPage').then((module) => module.FindingsPage),
  ),
  lessons: within('The lessons', () =>
    import('../places/library/lessons/LessonsPage').then((module) => module.LessonsPage),
  ),
  methods: within('The methods', () =>
    import('../places/library/methods/MethodsPage').then((module) => module.MethodsPage),
  ),
  world: within('The editor of worlds', () =>
    import('../places/build/world/WorldPlace').then((module) => module.WorldPlace),
  ),
  loss: within('The losses', () => import('../places/build/loss/LossPage').then((module) => module.LossPage)),
  policies: within('The policies', () =>
    import('../places/runs/policies/PoliciesPage').then((module) => module.PoliciesPage),
  ),
  batch: within('Your batch', () => import('../places/understand/batch/BatchPage').then((module) => module.BatchPage)),
  kernels: within('The page of kernels', () =>
    import('../places/machine/kernels/KernelsPage').then((module) => module.KernelsPage),
  ),
  speed: within('Speed', () => import('../places/machine/speed/SpeedPanel').then((module) => module.SpeedPanel)),
};

export const pageOf = (place: PlaceId): Page | null => (place === 'lab' ? null : PAGES[place]);
