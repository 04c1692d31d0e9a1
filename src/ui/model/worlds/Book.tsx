/** A story as a page of a book: how it begins, until the agent goes on with it; then what the listener asks and what the agent writes, sentence by sentence. */
import type { StoryScene } from '../../../environments/environment';
import './book.css';

interface Props {
  readonly now: StoryScene;
  readonly colour: string;
  readonly label: string;
}

export function Book({ now: { begins, lines }, colour, label }: Props) {
  const spoken = lines.map(({ who, text, counts }) => `${who}: ${text}${counts ? ' (paid)' : ''}`).join(' ');
  return (
    <div className="board book close clips raised fine" role="img" aria-label={`${label}. ${begins} ${spoken}`}>
      {lines.length < 2 && <p className="soft">{begins}</p>}
      {lines.map(({ who, text, counts }, index) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the story
          key={index}
          className={who === 'listener' ? 'soft' : 'book-said breaks'}
          style={who === 'agent' ? { borderColor: colour } : undefined}
        >
          {text === '' ? '(nothing)' : text}
          {who === 'agent' && <span className="book-paid soft">{counts ? 'paid' : 'not paid'}</span>}
        </p>
      ))}
    </div>
  );
}
