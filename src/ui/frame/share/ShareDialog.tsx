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
import { Caption } from '../../kit/Caption';
import { Choice } from '../../kit/Choice';
import { Dialog } from '../../kit/Dialog';
import { Check, CopyButton, CopyField, CopyText, copied, Refusal } from '../../kit/Fields';
import { FileButton } from '../../kit/FileButton';
import { plural } from '../../kit/format';
import { loading, part } from '../../kit/part';
import { saveFile } from '../../kit/saveFile';
import { decisiveCharts } from '../../model/charts/kinds/decisiveDefinitions';
import { otherCharts } from '../../model/charts/kinds/definitions';
import { embedLink, frameOf } from '../../model/embedAddress';
import { fileName } from '../../model/files/names';
import { useLab, useLabState } from '../../model/useLab';
import { RunFiles } from './RunFiles';

const TakeToScale = part(
  'Taking an arm to scale',
  () => import('./TakeToScale'),
  'TakeToScale',
  loading('the trainers'),
);

/** True where the link carries a world that its sender wrote. */
const holdsProgram = ({ environment }: Experiment): boolean => textOf(environment.settings)?.startsWith('@') === false;

/** Contents of the link beside seeds and changes. */
const contentsOf = (experiment: Experiment): string =>
  holdsProgram(experiment)
    ? 'your world’s program and every setting'
    : `every setting that differs from the preset “${experiment.preset}”`;

export function ShareDialog({ onClose }: { onClose: () => void }) {
  const lab = useLab();
  const [experiment] = useState(() => lab.editor.shared());
  const [scale, setScale] = useState(false);
  const [refusal, setRefusal] = useState('');
  const [machines] = useState(() => lab.editor.sharedMachines());
  const [hidden, setHidden] = useState(() => lab.store.getState().hidden);
  const written = useRef<HTMLInputElement>(null);
  const measured = lab.store.getState().update > 0;
  const [challenge, setChallenge] = useState<readonly ChallengeStep[]>(() =>
    challengeIn(lab.store.getState().challenge, experiment),
  );
  const link = withChallenge(withHidden(shareLink(experiment, machines, location.href), hidden), challenge);
  const changes = experiment.timeline.length;
  const open = async (file: File) => {
    try {
      const arrival = await readExperimentFile(file);
      onClose();
      lab.leaving.ask(`The file that you opened brings another: “${arrival.experiment.title}”.`, () =>
        lab.take(arrival),
      );
    } catch (cause) {
      const { message, advice } = asLabError(cause);
      setRefusal(`${withoutAdvice(message, advice)} ${advice}`);
    }
  };
  return (
    <Dialog title="Share this experiment" onClose={onClose}>
      <Caption
        said={`The link opens the same experiment for everybody${holdsProgram(experiment) ? ', with your world’s program in it' : ''}.`}
        about="the link"
      >
        It holds {contentsOf(experiment)}
        {changes === 0 ? ', and' : ','} the seeds
        {changes === 0 ? '' : `, and the ${changes === 1 ? 'change' : `${changes} changes`} made while training`}.{' '}
        {isEventful(machines) ? 'It also tells what the run ran on, because that changed under way. ' : ''}What came of
        your run goes along only in the link with the result{measured ? '' : ', offered here once it has run'}.
      </Caption>
      <CopyField ref={written} data-testid="share-url" aria-label="Link to this experiment" value={link} />
      <CopyButton
        className="button-primary"
        data-testid="copy-link"
        onCopy={() => copied('The link', link, written.current)}
      >
        Copy the link
      </CopyButton>
      <RunFiles link={link}>
        <Button
          onClick={() =>
            saveFile(
              fileName(experiment.preset, 'experiment'),
              new Blob([shareFile(experiment, machines)], { type: 'application/json' }),
            )
          }
        >
          Experiment (JSON)
        </Button>
        <FileButton words="Open a file" accept="application/json,.json" onChoose={([file]) => void open(file)} />
        <Refusal problem={refusal} />
      </RunFiles>
      <ChallengeChoice experiment={experiment} challenge={challenge} onChange={setChallenge} />
      <HideChoices hidden={hidden} onChange={setHidden} />
      <EmbedSnippet link={link} />
      <details className="small" onToggle={({ currentTarget }) => setScale(currentTarget.open)}>
        <summary data-testid="scale">Take an arm to scale: verl, prime-rl, TRL, OpenRLHF …</summary>
        {scale && <TakeToScale />}
      </details>
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
          <Check
            key={part}
            testId={`hide-${part}`}
            checked={hidden.includes(part)}
            // In the list's order, so that the same choice is the same link.
            onCheck={(isTo) => onChange(HIDEABLES.filter((one) => (one === part ? isTo : hidden.includes(one))))}
          >
            {HIDEABLE[part]}
          </Check>
        ))}
      </fieldset>
    </details>
  );
}

