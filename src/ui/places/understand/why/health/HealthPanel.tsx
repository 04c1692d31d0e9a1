/** Seven lights for each arm: how training is failing, if it is. Judged again whenever measurements arrive. */
import { useMemo } from 'react';
import { FAILURES } from '../../../../../experiment/conclude/health';
import { lightsOf } from '../../../../../store/look/health';
import { Row, Table } from '../../../../kit/Table';
import { armColours } from '../../../../model/armColour';
import { ArmMark } from '../../../../model/arms/ArmName';
import { worldOf } from '../../../../model/environment';
import { useLabParts, useLabState } from '../../../../model/useLab';
import { LightCell } from './Light';
import { boundWords } from './lightWords';
import './health.css';

const COLUMNS = [
  { key: 'arm', head: 'Signs of failure', id: 'health-title', className: 'health-title' },
  ...FAILURES.map((failure) => ({
    key: failure.id,
    head: (
      <>
        {failure.title}
        <span className="block unbroken">{boundWords(failure)}</span>
      </>
    ),
  })),
];

export function HealthPanel() {
  const { environment, arms: started } = useLabState(({ running, edited }) => running ?? edited);
  const { told, history } = useLabParts('told', 'history');
  const isRun = useLabState((state) => state.running !== null);
  useLabState((state) => state.tick);
  const arms = isRun ? told : started;
  const words = worldOf(environment)?.words.length ?? Number.NaN;
  const count = history?.count ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a history grows in place
  const lights = useMemo(() => lightsOf(history, arms, words), [history, count, arms, words]);
  const colours = armColours(arms);
  return (
    <section aria-labelledby="health-title">
      <Table className="table-blocks table-even full" labelledBy="health-title" columns={COLUMNS}>
        {arms.map((arm, index) => (
          <Row
            key={arm.id}
            testId={`health-${arm.id}`}
            headClass="health-arm"
            head={
              <>
                <ArmMark colour={colours.get(arm.id)} />
                <span className="arm-name-text">{arm.name}</span>
              </>
            }
          >
            {FAILURES.map((failure, k) => {
              const light = lights[index]?.[k];
              return light && <LightCell key={failure.id} failure={failure} arm={arm.name} light={light} />;
            })}
          </Row>
        ))}
      </Table>
      <p className="small soft padded">
        Each number is a mean over the last updates and the seeds, and a dash until there are enough. “Excused” is
        beyond its bound for a good reason. Press one for what it measures and what helps.
      </p>
    </section>
  );
}
