/** How much of a page appears at once: what is drawn in one task, whatever the machine. */
import type { Page } from 'playwright-core';

/** Elements below a selector, as they came: the most in one task, and all of them. */
export interface Added {
  readonly most: number;
  readonly all: number;
}

/** From now on, and in every document that the page goes to. */
export async function watchAdded(page: Page, selector: string): Promise<void> {
  await page.addInitScript(watch, selector);
  await page.evaluate(watch, selector);
}

export const added = (page: Page): Promise<Added> =>
  page.evaluate(() => (globalThis as unknown as { added: Added }).added);

/** Runs in the page. Observers hear of a task's changes together, when it is over. */
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
