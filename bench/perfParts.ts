/** Parts of a measurement: things done with the page, each with its longest task of the main thread. */
import type { Page } from 'playwright-core';
import type { Site } from './perfMeasures';
import { longestOf, type Task, traceTasks } from './perfTasks';

export interface Part {
  readonly name: string;
  readonly longest: Task;
}

export class Parts {
  readonly found: Part[] = [];
  readonly #site: Site;
  readonly #page: Page;

  constructor(site: Site, page: Page) {
    this.#site = site;
    this.#page = page;
  }

  async trace(name: string, during: () => Promise<unknown>): Promise<readonly Task[]> {
    const tasks = await traceTasks(this.#site.browser, this.#page, async () => {
      await during();
    });
    this.found.push({ name, longest: longestOf(tasks) });
    return tasks;
  }
}

/** Parts over several goes: the median of each one's longest task, separately by processor time and by wall time. */
export function medianParts(goes: readonly (readonly Part[])[]): Part[] {
  const [first = []] = goes;
  return first.map(({ name }) => {
    const all = goes.flatMap((parts) => parts.filter((part) => part.name === name).map(({ longest }) => longest));
    const cpu = [...all].sort((a, b) => a.cpu - b.cpu)[all.length >> 1] as Task;
    const wall = [...all].sort((a, b) => a.wall - b.wall)[all.length >> 1] as Task;
    return { name, longest: { ...cpu, wall: wall.wall } };
  });
}
