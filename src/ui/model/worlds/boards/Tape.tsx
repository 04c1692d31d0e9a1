/**
 * The calculator as a conversation on a paper tape: the question, then who said what, line by line; under the line drawn
 * at the end, what the grader found. Room is kept for what the episode will hold, so that nothing moves.
 */
import type { TapeScene } from '../../../../environments/scene';
import type { DrawnScene } from './Board';
import './tape.css';

/** Lines that fit; of a longer conversation the newest are shown. */
const LINES = 5;

export function Tape({ now, colour, label }: DrawnScene<TapeScene>) {
  const { question, lines, toolWorks } = now;
  const from = Math.max(0, lines.length - LINES);
  return (
    <div className="board tape fine raised" role="img" aria-label={`${label}. ${question} ${spoken(now)}`}>
      <p className="tape-question heading bold unbroken to-right">{question}</p>
      <div className="clips short grow above-4">
        {lines.slice(from).map(({ who, text, isError }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the tape
          <p key={from + index} className={`tape-line line close tape-${who} between unbroken`}>
            <span className="tape-who soft" style={who === 'agent' ? { borderColor: colour } : undefined}>
              {who}
            </span>
            <span className={isError ? 'tape-text clips bold' : 'tape-text clips'}>{text}</span>
          </p>
        ))}
      </div>
      <p className="soft to-right">{toolWords(toolWorks)}</p>
    </div>
  );
}

function toolWords(works: boolean | null): string {
  if (works === null) return 'there is no tool';
  return works ? 'the tool works' : 'the tool is down';
}

function spoken({ lines }: TapeScene): string {
  return lines.map(({ who, text }) => `${who}: ${text}.`).join(' ');
}
