/**
 * A trajectory as a person writes it: a line that begins with a role and a colon begins a segment, lines without one
 * continue it. The labels are not part of the text. Every segment ends with a line break.
 */
import { excerpt, LabError } from '../../foundation/errors';
import { ROLES, type Role } from '../../foundation/roles';

export interface TranscriptSegment {
  readonly role: Role;
  readonly text: string;
}

const LABEL = new RegExp(`^(${ROLES.join('|')}):[ \\t]?`, 'i');

/** Segments of a text. Throws LabError 'invalid-policy' for a text that begins without a role. */
export function parseTranscript(text: string): TranscriptSegment[] {
  const segments: { role: Role; lines: string[] }[] = [];
  for (const line of text.trimEnd().split(/\r?\n/)) {
    const label = LABEL.exec(line);
    if (label !== null) {
      segments.push({ role: (label[1] as string).toLowerCase() as Role, lines: [line.slice(label[0].length)] });
    } else if (segments.length > 0) segments.at(-1)?.lines.push(line);
    else if (line.trim() !== '') throw withoutRole(line);
  }
  if (segments.length === 0) throw withoutRole('');
  return segments.map(({ role, lines }) => ({ role, text: `${lines.join('\n')}\n` }));
}

function withoutRole(line: string): LabError {
  const what = line === '' ? 'There is no text.' : `The text begins without a role: “${excerpt(line)}”.`;
  return new LabError(
    'invalid-policy',
    what,
    `Begin each part with one of ${ROLES.map((role) => `${role}:`).join(', ')}`,
  );
}
