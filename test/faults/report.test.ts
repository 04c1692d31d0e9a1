/** The table of faults keeps rows that were not injected again. */
import { expect, test } from 'vitest';
import { diskFaults } from './disks';
import { rowOf, withRows } from './report';

test('a row is replaced by its name, and stands in the registry’s order', () => {
  const [first, second, third] = diskFaults as [(typeof diskFaults)[0], (typeof diskFaults)[0], (typeof diskFaults)[0]];
  const row = (fault: typeof first, lost: string[], commit: string) =>
    new Map([[fault.name, rowOf(fault, { times: 1234, lost }, '2026-01-02', commit)]]);
  let page = withRows('', diskFaults, row(third, [], 'aaa'));
  page = withRows(page, diskFaults, row(first, ['all | of\nit', 'more'], 'bbb'));
  const rows = () => page.split('\n').filter((line) => line.startsWith('| disk'));
  expect(rows()).toEqual([
    expect.stringMatching(/^\| disk-error .* \| 1,234 \| in 2: all {3}of it +\| 2026-01-02 \| bbb/),
    expect.stringMatching(/^\| disk-full .* \| nothing +\| 2026-01-02 \| aaa/),
  ]);
  page = withRows(page, diskFaults, row(first, [], 'ccc'));
  expect(rows()[0]).toMatch(/ nothing .*ccc/);
  expect(withRows(page, [second], new Map())).not.toContain('aaa');
});
