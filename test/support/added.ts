/** Number of elements that a page adds in one task, which does not depend on the machine's speed. */
import type { Page } from 'playwright-core';

/** Number of added elements that match a selector: the most in one task, and all. */
export interface Added {
  readonly most: number;
  readonly all: number;
}

/** Counts from now on, and in every document that the page goes to. */
export async function watchAdded(page: Page, selector: string): Promise<void> {
  await page.addInitScript(watch, selector);
  await page.evaluate(watch, selector);
}

export const added = (page: Page): Promise<Added> =>
  page.evaluate(() => (globalThis as unknown as { added: Added }).added);

/** Counter; runs in the page. An observer gets all changes of a task together, at its end. */
function watch(selector: string): void {
  let [most, all] = [0, 0];
  const tell = () => Object.assign(globalThis, { added: { most, all } });
  tell();
  new MutationObserver((changes) => {
    const came = new Set<Element>();
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue;
      if (node.matches(selector)) came.add(node);
      for (const element of node.querySelectorAll(selector)) came.add(element);
    }
    most = Math.max(most, came.size);
    all += came.size;
    tell();
  }).observe(document, { childList: true, subtree: true });
}
