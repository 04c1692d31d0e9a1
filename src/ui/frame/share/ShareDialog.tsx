/** The experiment as a link or a file, with a list of its contents; or an experiment from a file. */

import { useRef, useState } from 'react';
import type { Experiment } from '../../../experiment/experiment';
import { type ChallengeStep, challengeIn, withChallenge } from '../../../experiment/link/challenge';
import { HIDEABLE, HIDEABLES, type Hideable, withHidden } from '../../../experiment/link/hidden';
import { isEventful } from '../../../experiment/machines';
import { textOf } from '../../../experiment/ownWorld';
import { asLabError, withoutAdvice } from '../../../foundation/errors';
import { readExperimentFile, shareFile, shareLink } from '../../../store/edit/arrival';
import { Button } from '../../kit/Button';
import { Dialog } from '../../kit/Dialog';
import { FileButton } from '../../kit/FileButton';
import { part } from '../../kit/part';
import { saveFile } from '../../kit/saveFile';
import { fileName } from '../../model/files/names';
import { useLab } from '../../model/useLab';
import { ChallengeChoice } from './ChallengeChoice';
import { EmbedSnippet } from './EmbedSnippet';
import { RunFiles } from './RunFiles';

const TakeToScale = part(
  'Taking an arm to scale',
  () => import('./TakeToScale').then((module) => module.TakeToScale),
  <p className="small soft">Loading the trainers.</p>,
);

/** Contents of the link beside seeds and changes. */
const contentsOf = ({ environment, preset }: Experiment): string =>
  textOf(environment.settings)?.startsWith('@') === false
    ? 'your world’s program and every setting'
    : `every setting that differs from the preset “${preset}”`;

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const lab = useLab();
  const [experiment] = useState(() => lab.editor.shared());
  const [scale, setScale] = useState(false);
  const [said, setSaid] = useState('');
  const [machines] = useState(() => lab.editor.sharedMachines());
  const [hidden, setHidden] = useState(() => lab.store.getState().hidden);
  const written = useRef<HTMLInputElement>(null);
  const measured = lab.store.getState().update > 0;
  const [challenge, setChallenge] = useState<readonly ChallengeStep[]>(() =>
    challengeIn(lab.store.getState().challenge, experiment),
  );
  const link = withChallenge(withHidden(shareLink(experiment, machines, location.href), hidden), challenge);
  const changes = experiment.timeline.length;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setSaid('The link is in your clipboard.');
    } catch {
      written.current?.focus();
      written.current?.select();
      setSaid('The browser did not allow copying: the link is selected, copy it yourself.');
    }
  };
  const open = async (file: File) => {
    try {
      const arrival = await readExperimentFile(file);
      onClose();
      lab.leaving.ask(`The file that you opened brings another: “${arrival.experiment.title}”.`, () =>
        lab.take(arrival),
      );
    } catch (cause) {
      const { message, advice } = asLabError(cause);
      setSaid(`${withoutAdvice(message, advice)} ${advice}`);
    }
  };
  return (
    <Dialog title="Share this experiment" onClose={onClose}>
      <p>
        The link holds {contentsOf(experiment)}
        {changes === 0 ? ', and' : ','} the seeds
        {changes === 0 ? '' : `, and the ${changes === 1 ? 'change' : `${changes} changes`} made while training`}.{' '}
        {isEventful(machines) ? 'It also tells what the run ran on, because that changed under way. ' : ''}Whoever opens
        it runs the same experiment themselves; what came of yours goes along only in the link with the result
        {measured ? ', below' : ', offered here once it has run'}.
      </p>
      <input
        ref={written}
        className="field share-url full"
        data-testid="share-url"
        aria-label="Link to this experiment"
        readOnly
        value={link}
        onFocus={({ target }) => target.select()}
      />
      <div className="dialog-buttons">
        <Button className="button-primary" data-testid="copy-link" onClick={copy}>
          Copy the link
        </Button>
        <Button
          onClick={() =>
            saveFile(
              fileName(experiment.preset, 'experiment'),
              new Blob([shareFile(experiment, machines)], { type: 'application/json' }),
            )
          }
        >
          Save as a file
        </Button>
        <FileButton words="Open a file" accept="application/json,.json" onChoose={([file]) => void open(file)} />
      </div>
      <ChallengeChoice experiment={experiment} challenge={challenge} onChange={setChallenge} />
      <HideChoices hidden={hidden} onChange={setHidden} />
      <EmbedSnippet link={link} />
      <RunFiles link={link} />
      <details className="small" onToggle={({ currentTarget }) => setScale(currentTarget.open)}>
        <summary data-testid="scale">Take an arm to scale: verl, prime-rl, TRL, OpenRLHF …</summary>
        {scale && <TakeToScale />}
      </details>
      <p className="small" aria-live="polite">
        {said}&nbsp;
      </p>
    </Dialog>
  );
}

interface Props {
  readonly hidden: readonly Hideable[];
  readonly onChange: (hidden: readonly Hideable[]) => void;
}

/** Parts of the page that a link hides at first: for a lesson in which only one thing is to be changed. */
function HideChoices({ hidden, onChange }: Props) {
  return (
    <details className="small">
      <summary data-testid="hide">
        Hide from the receiver{hidden.length === 0 ? '' : `: ${hidden.length} of ${HIDEABLES.length}`}
      </summary>
      <fieldset className="cards stack row-close above-8">
        <legend className="soft">The page says what is hidden, and shows it when asked.</legend>
        {HIDEABLES.map((part) => (
          <label key={part}>
            <input
              type="checkbox"
              data-testid={`hide-${part}`}
              checked={hidden.includes(part)}
              onChange={({ target }) =>
                // In the list's order, so that the same choice is the same link.
                onChange(HIDEABLES.filter((one) => (one === part ? target.checked : hidden.includes(one))))
              }
            />{' '}
            {HIDEABLE[part]}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
