/** Objective of each arm: the preset it began from, chosen here, and the loss that it has now. */

import { useMemo } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { type Arm, findArmSetting, getArmSetting } from '../../../experiment/experiment';
import { aboutArm } from '../../../experiment/objectives/objectiveAbout';
import {
  changedFromObjective,
  choosingObjective,
  findObjective,
  type ObjectivePreset,
  valueInPreset,
  withObjective,
} from '../../../experiment/objectives/objectivePresets';
import { equals, row } from '../../../foundation/notation';
import { rolesIn } from '../../../foundation/roles';
import { spelledOut } from '../../../hyperparameters/weights';
import { Button } from '../../kit/Button';
import { joinNames } from '../../kit/format';
import { type ArmColour, armColours } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import { replaceArm } from '../arms/edits';
import { worldOf } from '../environment';
import { lossOf } from '../formula/loss';
import { MathML } from '../formula/MathML';
import { Chip } from '../tokens/Chip';
import { useLab, useLabState } from '../useLab';
import { ObjectivePicker } from './ObjectivePicker';
import { OwnLosses } from './OwnLosses';
import { nameOfValue } from './valueNames';
import './objectives.css';

export function Objectives() {
  const arms = useLabState((state) => state.edited.arms);
  const colours = armColours(arms);
  return (
    <section className="panel" aria-labelledby="objectives">
      <div className="row row-close tall">
        <h3 id="objectives">What each arm minimises</h3>
        <p className="small soft panel-note">Numbers in the formulas are the arm’s own, and follow every control.</p>
      </div>
      {arms
        .filter((arm) => !isFixed(arm))
        .map((arm) => (
          <ArmObjective key={arm.id} arm={arm} colour={colours.get(arm.id)} />
        ))}
    </section>
  );
}

function ArmObjective({ arm, colour }: { arm: Arm; colour: ArmColour | undefined }) {
  const lab = useLab();
  const preset = findObjective(arm.objective);
  const take = (chosen: ObjectivePreset, how: typeof withObjective) =>
    lab.editor.edit(replaceArm(lab.store.getState().edited, arm.id, (now) => how(now, chosen)));
  const { citation, reason, caveat } = aboutArm(arm);
  return (
    <article className="objective split ruled" aria-label={`Objective of ${arm.name}`}>
      <div className="stack top">
        <h4 className="line steady">
          <ArmMark colour={colour} /> {arm.name}
        </h4>
        <ObjectivePicker
          label={`Objective of ${arm.name}`}
          value={arm.objective}
          testId={`objective-of-${arm.id}`}
          onChange={(chosen) => take(chosen, choosingObjective)}
        />
        {reason !== '' && (
          <p className="small soft">
            {reason} {caveat} <Citation text={citation} />
          </p>
        )}
        {arm.losses.some(({ place }) => place !== 'added') && (
          <p className="small" data-testid={`replaced-${arm.id}`}>
            Not as published: {joinNames(arm.losses.filter(({ place }) => place !== 'added').map(({ name }) => name))}{' '}
            takes the place of a part of it.
          </p>
        )}
        <OwnLosses arm={arm} />
        <Changed arm={arm} preset={preset} onTakeBack={() => take(preset, withObjective)} />
      </div>
      <ArmLoss arm={arm} />
    </article>
  );
}

function Citation({ text }: { text: string }) {
  const id = /^arXiv (\S+)$/.exec(text)?.[1];
  if (text === 'made for this lab') return null;
  if (id === undefined) return <span className="citation unbroken">Source: {text}.</span>;
  return (
    <a className="citation unbroken" href={`https://arxiv.org/abs/${id}`} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

const SHOWN = 4;

function Changed({ arm, preset, onTakeBack }: { arm: Arm; preset: ObjectivePreset; onTakeBack: () => void }) {
  const changed = changedFromObjective(arm);
  if (changed.length === 0) return null;
  const words = changed.slice(0, SHOWN).map((path) => {
    const label = findArmSetting(path)?.label ?? path;
    return `${label} ${nameOfValue(path, getArmSetting(arm, path))} (${nameOfValue(path, valueInPreset(preset, path))})`;
  });
  const more = changed.length - SHOWN;
  return (
    <p className="small" data-testid={`changed-${arm.id}`}>
      Changed from it: {words.join('; ')}
      {more > 0 ? `; and ${more} more` : ''}.{' '}
      <Button className="button-quiet small low" onClick={onTakeBack}>
        Take back
      </Button>
    </p>
  );
}

/** An arm's loss as a formula with its numbers put in. Terms wrap as words do; beneath stands what the symbols mean. */
function ArmLoss({ arm }: { arm: Arm }) {
  const environment = worldOf(useLabState((state) => state.edited.environment))?.environment ?? null;
  const hasThoughts = rolesIn(environment).includes('thought');
  const { terms, definitions } = useMemo(
    () => lossOf(hasThoughts ? spelledOut(arm) : arm, environment),
    [arm, hasThoughts, environment],
  );
  return (
    <div className="loss" data-testid={`loss-${arm.id}`}>
      <div className="loss-terms row">
        <span className="loss-left">
          <MathML formula={row('L', equals)} />
        </span>
        {terms.map(({ id, caption, learning, formula }, index) => (
          <span key={id} className="loss-term fit shrinks" data-term={id}>
            <span className="small soft line steady">
              {learning === null ? caption : <Chip learning={learning}>{caption}</Chip>}
            </span>
            <span className="loss-line">
              {index === 0 && (
                <span className="loss-left-narrow" aria-hidden="true">
                  <MathML formula={row('L', equals)} />
                </span>
              )}
              <MathML formula={formula} breakable />
            </span>
          </span>
        ))}
        {terms.length === 0 && <p className="small soft">nothing: no token has a loss.</p>}
      </div>
      {definitions.length > 0 && (
        <ul className="loss-symbols small soft row above-8">
          {definitions.map(({ formula, remark }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a definition is its place in the list
            <li key={index}>
              {formula !== null && <MathML formula={formula} />}
              {formula !== null && remark !== '' ? ': ' : ''}
              {remark}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
