/**
 * Changing a belief: the activation that a probe of the cell reads is moved to another cell's, and the policy decides on. Beside
 * it stands what it does where it truly is there, and after pushes of the same length that mean nothing.
 */

import { type CSSProperties, useId, useRef, useState } from 'react';
import { isFixed } from '../../../../../experiment/arm/policyFiles';
import type { BeliefRequest, BeliefView } from '../../../../../train/looks/shown';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { StackedChoice } from '../../../../kit/Choice';
import { formatPercent, plural } from '../../../../kit/format';
import { HIDDEN, Row, Scrolling, Table } from '../../../../kit/Table';
import { worldOf } from '../../../../model/environment';
import { seedNames } from '../../../../model/seedNames';
import { useLab, useLabState } from '../../../../model/useLab';
import {
  actionSign,
  beliefWords,
  cellName,
  depthsOf,
  meanOfRandom,
  type Push,
  steeredAt,
  strengthsOf,
} from './beliefs';
import { layerName } from './probed';
import './beliefs.css';

/** Panel of beliefs; null where the world has no cells, or an action is several words. */
export function BeliefPanel() {
  const run = useLabState((state) => state.run);
  const world = useLabState((state) => (state.running === null ? null : worldOf(state.running.environment)));
  const { cellNamed, maxActionTokens, thoughts } = world?.environment ?? {};
  if (cellNamed === undefined || maxActionTokens !== 1 || thoughts !== undefined) return null;
  return <Beliefs key={run} />;
}

/** Last answer: a belief, or the reason why there is none. */
type Heard = { readonly view: BeliefView } | { readonly message: string; readonly advice: string };

function Beliefs() {
  const { runner } = useLab();
  const title = useId();
  const arms = useLabState((state) => state.running?.arms ?? []).filter((arm) => !isFixed(arm));
  const seeds = useLabState((state) => state.running?.seeds ?? 1);
  const update = useLabState((state) => state.update);
  const [request, setRequest] = useState<BeliefRequest>({
    arm: arms[0]?.id ?? '',
    seed: 0,
    ground: 0,
    present: null,
    believed: null,
  });
  const [push, setPush] = useState<Push>({ blocks: 1, strength: 1 });
  const [heard, setHeard] = useState<Heard | null>(null);
  const asked = useRef<BeliefRequest | null>(null);
  const ask = (change: Partial<BeliefRequest>) => {
    const next = { ...request, ...change };
    setRequest(next);
    asked.current = next;
    runner.requests.believe(next, (event) => {
      if (JSON.stringify(event.request) !== JSON.stringify(asked.current)) return;
      asked.current = null;
      setHeard(event.type === 'believed' ? { view: event.view } : event);
    });
  };
  const view = heard !== null && 'view' in heard ? heard.view : null;
  const steered = view === null ? undefined : steeredAt(view, push);
  const inTask = { present: null, believed: null };
  return (
    <section className="beliefs ruled" aria-labelledby={title} data-testid="beliefs">
      <h4 id={title}>Change what it believes</h4>
      <Caption said="Does it act on what can be read?" about="beliefs">
        A probe shows that the cell can be read, not that the policy acts on it. So the activation is moved from that of
        one cell to that of another, just before it decides, and nothing else is touched.
      </Caption>
      <div className="probe-choices row ends above-8">
        <Button data-testid="belief-ask" onClick={() => ask({})}>
          {view === null ? 'Change a belief' : 'Ask it as it is now'}
        </Button>
        {view !== null && (
          <>
            <StackedChoice
              label="Arm"
              value={request.arm}
              options={arms.map(({ id, name }) => [id, name])}
              onChoose={(arm) => ask({ arm })}
            />
            <StackedChoice
              label="Seed"
              value={String(request.seed)}
              options={seedNames(seeds).map((name) => [name, name])}
              onChoose={(seed) => ask({ seed: Number(seed), ...inTask })}
            />
            <StackedChoice
              label="Task"
              value={String(view.ground)}
              options={seedNames(view.grounds).map((name) => [name, name])}
              onChoose={(ground) => ask({ ground: Number(ground), ...inTask })}
            />
            <StackedChoice
              label="It stands on"
              value={view.present}
              options={view.cells.map(({ cell, at }) => [cell, cellName(at)])}
              onChoose={(present) => ask({ present, believed: present === view.believed ? null : view.believed })}
            />
            <StackedChoice
              label="Changed"
              value={String(steered?.blocks ?? 0)}
              options={depthsOf(view).map((blocks) => [String(blocks), layerName(blocks)])}
              onChoose={(blocks) => setPush({ ...push, blocks: Number(blocks) })}
            />
            <StackedChoice
              label="By"
              testId="belief-strength"
              value={String(push.strength)}
              options={strengthsOf(view)}
              onChoose={(strength) => setPush({ ...push, strength: Number(strength) })}
            />
          </>
        )}
      </div>
      {heard !== null && 'message' in heard && (
        <p className="small" role="status">
          {heard.message} {heard.message.endsWith(heard.advice) ? '' : heard.advice}
        </p>
      )}
      {view !== null && steered !== undefined && (
        <div className="split belief-found">
          <BeliefBoard view={view} onBelieve={(believed) => ask({ present: view.present, believed })} />
          <div className="stack top shrinks">
            <p role="status" data-testid="belief-words">
              {beliefWords(view, steered)}
            </p>
            <BeliefTable view={view} steered={steered} />
            <Caption
              said={`The policy after ${plural(view.update, 'update')}${
                update > view.update ? `, ${plural(update - view.update, 'update')} ago` : ''
              }.`}
              about="the board and the numbers"
            >
              Probabilities of legal actions at temperature 1, computed on the CPU. Signs on the board: its likeliest
              action where it truly is.
            </Caption>
          </div>
        </div>
      )}
    </section>
  );
}

