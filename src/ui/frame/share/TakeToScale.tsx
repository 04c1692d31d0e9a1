/** An arm as configuration of a trainer of language models, to copy or save. */

import { useState } from 'react';
import { isFixed } from '../../../experiment/arm/policyFiles';
import { folderCommand } from '../../../experiment/scale/folder';
import { configurationOf } from '../../../experiment/scale/trainer';
import { type ForeignTrainer, TRAINERS } from '../../../experiment/scale/trainers';
import { Button } from '../../kit/Button';
import { Choice } from '../../kit/Choice';
import { CopyButton, CopyText, copied } from '../../kit/Fields';
import { saveFile } from '../../kit/saveFile';
import { useLab } from '../../model/useLab';

export function TakeToScale() {
  const lab = useLab();
  const [experiment] = useState(() => lab.editor.shared());
  // Update on screen: changes that have acted are in the arm.
  const [update] = useState(() => lab.store.getState().update);
  const arms = experiment.arms.filter((arm) => !isFixed(arm));
  const [armId, setArm] = useState(arms.find(({ ce }) => ce.observation > 0)?.id ?? arms[0]?.id);
  const [trainer, setTrainer] = useState<ForeignTrainer>(TRAINERS[0] as ForeignTrainer);
  const arm = arms.find(({ id }) => id === armId);
  if (arm === undefined)
    return <p>Every arm here is a fixed policy: nothing is trained that a trainer could repeat.</p>;
  const text = configurationOf(trainer, experiment, arm, update);
  const command = folderCommand(trainer, experiment, arm);
  return (
    <div className="scale stack above-8">
      <div className="dialog-buttons">
        <Choice aria-label="Arm" value={arm.id} options={arms.map(({ id, name }) => [id, name])} onChoose={setArm} />
        <Choice
          aria-label="Trainer"
          value={trainer.id}
          options={TRAINERS.map(({ id, title }) => [id, title])}
          onChoose={(chosen) => setTrainer(TRAINERS.find(({ id }) => id === chosen) ?? trainer)}
        />
        <CopyButton className="button-primary" onCopy={() => copied('The command', command)}>
          Copy the command
        </CopyButton>
      </div>
      <p className="small">
        In a clone of the lab, after <code>npm ci</code>, the command writes a folder: the world as a server, the arm’s
        losses and settings, and a README whose commands lead to the first update.
      </p>
      <CopyText data-testid="scale-command" aria-label="Command that writes the folder" rows={3} value={command} />
      <div className="dialog-buttons">
        <span className="small">The configuration alone:</span>
        <CopyButton onCopy={() => copied('The configuration', text)}>Copy</CopyButton>
        <Button onClick={() => saveFile(`unmask-${arm.id}-${trainer.id}.${trainer.extension}`, new Blob([text]))}>
          Save
        </Button>
      </div>
      <CopyText
        className="field scale-text full scrolls"
        data-testid="scale-text"
        aria-label={`Configuration for ${trainer.title}`}
        rows={14}
        value={text}
      />
    </div>
  );
}
