/** Licence expressions of SPDX are accepted, and nothing else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMON_LICENCES, isLicence, NO_LICENCE } from '../../src/foundation/licence';

test.each([
  ...COMMON_LICENCES,
  NO_LICENCE,
  'NONE',
  'GPL-2.0-or-later WITH Classpath-exception-2.0',
  'GPL-2.0+',
  '(MIT OR (Apache-2.0 AND CC-BY-4.0))',
  'DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2',
])('%s', (text) => expect(isLicence(text)).toBe(true));

test.each([
  '',
  'all mine',
  'MIT OR',
  'OR',
  'MIT, Apache-2.0',
  '(MIT',
  'MIT)',
  'x(MIT)',
  '(MIT) WITH x',
  'MIT OR NOASSERTION',
  '#',
  'M'.repeat(201),
])('“%s” is none', (text) => expect(isLicence(text)).toBe(false));

test('expressions joined are expressions, and one character more may break them', () => {
  const one = fc.constantFrom<string>(...COMMON_LICENCES, '(MIT AND CC0-1.0)');
  const joined = fc
    .array(one, { minLength: 1, maxLength: 5 })
    .chain((parts) => fc.constantFrom(' AND ', ' OR ').map((operator) => parts.join(operator)));
  fc.assert(fc.property(joined, (text) => isLicence(text) && isLicence(`(${text})`) && !isLicence(`${text} OR`)));
});
