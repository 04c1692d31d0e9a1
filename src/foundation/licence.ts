/** Licences of files, as SPDX writes them: spdx.github.io/spdx-spec, annex “SPDX license expressions”. */

/** SPDX's word for a licence that nobody has stated. */
export const NO_LICENCE = 'NOASSERTION';

/** Licence of the lab, of the policies that come with it, and of those it saves where nobody says otherwise. */
export const LAB_LICENCE = 'Apache-2.0';

/** Licences offered for a choice. */
export const COMMON_LICENCES = ['CC0-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'MIT', 'Apache-2.0', 'BSD-3-Clause'] as const;

const MOST_CHARACTERS = 200;

const WORD = '[A-Za-z0-9.-]+';
const NAME = `(?!(?:AND|OR|WITH|NONE|${NO_LICENCE})(?![A-Za-z0-9.-]))(?:(?:DocumentRef-${WORD}:)?LicenseRef-${WORD}|${WORD}\\+?)`;
/** Mark in place of a part in parentheses. */
const GROUP = '#';
const TERM = `(?:${GROUP}|${NAME}(?: +WITH +${NAME})?)`;
const LIST = `${TERM}(?: +(?:AND|OR) +${TERM})*`;
const WHOLE = new RegExp(`^${LIST}$`);
const INNERMOST = new RegExp(`\\( *${LIST} *\\)`, 'g');

/** True if a text is such an expression; its names are not looked up in SPDX's list. */
export function isLicence(text: string): boolean {
  if (text === NO_LICENCE || text === 'NONE') return true;
  if (text.length > MOST_CHARACTERS || text.includes(GROUP)) return false;
  let rest = text;
  for (let before = ''; rest !== before; ) {
    before = rest;
    rest = rest.replace(INNERMOST, ` ${GROUP} `);
  }
  return WHOLE.test(rest.trim());
}
