/** Lines of a formula's text with their comments, in order, for printers of the text in another language. */
import type { Statement } from '../syntax';

export type SourceLine =
  | { readonly kind: 'comment'; readonly comment: string }
  | { readonly kind: 'empty' }
  /** comments: those behind the statement, and within it where it goes on over several lines. */
  | { readonly kind: 'statement'; readonly statement: Statement; readonly comment: string };

export function sourceLines(text: string, statements: readonly Statement[]): readonly SourceLine[] {
  const lines = text.replace(/\n+$/, '').split('\n');
  const lineOf = (place: number): number => text.slice(0, place).split('\n').length - 1;
  const comments = lines.map((line) => harmless(line.split('#').slice(1).join('#')).trim());
  const found: SourceLine[] = [];
  let next = 0;
  const between = (end: number): void => {
    for (; next < end; next++) {
      const comment = comments[next];
      found.push(lines[next].includes('#') ? { kind: 'comment', comment } : { kind: 'empty' });
    }
  };
  for (const statement of statements) {
    between(lineOf(statement.kind === 'param' ? statement.at.from : statement.nameAt.from));
    // An outer bracket may close on a line of its own, still behind the place where the expression's tree ends.
    const last = lineOf(statement.kind === 'param' ? statement.at.to : statement.expression.at.to);
    const own = comments.slice(next, last + 1).filter((comment) => comment !== '');
    found.push({ kind: 'statement', statement, comment: own.join(' ') });
    next = last + 1;
  }
  between(lines.length);
  return found;
}

/** Comment without characters that end a line elsewhere or turn its direction: it must be a comment in every language. */
const harmless = (comment: string): string =>
  comment.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
