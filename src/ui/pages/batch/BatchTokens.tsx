/** A trajectory as tokens, a piece of it at a time: bands by role, solid where the policy's loss weighs, numbers of the chosen one. */
import { type KeyboardEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { ShownToken, ShownTokens } from '../../../batch/page/asked';
import { short } from '../../../batch/words/words';
import { type BatchDesk, TOKENS_SHOWN } from '../../../store/desk/batch';
import { Chip, LEARNING_WORDS, learningOf } from '../../kit/tokens/Chip';

interface Props {
  readonly desk: BatchDesk;
  readonly trajectories: number;
}

export function BatchTokens({ desk, trajectories }: Props) {
  const shown = useStore(desk.store, (state) => state.shown);
  if (shown === null) return null;
  const { trajectory, from, token, length, line } = shown;
  const to = (other: number, token: number) => () => desk.show(other, token);
  return (
    <section className="batch-part" aria-labelledby="batch-tokens">
      <h3 id="batch-tokens">Tokens</h3>
      <div className="batch-buttons">
        <button type="button" className="button" disabled={trajectory <= 1} onClick={to(trajectory - 1, 0)}>
          Trajectory before
        </button>
        <button
          type="button"
          className="button"
          data-testid="batch-next"
          disabled={trajectory >= trajectories}
          onClick={to(trajectory + 1, 0)}
        >
          Next trajectory
        </button>
        <button type="button" className="button" disabled={from === 0} onClick={to(trajectory, from - TOKENS_SHOWN)}>
          Earlier tokens
        </button>
        <button
          type="button"
          className="button"
          disabled={from + TOKENS_SHOWN >= length}
          onClick={to(trajectory, from + TOKENS_SHOWN)}
        >
          Later tokens
        </button>
        <span className="small soft" aria-live="polite" data-testid="batch-where">
          Trajectory {trajectory} of {trajectories.toLocaleString('en')}, line {line}: tokens {from} to{' '}
          {Math.min(length, from + TOKENS_SHOWN) - 1} of {length.toLocaleString('en')}
        </span>
      </div>
      <Strip key={`${trajectory} ${token}`} shown={shown} />
    </section>
  );
}

const learning = ({ numbers }: ShownToken) => learningOf(Math.abs(numbers.weight || 0), numbers.predictWeight || 0);

function Strip({ shown: { tokens, from, token: asked } }: { shown: ShownTokens }) {
  const [chosen, setChosen] = useState(asked - from);
  const walk = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: tokens.length - 1 },
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setChosen(Math.min(tokens.length - 1, Math.max(0, next)));
  };
  const token = tokens[chosen];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a list of hundreds of chips would be read one by one */}
      <div
        className="batch-strip"
        role="group"
        aria-label="Tokens; arrow keys walk along them"
        aria-activedescendant={`batch-token-${chosen}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk along the tokens
        tabIndex={0}
        data-testid="batch-strip"
        onKeyDown={walk}
      >
        {tokens.map((one, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
            key={at}
            className={`batch-token batch-${one.role}${one.role === tokens[at - 1]?.role ? '' : ' batch-begins'}`}
          >
            {one.role !== tokens[at - 1]?.role && <span className="batch-role small">{one.role}</span>}
            <button
              id={`batch-token-${at}`}
              type="button"
              tabIndex={-1}
              className={`strip-token${at === chosen ? ' strip-chosen' : ''}`}
              onClick={() => setChosen(at)}
            >
              <Chip learning={learning(one)}>{readable(one.text)}</Chip>
            </button>
          </span>
        ))}
      </div>
      {token !== undefined && (
        <p className="batch-numbers small" aria-live="polite" data-testid="batch-numbers">
          Token {from + chosen}, {token.role}, “{readable(token.text)}”: {LEARNING_WORDS[learning(token)]}
          {Object.entries(NAMES)
            .filter(([name]) => Number.isFinite(token.numbers[name]))
            .map(([name, words]) => `; ${words} ${short(token.numbers[name] ?? 0)}`)
            .join('')}
          .
        </p>
      )}
    </>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  weight: 'loss weight',
  predictWeight: 'prediction weight',
  advantage: 'advantage',
  share: '% of |∂loss/∂logp|:',
  ratio: 'ratio',
  logp: 'log-prob',
  old: 'old log-prob',
  rollout: 'rollout log-prob',
  reference: 'reference log-prob',
  values: 'value',
};

/** A token's text as it is seen: tokenizers write spaces and line breaks as letters, and a space alone would be nothing. */
const readable = (text: string): string => text.slice(0, 60).replace(/[Ġ▁ ]/g, '·').replace(/[Ċ\n]/g, '⏎') || '∅';
