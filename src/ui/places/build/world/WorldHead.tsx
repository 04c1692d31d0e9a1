/** The world's name, where its text may come from, the shelf, and the way to training. */

import { useCallback } from 'react';
import { secondsFor } from '../../../../experiment/duration';
import type { Experiment } from '../../../../experiment/experiment';
import type { WorldDesk } from '../../../../store/desk/worldDesk';
import { nameOf } from '../../../../store/desk/worldDeskState';
import { earlierTemplates } from '../../../../store/desk/worldDrafts';
import { hostOf, quickHost } from '../../../../store/desk/worldHost';
import { isLive } from '../../../../store/lab';
import { Button } from '../../../kit/Button';
import { Choice } from '../../../kit/Choice';
import { NameField } from '../../../kit/Fields';
import { plural } from '../../../kit/format';
import { useArrived } from '../../../kit/part';
import { ShelfButton } from '../../../kit/ShelfButton';
import { durationWords } from '../../../model/experimentWords';
import { placeLink } from '../../../model/place';
import { useLab, useLabState } from '../../../model/useLab';
import { useWorldDesk } from './useWorldDesk';

export function WorldHead({ desk }: { desk: WorldDesk }) {
  const { worlds } = useLab();
  const text = useWorldDesk(desk, (state) => state.text);
  const name = useWorldDesk(desk, nameOf);
  return (
    <div className="row pair">
      <h2>Write a world</h2>
      <NameField name={name} onName={(typed) => desk.rename(typed)} />
      <Templates desk={desk} />
      <ShelfButton
        shelf={worlds}
        testId="world-shelf"
        name={name}
        text={text}
        onTake={(taken) => desk.take(taken.text, taken.name)}
      />
      <span className="workshop-train row pair push">
        <TrainButtons desk={desk} />
      </span>
      <Cost desk={desk} />
    </div>
  );
}

/** Leads to the lab, where the experiment now has this world. */
export function trainOn(desk: WorldDesk, isQuick = false): void {
  if (!desk.isPlayable()) return;
  void (isQuick ? desk.trainQuickly() : desk.train());
  location.assign(placeLink('lab'));
}

function TrainButtons({ desk }: { desk: WorldDesk }) {
  const isPlayable = useWorldDesk(desk, () => desk.isPlayable());
  const isCounted = useWorldDesk(desk, ({ report }) => report !== null && report.context > 0);
  const { leaving } = useLab();
  const waits = useLabState(({ phase, failure }) => phase === 'stranded' && failure?.world !== undefined);
  const live = useLabState(isLive);
  return (
    <>
      {waits && (
        <Button
          data-testid="world-mend"
          disabled={!isPlayable}
          title="The run that its world stopped goes on in this text, with the policies it has."
          onClick={() => {
            desk.mend();
            location.assign(placeLink('lab'));
          }}
        >
          Go on with the run
        </Button>
      )}
      <Button
        className="button-primary"
        disabled={!isPlayable || !isCounted}
        onClick={() => leaving.ask('“Quick train” begins another run.', () => trainOn(desk, true))}
      >
        Quick train
      </Button>
      <Button
        data-testid="world-train"
        disabled={!isPlayable}
        title={live ? 'The run on screen goes on until you choose to restart.' : undefined}
        onClick={() => trainOn(desk)}
      >
        Train with the lab’s arms
      </Button>
    </>
  );
}

/** Cost of training on it, once the checks have counted its words and tokens; its line is there before. */
function Cost({ desk }: { desk: WorldDesk }) {
  const edited = useLabState((state) => state.edited);
  const report = useWorldDesk(desk, (state) => state.report);
  if (report === null || report.context === 0) {
    return (
      <p className="workshop-cost small soft whole">
        What each button trains, and how long, is told here after the checks.
      </p>
    );
  }
  const words = (host: Experiment): string => {
    const { arms, seeds, updates } = host;
    const sizes = `${plural(arms.length, 'arm')} × ${plural(seeds, 'seed')} × ${plural(updates, 'update')}`;
    return `${sizes}: ${durationWords(secondsFor(host, report.words, report.context))}`;
  };
  return (
    <p className="workshop-cost small soft whole">
      Quick train draws a first curve, with an action mask and a world model: {words(quickHost(report))}. The other
      trains the lab’s experiment in this world: {words(hostOf(edited, report.isText))}, on two processor cores.
    </p>
  );
}

/** Texts to begin from; the one whose place they take is kept among them. */
function Templates({ desk }: { desk: WorldDesk }) {
  const earlier = useWorldDesk(desk, (state) => state.earlier);
  const titles = useArrived(useCallback(() => desk.templates(), [desk])) ?? [];
  return (
    <Choice
      aria-label="Begin from another world"
      className="field workshop-templates"
      value={null}
      unset="Begin from…"
      options={[...titles, ...earlierTemplates(earlier)]}
      onChoose={(chosen) => void desk.begin(chosen)}
    />
  );
}
