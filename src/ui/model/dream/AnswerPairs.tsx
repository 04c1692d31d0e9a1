/** An answer token by token: what was dreamed over what was seen, and whether they are the same. */
import { isUnused } from '../../../environments/vocabulary';
import { writeToken } from '../tokens/tokenWords';
import type { DreamedAnswer } from './answers';

/** About a token that only pads the vocabulary. */
const PADDING = 'A token that no world says: it pads the vocabulary.';

export function AnswerPairs({ answer, words }: { answer: DreamedAnswer; words: readonly string[] }) {
  const write = (token: number | undefined): string => {
    const word = words[token ?? -1] ?? '?';
    return isUnused(word) ? 'no word' : writeToken(word);
  };
  return (
    <span className="dream-pairs inline">
      {answer.seen.map((seen, index) => {
        const dreamed = answer.dreamed[index];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place in the answer
          <span key={index} className="dream-pair inline" data-same={dreamed === seen}>
            <span className="dream-token" title={isUnused(words[dreamed ?? -1] ?? '') ? PADDING : undefined}>
              {write(dreamed)}
            </span>
            <span className="soft">{dreamed === seen ? '=' : '≠'}</span>
            <span className="soft">{write(seen)}</span>
          </span>
        );
      })}
    </span>
  );
}