/** A board of choices: each cell that one can walk to, with what the policy does there, to be believed in. */
function BeliefBoard({ view, onBelieve }: { view: BeliefView; onBelieve: (cell: string) => void }) {
  const name = useId();
  const { width, cells } = view.board;
  const standing = new Map(view.cells.map((one) => [one.at[1] * width + one.at[0], one]));
  return (
    <fieldset className="shrinks">
      <legend className="small soft">It is to believe it is on</legend>
      <div
        className="belief-board above-4"
        style={{ gridTemplateColumns: `repeat(${width}, 1fr)` }}
        data-testid="belief-board"
      >
        {cells.map((kind, index) => {
          const found = standing.get(index);
          const isPresent = found?.cell === view.present;
          const key = `${index % width},${Math.floor(index / width)}`;
          if (found === undefined || isPresent) {
            return (
              <span key={key} className={`belief-cell belief-${isPresent ? 'present' : kind}`}>
                {isPresent && (
                  <>
                    <span aria-hidden="true">{actionSign(found.likeliest)}</span>
                    <span className={HIDDEN}>it stands here</span>
                  </>
                )}
              </span>
            );
          }
          return (
            <label key={key} className="belief-cell belief-choice relative hand">
              <input
                type="radio"
                name={name}
                value={found.cell}
                checked={found.cell === view.believed}
                onChange={() => onBelieve(found.cell)}
                aria-label={`${cellName(found.at)}, where it goes ${found.likeliest}`}
              />
              <span aria-hidden="true">{actionSign(found.likeliest)}</span>
            </label>
          );
        })}
      </div>
      <p className="small soft belief-key line above-8">
        <span className="belief-cell belief-present" aria-hidden="true" /> it stands here
        <span className="belief-cell belief-goal" aria-hidden="true" /> goal
      </p>
    </fieldset>
  );
}

interface BeliefTableProps {
  readonly view: BeliefView;
  readonly steered: BeliefView['tried']['steered'][number];
}

/** Probabilities of the next action: before, with the belief changed, truly there, and after pushes that mean nothing. */
function BeliefTable({ view: { tried, actions }, steered }: BeliefTableProps) {
  const columns = {
    before: ['before', tried.before],
    after: ['believing', steered.after],
    there: ['truly there', tried.there],
    random: ['random pushes', meanOfRandom(steered)],
    elsewhere: ['to a third cell', steered.elsewhere],
  } as const;
  return (
    <Scrolling label="Probabilities of the next action">
      <Table
        className="belief-table small unbroken"
        testId="belief-table"
        columns={['Action', ...Object.values(columns).map(([head]) => head)]}
        caption="Probability of each next action"
      >
        {actions.map((word, action) => (
          <Row
            key={word}
            head={
              <>
                <span aria-hidden="true">{actionSign(word)}</span> {word}
              </>
            }
          >
            {Object.entries(columns).map(([key, [, decision]]) => (
              <td
                key={key}
                data-column={key}
                className={`belief-share belief-share-${key}`}
                style={{ '--share': decision[action] } as CSSProperties}
              >
                {formatPercent(decision[action] ?? 0)}
              </td>
            ))}
          </Row>
        ))}
      </Table>
    </Scrolling>
  );
}
