/**
 * A story as a page of a book: how it begins, until the agent goes on with it; then what the listener asks and what the agent writes,
 * sentence by sentence, with a line under what carries a loss.
 */
import type { ReactNode } from 'react';
import type { StoryScene, WrittenTokens } from '../../../../environments/scene';
import { LEARNING_WORDS, type TokenLearning } from '../../tokens/Chip';
import type { DrawnScene } from './Board';
import './book.css';

type LearningOf = (index: number) => TokenLearning;

interface Props extends DrawnScene<StoryScene> {
  /** Learning of a token of the episode; absent where nobody learns from it. */
  readonly learning: LearningOf | undefined;
}

export function Book({ now: { begins, lines }, colour, label, learning = () => 'veiled' }: Props) {
  const isBegun = lines.some(({ who }) => who === 'agent');
  const beginning = runsOf(begins, learning);
  const shown = lines.map((line) => ({ ...line, runs: runsOf(line, learning) }));
  const spoken = shown.map(({ who, runs, counts }) => `${who}: ${said(runs)}${counts ? ' (paid)' : ''}`);
  return (
    <div
      className="board book close clips raised fine"
      role="img"
      aria-label={[`${label}.`, said(beginning), ...spoken].join(' ')}
    >
      {!isBegun && <Line runs={beginning} className="soft" />}
      {shown.map(({ who, runs, counts, from }) =>
        who === 'listener' ? (
          <Line key={from} runs={runs} className="soft" />
        ) : (
          <Line key={from} runs={runs} className="book-said breaks" colour={colour}>
            <span className="book-paid soft">{counts ? 'paid' : 'not paid'}</span>
          </Line>
        ),
      )}
    </div>
  );
}

/** Text that learns in one way. */
interface Run {
  readonly learning: TokenLearning;
  readonly text: string;
}

function runsOf({ from, pieces }: WrittenTokens, learning: LearningOf): readonly Run[] {
  const runs: Run[] = [];
  for (const [i, piece] of pieces.entries()) {
    const last = runs.at(-1);
    const now = learning(from + i);
    if (last?.learning === now) runs[runs.length - 1] = { ...last, text: last.text + piece };
    else runs.push({ learning: now, text: piece });
  }
  return runs.filter(({ text }) => text !== '');
}

/** Text of runs for screen readers. */
const said = (runs: readonly Run[]): string =>
  runs
    .map(({ text, learning }) => (learning === 'veiled' ? text.trim() : `${text.trim()} [${LEARNING_WORDS[learning]}]`))
    .join(' ');

interface LineProps {
  readonly runs: readonly Run[];
  readonly className: string;
  readonly colour?: string;
  readonly children?: ReactNode;
}

function Line({ runs, className, colour, children }: LineProps) {
  const isSilent = runs.every(({ text }) => text.trim() === '');
  return (
    <p className={className} style={colour === undefined ? undefined : { borderColor: colour }}>
      {isSilent
        ? '(nothing)'
        : runs.map(({ learning, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place in the line
            <span key={at} className={`line-${learning}`}>
              {text}
            </span>
          ))}
      {children}
    </p>
  );
}
