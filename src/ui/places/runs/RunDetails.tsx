/** A kept run: a person's words on it, and what can be done with it. */

import { standingHere } from '../../../experiment/provenance';
import { apart } from '../../../foundation/apart';
import type { KeptRun } from '../../../storage/runs';
import { isUnfinished, newestState } from '../../../store/keep/keptRun';
import { tagsOf } from '../../../store/keep/runTable';
import { Button } from '../../kit/Button';
import { useAttempt } from '../../kit/Fields';
import { formatCount } from '../../kit/format';
import { saveFile } from '../../kit/saveFile';
import { useKeptRuns, useLab, useLabState } from '../../model/useLab';
import { RunNote } from './RunNote';

const files = apart(() => import('../../model/files/keptRunFile'));

export function RunDetails({ run }: { run: KeptRun }) {
  const { kept, leaving, runner } = useLab();
  const shown = useKeptRuns((state) => state.shown === run.id);
  const isUnderWay = useLabState(({ phase }) => shown && phase !== 'restored');
  const pinned = useKeptRuns((state) => state.pinned === run.id);
  const states = useKeptRuns((state) => state.states[run.run ?? '']);
  const isElsewhere = useKeptRuns((state) => state.elsewhere.has(run.run ?? ''));
  const [said, attempt] = useAttempt();
  const update = newestState(states);
  const isOther = standingHere(run.machines.at(-1)) === 'other';
  const save = async () => {
    const file = await (await files()).keptRunFile(kept, run);
    if (file !== null) saveFile(file.name, file.content);
    return '';
  };
  const goOn = async () => {
    if (!shown) await kept.show(run);
    await runner.resumeKept(true);
  };
  return (
    <div className="run-opened stack apart edged">
      <div className="split">
        <RunNote label="Note" note={run.note} onWrite={(note) => void kept.annotate(run.id, { note })} />
        <RunNote
          label="Tags"
          hint="with commas between"
          longest={200}
          note={run.tags.join(', ')}
          onWrite={(text) => void kept.annotate(run.id, { tags: tagsOf(text) })}
        />
      </div>
      <div className="dialog-buttons">
        <Button
          aria-pressed={run.starred}
          data-testid="star-run"
          onClick={() => void kept.annotate(run.id, { starred: !run.starred })}
        >
          {run.starred ? 'Starred' : 'Star'}
        </Button>
        <Button aria-pressed={pinned} data-testid="pin-run" onClick={() => void kept.pin(pinned ? null : run)}>
          {pinned ? 'Unpin' : 'Pin behind the charts'}
        </Button>
        {isUnfinished(states) && !isElsewhere && !isUnderWay && (
          <Button
            data-testid="continue-run"
            onClick={() => leaving.ask(`“${run.name}” takes its place on screen.`, () => void goOn())}
          >
            Continue{update === null ? '' : ` from update ${formatCount(update)}`}
            {isOther && ', with other numerics'}
          </Button>
        )}
        <Button data-testid="save-run" onClick={() => void attempt(save)}>
          Save as a file
        </Button>
        <Button data-testid="delete-run" onClick={() => void kept.remove(run.id)}>
          Delete
        </Button>
      </div>
      <p className="small soft">
        {run.device === '' ? '' : `${run.device} · `}
        {formatCount(run.bytes / 1024)} KiB
        {update === null ? '' : ` · policies after update ${formatCount(update)}`}
        {run.starred ? '' : ' · the browser may delete it to make room; star it to keep it'}
      </p>
      <p className="small" role="status">
        {said}
      </p>
    </div>
  );
}
