/** A formula as MathML Core, which browsers draw by themselves; its words are beside it for screen readers. */
import { createElement, type ReactElement } from 'react';
import { type Notation, words } from '../../../foundation/notation';
import { formatSetting } from '../../kit/format';
import { speak } from './speak';

interface Props {
  readonly formula: Notation;
  /** Lines may be broken between the parts of its outermost row; a browser breaks no formula by itself. */
  readonly breakable?: boolean;
}

export function MathML({ formula, breakable = false }: Props) {
  const parts = breakable && formula.kind === 'row' ? formula.parts : [formula];
  return (
    <span className="formula">
      <span className="hidden-text">{speak(formula)}</span>
      {parts.map((part, at) =>
        createElement('math', { key: at, 'aria-hidden': 'true', displaystyle: 'true' }, spaced(part, at, parts)),
      )}
    </span>
  );
}

const THIN = '0.22em';

/** Operators that join two things, also where a term begins with one: a browser would take it for a sign there. */
const JOINING = new Set(['+', '−', '·', '=', '≤']);

/** A single Latin or Greek letter is set in italics by MathML itself; longer names stand upright. */
function draw(formula: Notation, key?: number): ReactElement {
  switch (formula.kind) {
    case 'symbol':
      return createElement('mi', { key }, formula.text);
    case 'number':
      return createElement('mn', { key }, formatSetting(formula.value));
    case 'operator': {
      const form = formula.prefix ? { form: 'prefix' } : JOINING.has(formula.text) ? { form: 'infix' } : {};
      return createElement('mo', { key, stretchy: 'false', ...form }, formula.text);
    }
    case 'words':
      return createElement('mtext', { key }, formula.text);
    case 'row':
      return createElement('mrow', { key }, formula.parts.flatMap(spaced));
    case 'under':
      return createElement('munder', { key }, draw(formula.base, 0), draw(formula.under, 1));
    case 'index':
      return createElement('msub', { key }, draw(formula.base, 0), lowered(draw(formula.index, 1)));
    case 'power':
      return createElement('msup', { key }, draw(formula.base, 0), draw(formula.power, 1));
    case 'fraction':
      return createElement('mfrac', { key }, draw(formula.over, 0), draw(formula.under, 1));
    case 'root':
      return createElement('msqrt', { key }, draw(formula.of));
    case 'cases': {
      const cell = (key: number, ...parts: readonly ReactElement[]): ReactElement =>
        createElement('mtd', { key }, ...parts);
      const lines = formula.rows.map(({ value, condition }, at) => {
        const when = condition === null ? [words('otherwise')] : [words('if '), condition];
        return createElement('mtr', { key: at }, cell(0, draw(value)), cell(1, ...when.map(draw)));
      });
      return createElement(
        'mrow',
        { key },
        createElement('mo', { key: 0, form: 'prefix', stretchy: 'true' }, '{'),
        createElement('mtable', { key: 1 }, lines),
      );
    }
    default:
      return formula satisfies never;
  }
}

/** An index as tall as any: without a font for mathematics a browser sets a low letter, such as s, on the line of its base. */
const lowered = (index: ReactElement): ReactElement =>
  createElement('mrow', { key: 1 }, createElement('mspace', { key: 0, width: '0', height: '0.95em' }), index);

/** A part with a thin space before it where it is multiplied, or applied to what follows. */
function spaced(part: Notation, at: number, parts: readonly Notation[]): ReactElement[] {
  const drawn = draw(part, 2 * at);
  const before = parts[at - 1];
  if (before === undefined || before.kind === 'operator' || part.kind === 'operator') return [drawn];
  return [createElement('mspace', { key: 2 * at + 1, width: THIN }), drawn];
}