const KINDS = [
  ['none', 'no challenge'],
  ['reach', 'reach a success'],
  ['save', 'reach it, break it, then save it'],
] as const;

interface ChallengeChoiceProps {
  readonly experiment: Experiment;
  readonly challenge: readonly ChallengeStep[];
  readonly onChange: (challenge: readonly ChallengeStep[]) => void;
}

/** Challenge for the receiver of a link: a result to reach, judged there by the numbers of their run. */
function ChallengeChoice({ experiment: { arms, updates }, challenge, onChange }: ChallengeChoiceProps) {
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('none');
  const [arm, setArm] = useState(arms[0]?.id ?? '');
  const [percent, setPercent] = useState(90);
  const tell = (next: { kind?: typeof kind; arm?: string; percent?: number }) => {
    const chosen = { kind, arm, percent, ...next };
    const step = { arm: chosen.arm, metric: 'successRate', value: chosen.percent / 100, within: updates } as const;
    const broken = { ...step, is: 'below', value: chosen.percent / 200 } as const;
    const reached = { ...step, is: 'above' } as const;
    onChange({ none: [], reach: [reached], save: [reached, broken, reached] }[chosen.kind]);
    setKind(chosen.kind);
    setArm(chosen.arm);
    setPercent(chosen.percent);
  };
  return (
    <details className="small">
      <summary data-testid="set-challenge">
        Challenge the receiver{challenge.length === 0 ? '' : `: ${plural(challenge.length, 'step')}`}
      </summary>
      <div className="dialog-buttons">
        <Choice aria-label="Challenge" value={kind} options={KINDS} onChoose={(chosen) => tell({ kind: chosen })} />
        <Choice
          aria-label="Arm of the challenge"
          value={arm}
          options={arms.map(({ id, name }) => [id, name] as const)}
          onChoose={(chosen) => tell({ arm: chosen })}
        />
        <label>
          Success, %{' '}
          <input
            className="field"
            type="number"
            min={1}
            max={100}
            value={percent}
            onChange={({ target }) => tell({ percent: Math.min(100, Math.max(1, Number(target.value))) })}
          />
        </label>
      </div>
    </details>
  );
}

/** Pixels that hold an arm's world or a chart without scrolling. */
const SIZES = { arm: [720, 520], chart: [640, 400] } as const;

/** One arm or one chart for another page: the HTML of a frame that holds it. */
function EmbedSnippet({ link }: { link: string }) {
  const { arms, title } = useLabState(({ running, edited }) => running ?? edited);
  const [wanted, setPart] = useState('chart-successRate');
  const charts = [...decisiveCharts, ...otherCharts].map((chart) => ({
    part: `chart-${chart.metric}`,
    name: chart.title,
  }));
  const part = [...charts.map((chart) => chart.part), ...arms.map(({ id }) => id)].includes(wanted)
    ? wanted
    : 'chart-successRate';
  const html = frameOf(embedLink(link, part), title, part.startsWith('chart-') ? SIZES.chart : SIZES.arm);
  return (
    <details className="small">
      <summary data-testid="embed">Show one arm or chart in another page</summary>
      <div className="scale stack above-8">
        <Choice
          label="What to show"
          testId="embed-part"
          value={part}
          options={[
            { title: 'Arms', options: arms.map(({ id, name }) => [id, name]) },
            { title: 'Charts', options: charts.map((chart) => [chart.part, chart.name]) },
          ]}
          onChoose={setPart}
        />
        <CopyText aria-label="HTML of the frame" data-testid="embed-html" rows={4} value={html} />
      </div>
    </details>
  );
}
