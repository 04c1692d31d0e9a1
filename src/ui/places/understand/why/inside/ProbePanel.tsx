/**
 * Linear probes of the policies, fitted while one looks: parts of the world's state read off their activations, layer
 * by layer and arm by arm, now and over updates.
 */

import { useState } from 'react';
import type { Arm } from '../../../../../experiment/experiment';
import type { Probed, ProbeWatch } from '../../../../../train/looks/shown';
import type { ProbeMoment } from '../../../../../train/protocol';
import { Button } from '../../../../kit/Button';
import { Caption } from '../../../../kit/Caption';
import { StackedChoice } from '../../../../kit/Choice';
import { formatCount, formatPercent, plural } from '../../../../kit/format';
import { Row, Scrolling, Table } from '../../../../kit/Table';
import { type ArmColour, armColours } from '../../../../model/armColour';
import { MarkedArm } from '../../../../model/arms/ArmName';
import { seedNames } from '../../../../model/seedNames';
import { useLab, useLabParts, useLabState } from '../../../../model/useLab';
import { BeliefPanel } from './BeliefPanel';
import { ProbeCurves } from './ProbeCurves';
import { answersTo, layerName, MOMENT_NAMES, type ProbeAccuracy, type ProbeQuery, targetsOf } from './probed';
import './probes.css';

/** Updates from one fitting to the next. */
const CADENCES = [5, 10, 25, 50, 100];
const FIRST: ProbeWatch = { seed: 0, every: 25 };

export function ProbePanel() {
  const { runner } = useLab();
  const { probing, probed, phase } = useLabParts('probing', 'probed', 'phase');
  const [watch, setWatch] = useState(probing ?? FIRST);
  const choose = (change: Partial<ProbeWatch>) => {
    const next = { ...watch, ...change };
    setWatch(next);
    if (probing !== null) runner.requests.watchProbes(next);
  };
  return (
    <>
      <Caption said="Does the policy know where things stand in the world, before it is told?" about="the probes">
        A linear probe is fitted to each layer’s activations and asked, on tasks it has not seen. After an action and
        before the answer, only a policy with a model of the world can know.
      </Caption>
      <div className="probe-choices row ends above-8">
        <Button
          data-testid="probes-watch"
          aria-pressed={probing !== null}
          disabled={phase === 'restored' || phase === 'failed'}
          onClick={() => runner.requests.watchProbes(probing === null ? watch : null)}
        >
          {probing === null ? 'Fit probes' : 'Stop fitting'}
        </Button>
        <SeedChoice seed={watch.seed} onChoose={(seed) => choose({ seed })} />
        <StackedChoice
          label="Every"
          value={String(watch.every)}
          options={CADENCES.map((every) => [String(every), `${every} updates`])}
          onChoose={(every) => choose({ every: Number(every) })}
        />
        <Found />
      </div>
      {probed.length === 0 && (
        <p className="small soft above-8">
          {probing === null
            ? 'Nothing has been fitted yet. Fitting takes about as long as an update, and changes nothing in the training.'
            : 'The first probes come after the update under way.'}
        </p>
      )}
      <BeliefPanel />
    </>
  );
}

function SeedChoice({ seed, onChoose }: { seed: number | null; onChoose: (seed: number | null) => void }) {
  const seeds = useLabState((state) => state.running?.seeds ?? 1);
  const one = seedNames(seeds).map((name) => [name, name] as const);
  return (
    <StackedChoice
      label="Seed"
      value={seed === null ? '' : String(Math.min(seed, seeds - 1))}
      options={seeds > 1 ? [...one, ['', `all ${seeds}`] as const] : one}
      onChoose={(chosen) => onChoose(chosen === '' ? null : Number(chosen))}
    />
  );
}

/** Results of the newest probe, and the choice of those shown. */
function Found() {
  const probed = useLabState((state) => state.probed);
  const arms = useLabState((state) => (state.running ?? state.edited).arms);
  const [chosen, setChosen] = useState('');
  const [moment, setMoment] = useState<ProbeMoment>('action');
  const newest = probed.at(-1);
  if (newest === undefined) return null;
  const targets = targetsOf(newest);
  const target = targets.find(({ id }) => id === chosen) ?? targets[0];
  if (target === undefined) {
    return (
      <p className="small soft stack wide shrinks whole">
        Nothing in these trajectories differs that could be asked for.
      </p>
    );
  }
  const shown = { question: { target: target.id, moment }, arms, colours: armColours(arms) };
  return (
    <>
      <StackedChoice
        label="Asked for"
        value={target.id}
        options={targets.map(({ id, name }) => [id, name])}
        onChoose={setChosen}
      />
      <StackedChoice
        label="When"
        value={moment}
        options={Object.entries(MOMENT_NAMES) as [ProbeMoment, string][]}
        onChoose={setMoment}
      />
      <div className="stack wide shrinks whole">
        <ProbeTable probed={newest} {...shown} />
        <ProbeCurves probed={probed} {...shown} />
      </div>
    </>
  );
}

interface Props {
  readonly probed: Probed;
  readonly question: ProbeQuery;
  readonly arms: readonly Arm[];
  readonly colours: ReadonlyMap<string, ArmColour>;
}

/** Accuracy of linear probes in each layer of each arm now, beside that of fresh weights and of the commonest class. */
function ProbeTable({ probed, question, arms, colours }: Props) {
  const answers = answersTo(question, probed);
  const [first] = answers;
  if (first === undefined) return <p className="small soft">Nothing of it differs at these tokens.</p>;
  const seeds = first.seeds > 1 ? `; means over ${first.seeds} seeds, in brackets 95% intervals` : '';
  return (
    <div>
      <Caption said={`Share read rightly after ${plural(probed.update, 'update')}.`} about="the numbers">
        Below it: with fresh weights in place of the trained ones{seeds}. Without looking: the share that is right if
        one always says the commonest answer. Tokens asked at: those of held-back episodes at which the probe is asked.
      </Caption>
      <Scrolling label="Probes, arm by arm">
        <Table
          className="small unbroken"
          testId="probe-table"
          columns={['Arm', ...first.layers.map((_, layer) => layerName(layer)), 'without looking', 'tokens asked at']}
        >
          {answers.map((answer) => (
            <Row
              key={answer.arm}
              data-arm={answer.arm}
              head={
                <MarkedArm colour={colours.get(answer.arm)} name={arms.find(({ id }) => id === answer.arm)?.name} />
              }
            >
              {answer.layers.map((found, layer) => (
                <Cell key={layerName(layer)} found={found} />
              ))}
              <td>{formatPercent(answer.majority)}</td>
              <td>{formatCount(answer.examples)}</td>
            </Row>
          ))}
        </Table>
      </Scrolling>
    </div>
  );
}

function Cell({ found: { accuracy, interval, untrained } }: { found: ProbeAccuracy['layers'][number] }) {
  return (
    <td data-accuracy={accuracy} data-untrained={untrained}>
      <span className="probe-share bold">{formatPercent(accuracy)}</span>
      {interval !== null &&
        ` (${formatPercent(Math.max(0, interval[0]))} to ${formatPercent(Math.min(1, interval[1]))})`}
      <span className="soft block">fresh {formatPercent(untrained)}</span>
    </td>
  );
}
