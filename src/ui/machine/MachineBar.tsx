/** Under the header: which experiment in which world, and what trains it and why. The backend never changes the experiment. */
import { Suspense, useRef, useState } from 'react';
import type { LabState } from '../../store/lab';
import type { BackendChoice } from '../../train/protocol';
import { ExperimentOpener, WorldOpener } from '../choose/Openers';
import { worldName } from '../choose/words';
import { plural } from '../format';
import { Choice, type Option } from '../kit/Choice';
import { part } from '../kit/part';
import { placeLink, usePlace } from '../place';
import { useHidden } from '../useHidden';
import { useLab, useLabState, usePreferences, useSpeed } from '../useLab';
import './machine.css';

const CHOICES: readonly Option<BackendChoice>[] = [
  ['auto', 'automatic'],
  ['webgpu', 'WebGPU'],
  ['cpu', 'CPU'],
];

const SpeedPanel = part('The speed panel', () => import('../speed/SpeedPanel').then((module) => module.SpeedPanel));

export function MachineBar() {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const measuring = useSpeed(({ phase }) => phase === 'waiting' || phase === 'measuring');
  return (
    <>
      <section className="machine" aria-label="Experiment and backend">
        <Experiment />
        <BackendLine />
        <button
          ref={opener}
          type="button"
          className="button button-quiet small machine-speed"
          aria-expanded={open}
          aria-controls="speed"
          data-testid="speed-open"
          onClick={() => setOpen(!open)}
        >
          {measuring ? 'Measuring' : 'Speed'}
        </button>
        <PageLink />
      </section>
      <Suspense>{open && <SpeedPanel opener={opener} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** To the kernels and back. */
function PageLink() {
  const inLab = usePlace().place !== 'kernels';
  const isHidden = useHidden('kernels');
  if (inLab && isHidden) return null;
  return (
    <a
      className="button button-quiet small machine-page"
      href={placeLink(inLab ? 'kernels' : 'lab')}
      data-testid={inLab ? 'kernels-open' : 'kernels-close'}
    >
      {inLab ? 'Kernels' : 'Lab'}
    </a>
  );
}

function Experiment() {
  const { preset, environment, arms, seeds } = useLabState((state) => state.edited);
  return (
    <>
      <p className="machine-part">
        <span className="soft">Experiment</span>{' '}
        <ExperimentOpener className="field machine-choice" testId="choose-experiment" otherwise={preset}>
          {preset}
          <span className="hidden-text">, choose another experiment</span>
        </ExperimentOpener>
      </p>
      <p className="machine-part">
        <span className="soft">World</span>{' '}
        <WorldOpener className="field machine-choice" testId="choose-world" otherwise={worldName(environment)}>
          {worldName(environment)}
          <span className="hidden-text">, choose another world</span>
        </WorldOpener>
      </p>
      <p className="machine-shape soft">
        {plural(arms.length, 'arm')} × {plural(seeds, 'seed')}
      </p>
    </>
  );
}

/** Needs no reason; software in place of a GPU does. */
const isAsChosen = ({ kind, software }: NonNullable<LabState['backend']>, choice: BackendChoice): boolean =>
  kind === choice && (kind === 'cpu' || !software);

function BackendLine() {
  const lab = useLab();
  const backend = useLabState((state) => state.backend);
  const running = useLabState((state) => state.running !== null);
  const choice = usePreferences((state) => state.backend);
  const foundNothing = useLabState((state) => state.foundNothing);
  const awaited = foundNothing ? 'nothing to run on' : 'looking for a GPU';
  const words =
    backend === null
      ? awaited
      : isAsChosen(backend, choice)
        ? backend.description
        : `${backend.description}: ${backend.reason}`;
  return (
    <div className="machine-part machine-backend">
      <Choice
        place="machine-runs-on"
        label="Runs on"
        labelClass="soft"
        testId="backend-choice"
        value={choice}
        options={CHOICES}
        onChoose={(backend) => lab.preferences.setState({ backend })}
      />
      <span className="machine-reason soft" data-testid="backend-line" data-kind={backend?.kind ?? ''}>
        {words}
        {running && backend !== null && choice !== 'auto' && choice !== backend.kind
          ? '; your choice acts from the next run'
          : ''}
      </span>
    </div>
  );
}
