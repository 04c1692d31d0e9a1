/**
 * Speed of training on this device, measured on request with the code that trains: tokens a second, the price of more
 * members, where an update's time goes, and which share of the device's own ceilings the kernels reach.
 */

import { isFixed } from '../../../../experiment/arm/policyFiles';
import { percent } from '../../../../foundation/percent';
import type { Subject } from '../../../../train/bench/report';
import { Button } from '../../../kit/Button';
import { CopyButton, copied } from '../../../kit/Fields';
import { formatCount } from '../../../kit/format';
import { Group } from '../../../model/Group';
import { useLab, useLabState, useSpeed } from '../../../model/useLab';
import { giga, nearestTo, ownNotes, reportOf, togetherWords } from './benchmarkWords';
import { speedJson, speedMarkdown } from './copies';
import { MachineResult } from './MachineResult';
import { CountTable, KernelTable, PartTable, PopulationTable } from './SpeedTables';
import './speed.css';

/** Subjects of the tables in the order of reading, the slow ones last; and the one that is a file to send. */
const TABLES: readonly Subject[] = ['train', 'kernels', 'population'];
const FILE: readonly Subject[] = ['machine'];

export function SpeedPanel() {
  return (
    <Group id="speed" about="How fast this device trains, measured with the code that trains.">
      <Buttons />
      <Progress />
      <Results />
    </Group>
  );
}

function Buttons() {
  const { speed } = useLab();
  const active = useSpeed(({ phase }) => phase === 'waiting' || phase === 'measuring');
  if (active) {
    return (
      <div className="dialog-buttons">
        <Button data-testid="speed-stop" onClick={() => speed.stop()}>
          Stop measuring
        </Button>
      </div>
    );
  }
  return (
    <div className="dialog-buttons">
      <Button className="button-primary" data-testid="speed-start" onClick={() => speed.start(TABLES, false)}>
        Measure, about a minute
      </Button>
      <Button data-testid="speed-quick" onClick={() => speed.start(TABLES, true)}>
        Quick look, seconds
      </Button>
      <Button data-testid="speed-machine" onClick={() => speed.start(FILE, false)}>
        Measure this machine, two minutes
      </Button>
    </div>
  );
}

function Progress() {
  const { phase, text, done, subjects, quick, failure } = useSpeed((state) => state);
  const of = subjects.length;
  const active = phase === 'waiting' || phase === 'measuring';
  const words = {
    idle: 'Each pauses your run, which goes on afterwards. The first two time the training code itself, on what “Runs on” says, in a gridworld preset. The third makes a file to send: what GPU and CPU of this machine do, of which the lab’s makers have seen few.',
    waiting: `Waiting: ${text}.`,
    measuring: `Measuring, ${of === 1 ? percent(done) : `part ${Math.min(done + 1, of)} of ${of}`}: ${text}.`,
    done: quick
      ? 'A quick look with small sizes: it shows that everything works, the numbers mean little.'
      : 'Measured.',
    stopped: text,
    failed: `It could not be measured. ${failure?.what ?? ''} ${failure?.advice ?? ''}`,
  }[phase];
  return (
    <div className="speed-progress row row-close above-4 tall" data-testid="speed-progress" data-phase={phase}>
      {active && <progress max={of || 1} value={done} aria-label="Parts measured" />}
      <p className="small soft">{words}</p>
      <span className="hidden-text" aria-live="polite">
        {active ? 'Measuring the speed of this device.' : phase === 'done' ? 'The measurements follow.' : ''}
      </span>
    </div>
  );
}

function Results() {
  const reports = useSpeed((state) => state.reports);
  const asked = useLabState(({ edited: { arms, seeds } }) => arms.filter((arm) => !isFixed(arm)).length * seeds);
  const [first] = reports;
  if (first === undefined) return null;
  if (first.subject === 'machine') return <MachineResult report={first} />;
  const train = reportOf(reports, 'train');
  const kernels = reportOf(reports, 'kernels');
  const population = reportOf(reports, 'population');
  const nearest = nearestTo(asked, population?.rows ?? []);
  return (
    <>
      <dl className="speed-figures cards padded">
        <div>
          <dt className="small soft">Trained on</dt>
          <dd className="row baseline" data-testid="speed-device">
            {first.adapter}
            {first.backend === 'webgpu' && <span className="soft small">through WebGPU</span>}
          </dd>
        </div>
        <Figure
          name="Training"
          value={nearest === null ? null : formatCount(nearest.tokensPerSecond)}
          unit={nearest === null ? 'tokens/s' : `tokens/s, ${togetherWords(nearest.members, asked)}`}
        />
        <Figure
          name="Arithmetic in a training step"
          value={kernels === null ? null : giga(kernels.step.flops / kernels.step.seconds)}
          unit={kernels === null ? 'GFLOP/s' : `GFLOP/s, ${percent(kernels.step.share)} of the ceiling`}
        />
        <Figure
          name="Ceiling: best seen just now"
          value={kernels === null ? null : giga(kernels.ceilings.compute.perSecond)}
          unit={kernels === null ? 'GFLOP/s' : `GFLOP/s and ${giga(kernels.ceilings.memory.perSecond)} GB/s`}
        />
      </dl>
      {first.backend === 'webgpu' && first.adapter.includes('(software)') && (
        <p className="speed-caution" data-testid="speed-caution">
          This WebGPU is software: it computes on the processor, and nothing here says anything about a GPU. On this
          machine the CPU backend trains faster.
        </p>
      )}
      <div className="split">
        <div>
          {train !== null && <PartTable report={train} notes={ownNotes('train', reports)} />}
          {population !== null && <PopulationTable report={population} notes={ownNotes('population', reports)} />}
          {train !== null && <CountTable report={train} />}
        </div>
        {kernels !== null && <KernelTable report={kernels} notes={ownNotes('kernels', reports)} />}
      </div>
      <Copies />
    </>
  );
}

function Figure({ name, value, unit }: { name: string; value: string | null; unit: string }) {
  return (
    <div>
      <dt className="small soft">{name}</dt>
      <dd className="row baseline">
        <b className="largest bold">{value ?? '–'}</b> <span className="soft small">{unit}</span>
      </dd>
    </div>
  );
}

function Copies() {
  const { speed } = useLab();
  const copy = (write: typeof speedJson, name: string) => {
    const { reports, quick } = speed.store.getState();
    const { userAgent: browser, hardwareConcurrency: cores } = navigator;
    return copied(name, write({ reports, quick, browser, cores }));
  };
  return (
    <div className="row above-8">
      <CopyButton data-testid="speed-markdown" onCopy={() => copy(speedMarkdown, 'The Markdown')}>
        Copy as Markdown
      </CopyButton>
      <CopyButton data-testid="speed-json" onCopy={() => copy(speedJson, 'The JSON')}>
        Copy as JSON
      </CopyButton>
    </div>
  );
}
