/** What `npm run check` makes of an audit: a vulnerability fails it, a registry that does not answer is told. */
import { expect, test } from 'vitest';
import { readAudit } from '../../scripts/audit.mjs';

test('a vulnerability is named', () => {
  const advisory = { title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-1' };
  const report = {
    vulnerabilities: {
      left: { name: 'left', severity: 'high', range: '<1.2.0', via: [advisory] },
      right: { name: 'right', severity: 'high', range: '*', via: ['left'] },
    },
  };
  expect(readAudit(JSON.stringify(report))).toEqual({
    findings: [
      'left <1.2.0: high. Prototype pollution (https://github.com/advisories/GHSA-1)',
      'right *: high. by left',
    ],
    silent: null,
  });
});

test('none is none', () => {
  expect(readAudit('{"vulnerabilities":{}}')).toEqual({ findings: [], silent: null });
});

test.each([
  [
    'a registry without audits',
    '{"message":"405 Method Not Allowed - POST https://example.org","error":{"summary":""}}',
    '405 Method Not Allowed',
  ],
  ['no connection', '{"error":{"code":"ENOTFOUND","summary":"request failed"}}', 'request failed'],
  ['no npm', '', 'npm gave no report'],
])('%s is no vulnerability', (_, output, silent) => {
  expect(readAudit(output)).toEqual({ findings: [], silent });
});
