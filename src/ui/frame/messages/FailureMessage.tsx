/** Message of a run that stopped or waits: the event, the parts that are safe, and the ways on. */

import { textOf } from '../../../experiment/ownWorld';
import { versionInWords } from '../../../experiment/provenance';
import type { RunFailure } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { plural } from '../../kit/format';
import { useLab, useLabParts, useLabState } from '../../model/useLab';
import { EditWorld } from '../../model/worlds/about/EditWorld';
import { CpuInstead } from './CpuInstead';
import { ResumeButton } from './KeptPolicies';

export function FailureMessage() {
  const { failure, phase } = useLabParts('failure', 'phase');
  if (failure === null) return null;
  if (phase === 'stranded') {
    return failure.world === undefined ? <StrandedMessage {...failure} /> : <WorldMessage {...failure} />;
  }
  return phase === 'failed' ? <FailedMessage {...failure} /> : null;
}

function FailedMessage({ what, advice, update }: RunFailure) {
  const lab = useLab();
  const kept = useLabState((state) => state.keptUpdate);
  const updates = useLabState((state) => state.running?.updates ?? 0);
  const weights = kept === null ? 'the policies’ weights are lost' : `so are the policies after update ${kept}`;
  const safe =
    update > 0
      ? `The curves of ${plural(update, 'update')} and the link are safe; ${weights}.`
      : 'Your settings and the link are safe; nothing had been learned yet.';
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="failure">
      <p>
        <b>Training stopped.</b> {what} {safe} {advice}
        {/report/.test(advice) && ` This is ${versionInWords()}.`}
      </p>
      <div className="dialog-buttons">
        {kept !== null && (
          <ResumeButton
            isFinished={kept >= updates}
            update={kept}
            isOther={false}
            onResume={() => void lab.runner.resumeKept(true)}
          />
        )}
        <CpuInstead words="Run on the CPU" onChosen={() => lab.editor.run()} />
        <Button onClick={() => lab.editor.run()}>Run again</Button>
      </div>
    </div>
  );
}

function StrandedMessage({ what, advice, update }: RunFailure) {
  const lab = useLab();
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="stranded">
      <p>
        <b>The device is gone.</b> {what} The curves of {plural(update, 'update')} are safe, and so is a copy of the
        policies from a few updates before. {advice}
      </p>
      <div className="dialog-buttons">
        <Button className="button-primary" data-testid="continue-cpu" onClick={() => lab.runner.continueOn('cpu')}>
          Continue on the CPU
        </Button>
        <Button onClick={() => lab.runner.continueOn('webgpu')}>Try the GPU again</Button>
      </div>
    </div>
  );
}

/** Message that a user's world went wrong; the run goes on in the world that the settings have then. */
function WorldMessage({ what, advice, update }: RunFailure) {
  const lab = useLab();
  const world = useLabState(({ edited }) => textOf(edited.environment.settings));
  const safe = update > 0 ? `The curves of ${plural(update, 'update')} are safe, and so are the policies. ` : '';
  return (
    <div className="message message-strong" role="alert" data-testid="message" data-kind="world">
      <p>
        <b>The world went wrong.</b> {what} {safe}
        {advice}
      </p>
      <div className="dialog-buttons">
        <Button
          className="button-primary"
          disabled={world === undefined}
          onClick={() => lab.runner.mendWorld(world ?? '')}
        >
          Continue
        </Button>
        <EditWorld />
      </div>
    </div>
  );
}
