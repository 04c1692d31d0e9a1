/**
 * Any trajectory of the last batch, token by token, as the loss saw it: seen through a lens, the numbers and the formula of
 * the token under the pointer or the focus, and the same task in a second arm beside it.
 */
import { useCallback, useMemo, useState } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import type { Arm } from '../../../experiment/experiment';
import type { Inspected } from '../../../store/lab';
import type { TokenPlace } from '../../../store/look/inspector';
import type { Inspection } from '../../../train/looks/shown';
import { Dialog } from '../../kit/Dialog';
import { part } from '../../kit/part';
import { armColours } from '../../model/armColour';
import { worldOf } from '../../model/environment';
import { isHeld } from '../../model/tokens/held';
import { useInspector } from '../../model/useInspector';
import { useLab, useLabState } from '../../model/useLab';
import { AttentionTable } from '../../places/understand/why/inside/AttentionTable';
import { Choices } from './Choices';
import { Formulas } from './Formulas';
import { lensOf } from './lenses';
import { Numbers } from './Numbers';
import { type ChosenToken, Turns } from './Turns';
import { firstAction } from './tokens';
import '../../model/tokens/roles.css';
import './inspector.css';

const GroupTree = part('The group as a tree', () => import('../../places/understand/why/tree/GroupTree'), 'GroupTree');

export function Inspector() {
  const { inspector } = useLab();
  const inspected = useLabState((state) => state.inspected);
  const update = inspected?.inspections[0]?.update;
  const what = useInspector(({ view }) => (view === 'tree' ? 'Rollouts' : 'Tokens'));
  return (
    <Dialog
      title={update === undefined ? what : `${what} of update ${update}`}
      kind="inspector"
      onClose={() => inspector.close()}
    >
      <Choices inspected={inspected} />
      {inspected === null ? (
        <p className="inspector-waiting soft">Waiting for a batch: the tokens come after the update under way.</p>
      ) : (
        <Shown inspected={inspected} />
      )}
    </Dialog>
  );
}

function Shown({ inspected }: { inspected: Inspected }) {
  const { inspector } = useLab();
  const world = worldOf(useLabState((state) => (state.running ?? state.edited).environment));
  const { view, arm, other, lens, layer, head, token } = useInspector((state) => state);
  const [hovered, setHovered] = useState<TokenPlace | null>(null);
  const choose = useCallback((place: TokenPlace) => inspector.show({ token: place }), [inspector]);
  const { inspections } = inspected;
  const find = (id: string | null): Inspection | undefined => inspections.find((one) => one.arm.id === id);
  const main = find(arm) ?? inspections[0];
  const beside = find(other);
  const shown = useMemo(() => [main, beside].filter((one) => one !== undefined), [main, beside]);
  const chosen = useMemo(() => chosenOf(inspections, main, token), [inspections, main, token]);
  const colours = useMemo(() => armColours(inspections.map((one) => one.arm)), [inspections]);
  if (main === undefined || chosen === null || world === null) return null;
  if (view === 'tree' && !isHeld(main)) {
    return <GroupTree shown={shown} words={world.words} colours={colours} />;
  }
  const under = find(hovered?.arm ?? null);
  const described =
    hovered !== null && under !== undefined && hovered.index < under.tokens.length
      ? { inspection: under, index: hovered.index }
      : chosen;
  return (
    <div className="inspector-halves short grow">
      <div className="inspector-tokens shrinks">
        <p className="small soft">{lensOf(lens).help}</p>
        {lens === 'value' && <Uncriticised arms={shown.map(({ arm }) => arm)} />}
        <Remark inspected={inspected} shown={main} />
        <Turns
          {...{ shown, lens, layer, head, chosen, colours }}
          words={world.words}
          onChoose={choose}
          onHover={setHovered}
        />
      </div>
      <section className="inspector-numbers shrinks stack top" aria-label="The token in numbers">
        <Numbers {...described} words={world.words} colour={colours.get(described.inspection.arm.id)} />
        {!isHeld(main) && <Formulas {...described} />}
        {!isHeld(main) && !isFixed(described.inspection.arm) && <AttentionTable {...described} words={world.words} />}
      </section>
    </div>
  );
}

/** The token asked for, if its arm was inspected; else the first action, or the place asked for, in the arm that is shown. */
function chosenOf(
  inspections: readonly Inspection[],
  main: Inspection | undefined,
  token: TokenPlace | null,
): ChosenToken | null {
  const inspection = inspections.find((one) => one.arm.id === token?.arm) ?? main;
  if (inspection === undefined || main === undefined) return null;
  return { inspection, index: Math.min(token?.index ?? firstAction(main), inspection.tokens.length - 1) };
}

/** Says whose tokens have no value, and why. */
function Uncriticised({ arms }: { arms: readonly Arm[] }) {
  const without = arms.filter((arm) => arm.valueCoefficient === 0).map(({ name }) => name);
  if (without.length === 0) return null;
  return (
    <p className="small inspector-remark">
      {without.join(' and ')}: no critic is trained, so no token has a value. PPO and VAPO train one.
    </p>
  );
}

/** Remark on a trajectory that is not what one might take it for. */
function Remark({ inspected, shown }: { inspected: Inspected; shown: Inspection }) {
  const { choice, from } = useInspector((state) => state);
  const { seed, group, trajectory } = inspected.choice;
  const isAsked = choice.seed !== seed || choice.group !== group || choice.trajectory !== trajectory;
  const text = isAsked
    ? `Still seed ${seed}, task ${group + 1}, trajectory ${trajectory + 1}: what you chose comes after the update under way.`
    : isHeld(shown)
      ? 'This episode stays while newer ones are played. Numbers after its update, attention and its group are known of the newest batch alone.'
      : from !== shown.update
        ? `The episode you came from is of update ${from}; only the newest batch has its numbers.`
        : null;
  return text === null ? null : <p className="small inspector-remark">{text}</p>;
}
