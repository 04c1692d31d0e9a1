/** Pages of the places, loaded when they are first gone to. The lab is there from the beginning and has none. */
import type { FunctionComponent } from 'react';
import { within } from '../kit/part';
import type { PlaceId } from '../model/place';

/** A page. `name`: the words after the address's slash. */
type Page = FunctionComponent<{ name: string }>;

const PAGES: Readonly<Record<Exclude<PlaceId, 'lab'>, Page>> = {
  why: within('Why', () => import('../places/understand/why/Why'), 'Why'),
  sure: within('How sure', () => import('../places/understand/sure/Sure'), 'Sure'),
  training: within('Training', () => import('../places/understand/training/Training'), 'Training'),
  settings: within('The settings', () => import('../places/settings/Settings'), 'Settings'),
  runs: within('The page of runs', () => import('../places/runs/RunsPage'), 'RunsPage'),
  library: within('The gallery', () => import('../places/library/LibraryPage'), 'LibraryPage'),
  findings: within('The findings', () => import('../places/library/findings/FindingsPage'), 'FindingsPage'),
  lessons: within('The lessons', () => import('../places/library/lessons/LessonsPage'), 'LessonsPage'),
  methods: within('The methods', () => import('../places/library/methods/MethodsPage'), 'MethodsPage'),
  world: within('The editor of worlds', () => import('../places/build/world/WorldPlace'), 'WorldPlace'),
  loss: within('The losses', () => import('../places/build/loss/LossPage'), 'LossPage'),
  policies: within('The policies', () => import('../places/runs/policies/PoliciesPage'), 'PoliciesPage'),
  batch: within('Your batch', () => import('../places/understand/batch/BatchPage'), 'BatchPage'),
  kernels: within('The page of kernels', () => import('../places/machine/kernels/KernelsPage'), 'KernelsPage'),
  speed: within('Speed', () => import('../places/machine/speed/SpeedPanel'), 'SpeedPanel'),
};

export const pageOf = (place: PlaceId): Page | null => (place === 'lab' ? null : PAGES[place]);
