/**
 * Any trajectory of the last batch, token by token, as the loss saw it: seen through a lens, the numbers and the formula of
 * the token under the pointer or the focus, and the same task in a second arm beside it.
 */
import { useState } from 'react';
import { isFixed } from '../../experiment/policyFiles';
import type { Inspected } from '../../store/lab';
import type { Inspection } from '../../train/protocol';
import { armColours } from '../armColour';
import { Dialog } from '../dialogs/Dialog';
import { worldOf } from '../environment';
import { AttentionTable } from '../inside/AttentionTable';
import { useLab, useLabState } from '../useLab';
import { Choices } from './Choices';
import { Formulas } from './Formulas';
import { lensOf } from './lenses';
import { Numbers } from './Numbers';
import { Turns } from './Turns';
import { firstAction } from './tokens';
import { useInspector } from './useInspector';
import '../tokens/roles.css';
import './inspector.css';

export function Inspector() {
  const { inspector } = useLab();
  const inspected = useLabState((state) => state.inspected);
  const update = inspected?.inspections[0]?.update;
  return (
    <Dialog
      title={update === undefined ? 'Tokens' : `Tokens of update ${update}`}
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
  const { arm, other, lens, layer, head, token } = useInspector((state) => state);
  const [hovered, setHovered] = useState<{ arm: string; index: number } | null>(null);
  const find = (id: string | null): Inspection | undefined => inspected.inspections.find((one) => one.arm.id === id);
  const main = find(arm) ?? inspected.inspections[0];
  if (main === undefined || world === null) return null;
  const beside = find(other);
  const shown = beside === undefined ? [main] : [main, beside];
  const chosenIn = find(token?.arm ?? null) ?? main;
  const chosen = {
    inspection: chosenIn,
    index: Math.min(token?.index ?? firstAction(main), chosenIn.tokens.length - 1),
  };
  const under = hovered === null ? undefined : find(hovered.arm);
  const described =
    hovered !== null && under !== undefined && hovered.index < under.tokens.length
      ? { inspection: under, index: hovered.index }
      : chosen;
  const colours = armColours(inspected.inspections.map((one) => one.arm));
  return (
    <div className="inspector-halves">
      <div className="inspector-tokens">
        <p className="small soft">{lensOf(lens).help}</p>
        <Remark inspected={inspected} update={main.update} />
        <Turns
          shown={shown}
          lens={lens}
          place={{ layer, head }}
          chosen={chosen}
          words={world.words}
          colours={colours}
          onChoose={(place) => inspector.show({ token: place })}
          onHover={setHovered}
        />
      </div>
      <section className="inspector-numbers" aria-label="The token in numbers">
        <Numbers {...described} words={world.words} colour={colours.get(described.inspection.arm.id)} />
        <Formulas {...described} />
        {!isFixed(described.inspection.arm) && <AttentionTable {...described} words={world.words} />}
      </section>
    </div>
  );
}

/** Where what is shown is not what one might take it for. */
function Remark({ inspected, update }: { inspected: Inspected; update: number }) {
  const { choice, from } = useInspector((state) => state);
  const { seed, group, trajectory } = inspected.choice;
  const isAsked = choice.seed !== seed || choice.group !== group || choice.trajectory !== trajectory;
  const text = isAsked
    ? `Still seed ${seed + 1}, task ${group + 1}, trajectory ${trajectory + 1}: what you chose comes after the update under way.`
    : from !== update
      ? `The episode you came from is of update ${from}; only the newest batch has its numbers.`
      : null;
  return text === null ? null : <p className="small inspector-remark">{text}</p>;
}
