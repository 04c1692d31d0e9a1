/**
 * Changing a belief: the activation that a probe of the cell reads is moved to another cell's, and the policy decides on. Beside
 * it stands what it does where it truly is there, and after pushes of the same length that mean nothing.
 */

import { useId, useRef, useState } from 'react';
import { isFixed } from '../../../../../experiment/arm/policyFiles';
import type { BeliefRequest, BeliefView } from '../../../../../train/looks/shown';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { Choice } from '../../../../kit/Choice';
import { plural } from '../../../../kit/format';
import { worldOf } from '../../../../model/environment';
import { seedNames } from '../../../../model/seedNames';
import { useLab, useLabState } from '../../../../model/useLab';
import { BeliefBoard } from './BeliefBoard';
import { BeliefTable } from './BeliefTable';
import { beliefWords, cellName, depthsOf, type Push, steeredAt, strengthsOf } from './beliefs';
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
    runner.believe(next, (event) => {
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
            <Choice
              place="stack close small soft"
              label="Arm"
              value={request.arm}
              options={arms.map(({ id, name }) => [id, name])}
              onChoose={(arm) => ask({ arm })}
            />
            <Choice
              place="stack close small soft"
              label="Seed"
              value={String(request.seed)}
              options={seedNames(seeds).map((name) => [name, name])}
              onChoose={(seed) => ask({ seed: Number(seed), ...inTask })}
            />
            <Choice
              place="stack close small soft"
              label="Task"
              value={String(view.ground)}
              options={seedNames(view.grounds).map((name) => [name, name])}
              onChoose={(ground) => ask({ ground: Number(ground), ...inTask })}
            />
            <Choice
              place="stack close small soft"
              label="It stands on"
              value={view.present}
              options={view.cells.map(({ cell, at }) => [cell, cellName(at)])}
              onChoose={(present) => ask({ present, believed: present === view.believed ? null : view.believed })}
            />
            <Choice
              place="stack close small soft"
              label="Changed"
              value={String(steered?.blocks ?? 0)}
              options={depthsOf(view).map((blocks) => [String(blocks), layerName(blocks)])}
              onChoose={(blocks) => setPush({ ...push, blocks: Number(blocks) })}
            />
            <Choice
              place="stack close small soft"
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
