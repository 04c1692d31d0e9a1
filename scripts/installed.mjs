// Check that the packages of package.json are installed. Scripts call it before they import any of them. If one is missing,
// the process says what to do and ends with exit code 1.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const require = createRequire(import.meta.url);

/** `withTools`: those too that build and test the lab. */
export function requirePackages(withTools = true) {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const names = Object.keys({ ...dependencies, ...(withTools ? devDependencies : {}) });
  const isThere = (name) => require.resolve.paths(name).some((folder) => existsSync(join(folder, name)));
  const missing = names.filter((name) => !isThere(name));
  if (missing.length === 0) return;
  const none = missing.length === names.length;
  const what = none ? 'The lab’s packages are not installed.' : `Packages are missing: ${missing.join(', ')}.`;
  console.error(`${what} Run: npm install`);
  process.exit(1);
}
