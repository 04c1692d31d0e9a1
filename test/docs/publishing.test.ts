/** The guide for hosts gives the headers that the lab's own servers send. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HEADERS, POLICY } from '../../scripts/headers.mjs';

test('the headers in docs/publishing.md are those that are sent', () => {
  const guide = readFileSync('docs/publishing.md', 'utf8');
  expect(guide).toContain(`\n${POLICY}\n`);
  for (const [name, value] of Object.entries(HEADERS)) {
    const said = value === POLICY ? '"POLICY"' : value;
    expect(guide).toContain(`add_header ${name} ${said};`);
    expect(guide).toContain(`Header set ${name} ${said}\n`);
    expect(guide).toContain(`"key": "${name}", "value": "${value === POLICY ? 'POLICY' : value}"`);
  }
});
