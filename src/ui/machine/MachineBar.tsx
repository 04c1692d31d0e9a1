/** Under the header: which preset, and what trains it and why. The backend never changes the experiment. */
import { lazy, Suspense, useRef, useState } from 'react';
import { findEnvironment } from '../../environments/registry';
import { presets } from '../../experiment/presets';
import type { BackendChoice } from '../../train/protocol';
import { kernelsLink, linkToLab, useKernelsPlace } from '../place';
import { useLab, useLabState, usePreferences, useSpeed } from '../useLab';
import './machine.css';

const CHOICES: readonly (readonly [BackendChoice, string])[] = [
  ['auto', 'automatic'],
  ['webgpu', 'WebGPU'],
  ['cpu', 'CPU'],
];

const SpeedPanel = lazy(() => import('../speed/SpeedPanel').then((module) => ({ default: module.SpeedPanel })));

export function MachineBar() {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const measuring = useSpeed(({ phase }) => phase === 'waiting' || phase === 'measuring');
  return (
    <>
      <section className="machine" aria-label="Preset and backend">
        <PresetMenu />
        <Shape />
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
  const inLab = useKernelsPlace() === null;
  return (
    <a
      className="button button-quiet small machine-page"
      href={inLab ? kernelsLink() : linkToLab()}
      data-testid={inLab ? 'kernels-open' : 'kernels-close'}
    >
      {inLab ? 'Kernels' : 'Lab'}
    </a>
  );
}

function PresetMenu() {
  const lab = useLab();
  const preset = useLabState((state) => state.edited.preset);
  return (
    <label className="machine-part">
      <span className="soft">Preset</span>{' '}
      <select
        className="field"
        data-testid="preset"
        value={preset}
        onChange={({ target }) => {
          const chosen = presets.find(({ id }) => id === target.value);
          if (chosen !== undefined) lab.editor.replace(chosen.experiment, null);
        }}
      >
        {presets.map(({ id, experiment }) => (
          <option key={id} value={id}>
            {id}: {experiment.title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Shape() {
  const { environment, arms, seeds } = useLabState((state) => state.edited);
  const world = findEnvironment(environment.id)?.title ?? environment.id;
  const { size } = environment.settings;
  return (
    <p className="machine-shape soft">
      {world}
      {typeof size === 'number' ? ` ${size}×${size}` : ''}, {arms.length} {arms.length === 1 ? 'arm' : 'arms'} × {seeds}{' '}
      {seeds === 1 ? 'seed' : 'seeds'}
    </p>
  );
}

function BackendLine() {
  const lab = useLab();
  const backend = useLabState((state) => state.backend);
  const running = useLabState((state) => state.running !== null);
  const choice = usePreferences((state) => state.backend);
  const words = backend === null ? 'looking for a GPU' : `${backend.description}: ${backend.reason}`;
  return (
    <div className="machine-part machine-backend">
      <label>
        <span className="soft">Runs on</span>{' '}
        <select
          className="field"
          data-testid="backend-choice"
          value={choice}
          onChange={({ target }) => {
            const chosen = CHOICES.find(([value]) => value === target.value);
            if (chosen !== undefined) lab.preferences.setState({ backend: chosen[0] });
          }}
        >
          {CHOICES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <span className="machine-reason soft" data-testid="backend-line" data-kind={backend?.kind ?? ''}>
        {words}
        {running && backend !== null && choice !== 'auto' && choice !== backend.kind
          ? '; your choice acts from the next run'
          : ''}
      </span>
    </div>
  );
}
