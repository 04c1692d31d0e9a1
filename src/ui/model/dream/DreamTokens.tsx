/** The dream of a world whose answers name no places: every answer so far, what was dreamed over what was seen. */
import { useLayoutEffect, useRef } from 'react';
import type { Scene } from '../../../environments/environment';
import { AnswerPairs } from './AnswerPairs';
import type { Answer } from './answers';

interface Props {
  /** Answer after each turn up to the one shown. */
  readonly answers: readonly Answer[];
  readonly scenes: readonly Scene[];
  readonly words: readonly string[];
  readonly label: string;
}

export function DreamTokens({ answers, scenes, words, label }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const { length } = answers;
  useLayoutEffect(() => {
    if (list.current !== null && length > 0) list.current.scrollTop = list.current.scrollHeight;
  }, [length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <ol ref={list} className="dream-tokens fine shrinks raised" tabIndex={0} aria-label={label}>
      {length === 0 && <li className="soft">before the first answer</li>}
      {answers.map((answer, turn) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a turn is its place
        <li key={turn}>
          <span className="small soft">{scenes[turn + 1]?.action ?? `turn ${turn + 1}`}</span>
          {answer.seen.length === 0 ? (
            <span className="soft">the episode ended: no answer</span>
          ) : (
            <AnswerPairs answer={answer} words={words} />
          )}
        </li>
      ))}
    </ol>
  );
}
