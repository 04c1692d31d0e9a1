/** What `npm run build` has written to a folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Paths of the page's script and of all that this imports: without them no run can be started. The charts and the trainer's
 * Worker come meanwhile and are not among them.
 */
export function scriptsOfPage(folder: string): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  return [...html.matchAll(/(?:src|href)="\.\/([^"]*\.js)"/g)].map(([, path]) => path as string);
}
