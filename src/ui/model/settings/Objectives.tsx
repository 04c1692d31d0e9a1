/** Objective of each arm: the preset it began from, chosen here, and the loss that it has now. */

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
import { Button } from '../../kit/Button';
import { joinNames } from '../../kit/format';
import type { ArmColour } from '../armColour';
import { armColours } from '../armColour';
import { ArmMark } from '../arms/ArmName';
import { replaceArm } from '../arms/edits';
import { useLab, useLabState } from '../useLab';
import { ArmLoss } from './ArmLoss';
import { ObjectivePicker } from './ObjectivePicker';
import { OwnLosses } from './OwnLosses';
import { nameOfValue } from './valueNames';
import './objectives.css';

export function Objectives() {
  const arms = useLabState((state) => state.edited.arms);
  const colours = armColours(arms);
  return (
    <section className="panel" aria-labelledby="objectives">
      <div className="panel-head row tall">
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
        <h4 className="objective-arm line">
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
    <p className="small objective-changed" data-testid={`changed-${arm.id}`}>
      Changed from it: {words.join('; ')}
      {more > 0 ? `; and ${more} more` : ''}.{' '}
      <Button className="button-quiet small" onClick={onTakeBack}>
        Take back
      </Button>
    </p>
  );
}
