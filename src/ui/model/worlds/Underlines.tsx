/** Legend of the lines under a book's text: each way in which tokens of these arms learn. */
import type { Arm } from '../../../experiment/experiment';
import { LEARNING_WORDS, LEARNINGS, type TokenLearning } from '../tokens/Chip';
import { learningsOf } from '../tokens/learning';
import './boards/book.css';

/** Looks of the lines, in words. */
const LINES: Readonly<Record<TokenLearning, string>> = {
  policy: 'solid line',
  predict: 'dotted line',
  both: 'double line',
  imitated: 'line above',
  own: 'wavy line',
  held: 'dashed line',
  veiled: 'no line',
};

export function Underlines({ arms }: { arms: readonly Arm[] }) {
  const found = new Set(arms.flatMap(learningsOf));
  return (
    <ul className="underlines row small" aria-label="Lines under the text" data-testid="underlines">
      {LEARNINGS.filter((learning) => found.has(learning)).map((learning) => (
        <li key={learning}>
          <span className={`line-${learning}`}>{LINES[learning]}</span>:{' '}
          {learning === 'veiled' ? 'learns nothing' : LEARNING_WORDS[learning]}
        </li>
      ))}
    </ul>
  );
}
