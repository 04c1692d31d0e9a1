/**
 * The agent's part, played by hand: a button for each word that is legal, keys for them while the focus is here, and a field
 * where actions have several words or words are many.
 */

import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { WorkshopEpisode } from '../../../../environments/own/workshop/asked';
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { Button } from '../../../kit/Button';
import { writeToken } from '../../../model/tokens/tokenWords';
import { actionOfKey, keyOf } from './keys';

/** Words up to which there is no field to type in. */
const FEW = 12;

interface Props {
  readonly desk: WorldDesk;
  readonly played: WorkshopEpisode;
  readonly shown: number;
}

export function Actions({ desk, played, shown }: Props) {
  const { legal, most, turns, isDone, isText, expert } = played;
  const isLast = shown === turns.length - 1;
  const [words, setWords] = useState<readonly string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was begun belongs to its turn
  useEffect(() => setWords([]), [turns]);
  const choose = (word: string) => {
    if (most === 1) desk.act([word]);
    else if (words.length < most) setWords([...words, word]);
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isLast) return;
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === 'Backspace') {
      if (words.length > 0) setWords(words.slice(0, -1));
      else desk.back();
    } else if (event.key === 'Enter' && most > 1 && words.length > 0) desk.act(words);
    else {
      const word = actionOfKey(event.key, legal);
      if (word === undefined) return;
      choose(word);
    }
    event.preventDefault();
  };
  const ended = isDone ? 'The episode is over.' : '';
  return (
    // biome-ignore lint/a11y/useSemanticElements: keys act on the buttons inside
    <div
      className="play-actions takes-keys stack edged"
      role="group"
      aria-label="Your action. Arrow keys, digits and the words’ own letters act; Backspace takes back."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys play the world from here
      tabIndex={0}
      data-testid="play-actions"
      onKeyDown={press}
    >
      <p className="small soft low">
        {isLast
          ? ended || (isText ? 'Your turn to write.' : 'Your action: press a button, or focus here and use the keys.')
          : 'This turn has been played: go on with Next, or from here by hand.'}
        {words.length > 0 && <b> {words.map(writeToken).join(' ')}</b>}
      </p>
      {isLast && (
        <div className="play-words row near">
          {legal.map((word, index) => {
            const key = keyOf(word, index, legal);
            const hint = key === null || key === writeToken(word) ? '' : ` ${key}`;
            return (
              <Button
                key={word}
                data-action={word}
                aria-label={word + hint}
                tabIndex={index < FEW ? 0 : -1}
                onClick={() => choose(word)}
              >
                {writeToken(word)}
                {hint !== '' && (
                  <>
                    {' '}
                    <kbd>{key}</kbd>
                  </>
                )}
              </Button>
            );
          })}
        </div>
      )}
      <div className="row near">
        {isLast && isText && !isDone && <Written desk={desk} most={most} />}
        {isLast && !isText && (most > 1 || legal.length > FEW) && <Typed {...{ desk, legal, most }} />}
        {!isLast && <Button onClick={() => desk.takeOver()}>Play on from here</Button>}
        {most > 1 && !isText && (
          <Button disabled={words.length === 0} onClick={() => desk.act(words)}>
            Do it
          </Button>
        )}
        <Button
          data-testid="play-advice"
          disabled={expert === null || !isLast}
          onClick={() => expert !== null && desk.act(expert)}
        >
          As the expert
        </Button>
        {isLast && isDone && <Button onClick={() => desk.nextTask()}>Next task</Button>}
        <Button disabled={shown === 0} onClick={() => desk.back()}>
          Take back
        </Button>
        <Button onClick={() => desk.again()}>From the start</Button>
      </div>
    </div>
  );
}

/** A text that is written by hand; it goes on from what was said, so a word begins with a space. */
function Written({ desk, most }: { desk: WorldDesk } & Pick<WorkshopEpisode, 'most'>) {
  const [text, setText] = useState('');
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    desk.act([/^\w/.test(text) ? ` ${text}` : text]);
    setText('');
  };
  return (
    <form onSubmit={send} className="play-typed row near">
      <input
        className="field"
        data-testid="play-written"
        aria-label="What the agent writes"
        placeholder={`a text, up to ${most} tokens`}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" disabled={text.trim() === ''}>
        Write it
      </Button>
    </form>
  );
}

function Typed({ desk, legal, most }: { desk: WorldDesk } & Pick<WorkshopEpisode, 'legal' | 'most'>) {
  const [text, setText] = useState('');
  const id = useId();
  const words = text.split(/\s+/).filter((word) => word !== '');
  const strange = words.find((word) => !legal.includes(word));
  const problem =
    strange !== undefined ? `“${strange}” is no action here.` : words.length > most ? `At most ${most} words.` : '';
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (words.length === 0 || problem !== '') return;
    desk.act(words);
    setText('');
  };
  return (
    <form onSubmit={send} className="play-typed">
      <input
        className="field"
        data-testid="play-typed"
        aria-label={most === 1 ? 'Action' : `Action, up to ${most} words`}
        aria-describedby={`${id}-said`}
        placeholder={most === 1 ? 'type an action' : `up to ${most} words`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        list={id}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <datalist id={id}>{most === 1 && legal.map((word) => <option key={word} value={word} />)}</datalist>
      <span id={`${id}-said`} className="small soft">
        {problem}
      </span>
    </form>
  );
}
