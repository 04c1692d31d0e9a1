/** Files that `npm run build` has written to a folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths of the page's script and of everything that it imports: no run can be started before they are loaded. The charts
 * and the trainer's Worker are loaded later and are not included.
 */
export function scriptsOfPage(folder: string): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  return [...html.matchAll(/(?:src|href)="\.\/([^"]*\.js)"/g)].map(([, path]) => path as string);
}
