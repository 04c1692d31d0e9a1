/**
 * Every state of the page. “Every” means: whatever stands on the screen until somebody does something is here at least once.
 * That is each phase of a run, each message, each dialog and its pages, each popover, menu, tooltip and list that opens, each
 * panel and fold of src/ui, each world, each table that stands for a drawing, each way to arrive, and each answer to a mistake.
 * Not here is what passes by itself in a moment (a panel's code on its way), and what differs in its words or numbers alone:
 * another preset, another setting's help, another kernel. What would pass while one looks is held (workers.ts).
 */
import { arrivals } from './arrivals';
import { editing } from './editing';
import { elsewhere } from './elsewhere';
import { finished } from './finished';
import { firstVisit } from './firstVisit';
import type { Journey } from './journey';
import { keptRuns } from './keptRuns';
import { lessons } from './lessons';
import { policies } from './policies';
import { published } from './published';
import { training } from './training';
import { worlds } from './worlds';

export const JOURNEYS: readonly Journey[] = [
  ...firstVisit,
  ...editing,
  ...training,
  ...finished,
  ...keptRuns,
  ...lessons,
  ...arrivals,
  ...policies,
  ...worlds,
  ...published,
  ...elsewhere,
];
