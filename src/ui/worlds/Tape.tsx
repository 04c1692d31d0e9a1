/**
 * The calculator as a conversation: the question, then who said what. The agent speaks from the right, the tool answers
 * on a strip of paper, the grader draws a line under it. Room is kept for everything the episode will hold.
 */
import type { TapeScene } from '../../environments/environment';

interface Props {
  readonly now: TapeScene;
  /** The episode's last scene: what room is needed. */
  readonly longest: TapeScene;
  readonly colour: string;
  readonly label: string;
}

const WHO = { agent: 'agent', tool: 'tool', grader: 'grader' } as const;

export function Tape({ now, longest, colour, label }: Props) {
  return (
    <div className="board tape" role="img" aria-label={`${label}. ${now.question} ${spoken(now)}`}>
      <p className="tape-question">{now.question}</p>
      <ol className="tape-lines">
        {longest.lines.map((line, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the tape
            key={index}
            className={`tape-line tape-${line.who}${line.isError ? ' tape-error' : ''}`}
            data-future={index >= now.lines.length}
            style={line.who === 'agent' ? { borderColor: colour } : undefined}
          >
            <span className="tape-who">{WHO[line.who]}</span>
            <span className="tape-text">{line.text}</span>
          </li>
        ))}
      </ol>
      <p className="tape-tool small soft">{toolWords(now.toolWorks)}</p>
    </div>
  );
}

function toolWords(works: boolean | null): string {
  if (works === null) return 'no tool';
  return works ? 'tool works' : 'tool is down';
}

function spoken({ lines }: TapeScene): string {
  return lines.map(({ who, text }) => `${WHO[who]}: ${text}.`).join(' ');
}
