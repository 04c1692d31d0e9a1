/** Programs of Python, for tests of what other projects make of the lab's files. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

export const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' });

/** True where python3 has these modules. */
export const hasModules = (modules: string): boolean => python('-c', `import ${modules}`).status === 0;

/** JSON that a program prints which reads JSON; it must succeed. */
export function pythonOn<T>(program: string, input: object): T {
  const { status, stdout, stderr } = spawnSync('python3', [program], {
    encoding: 'utf8',
    input: JSON.stringify(input),
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}
