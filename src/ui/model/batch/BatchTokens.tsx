/** The batch as a conversation: bands by role, solid where the policy's loss weighs, numbers of the chosen token, search. */

import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import type { ChosenBatchToken } from '../../../batch/page/asked';
import { short } from '../../../batch/words/words';
import type { BatchDesk } from '../../../store/desk/batch';
import { Button } from '../../kit/Button';
import { Choice } from '../../kit/Choice';
import { SearchField } from '../../kit/Fields';
import { Titled } from '../../kit/Titled';
import { LEARNING_WORDS, learningOf } from '../tokens/Chip';
import { BatchRows } from './BatchRows';
import { tokenLink } from './tokenLink';

export function BatchTokens({ desk, trajectories }: { desk: BatchDesk; trajectories: number }) {
  const chosen = useStore(desk.store, (state) => state.chosen);
  const view = useStore(desk.store, (state) => state.laid?.view ?? 'tokens');
  return (
    <Titled title="Tokens" id="batch-tokens" className="batch-part">
      <div className="row padded">
        <Choice
          label="Show"
          place="line inline fit unbroken"
          testId="batch-view"
          value={view}
          options={[
            ['tokens', 'tokens'],
            ['groups', 'trajectories by group'],
          ]}
          onChoose={(id) => desk.look(id)}
        />
        <Button disabled={(chosen?.trajectory ?? 1) <= 1} onClick={() => desk.move('before')}>
          Previous trajectory
        </Button>
        <Button disabled={(chosen?.trajectory ?? 1) >= trajectories} onClick={() => desk.move('next')}>
          Next trajectory
        </Button>
        <Search desk={desk} />
      </div>
      <BatchRows desk={desk} />
      {chosen !== null && <Numbers chosen={chosen} />}
      {chosen !== null && <Where chosen={chosen} trajectories={trajectories} />}
    </Titled>
  );
}

function Search({ desk }: { desk: BatchDesk }) {
  const [text, setText] = useState('');
  const isMissing = useStore(desk.store, (state) => state.isMissing);
  const find = (event: FormEvent) => {
    event.preventDefault();
    desk.find(text);
  };
  return (
    <search>
      <form className="batch-search row near" onSubmit={find}>
        <label className="line">
          Search <SearchField data-testid="batch-search" text={text} onText={setText} />
        </label>
        <Button disabled={text === ''} onClick={() => desk.find(text, true)}>
          Previous match
        </Button>
        <Button type="submit" disabled={text === ''}>
          Next match
        </Button>
        <span className="small soft" role="status">
          {isMissing ? 'It is nowhere.' : ''}
        </span>
      </form>
    </search>
  );
}

/** Table of the chosen token's numbers. */
export function Numbers({ chosen: { token, text, role, numbers } }: { chosen: ChosenBatchToken }) {
  const { weight } = numbers;
  const learns =
    weight === undefined
      ? 'no loss weight is known'
      : LEARNING_WORDS[learningOf(Math.abs(weight || 0), numbers.predictWeight || 0)];
  return (
    <p className="small above-8 high" aria-live="polite" data-testid="batch-numbers">
      Token {token}, {role}, “{text}”: {learns}
      {Object.entries(NAMES)
        .filter(([name]) => Number.isFinite(numbers[name]))
        .map(([name, words]) => `; ${words} ${short(numbers[name] ?? 0)}`)
        .join('')}
      .
    </p>
  );
}

function Where({ chosen, trajectories }: { chosen: ChosenBatchToken; trajectories: number }) {
  const { trajectory, token, line, length } = chosen;
  return (
    <p className="small soft" data-testid="batch-where">
      Trajectory {trajectory} of {trajectories.toLocaleString('en')}, line {line}, token {token} of{' '}
      {length.toLocaleString('en')}. <a href={tokenLink(trajectory, token)}>Link to this token</a>
    </p>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  weight: 'loss weight',
  predictWeight: 'prediction weight',
  klWeight: 'KL weight',
  penalty: 'KL penalty in the reward',
  advantage: 'advantage',
  correction: 'sampler’s correction',
  share: '% of |∂loss/∂logp|:',
  ratio: 'ratio',
  logp: 'log-prob',
  old: 'old log-prob',
  rollout: 'rollout log-prob',
  reference: 'reference log-prob',
  values: 'value',
};
