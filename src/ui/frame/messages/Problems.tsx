/** Reasons for which the experiment cannot run yet. */
import { textOf } from '../../../experiment/ownWorld';
import { useLabState } from '../../model/useLab';
import { EditWorld } from '../../model/worlds/about/EditWorld';

export function Problems() {
  const problems = useLabState((state) => state.problems);
  const world = useLabState(({ edited }) => textOf(edited.environment.settings));
  if (problems.length === 0) return null;
  const isOfWorld = world !== undefined && problems.some(({ path }) => path === 'environment');
  return (
    <div className="message message-strong" data-testid="message" data-kind="problems">
      <p>
        <b>This experiment cannot run as it stands.</b> {problems.map(({ message }) => message).join(' ')}
      </p>
      {isOfWorld && (
        <div className="dialog-buttons">
          <EditWorld />
        </div>
      )}
    </div>
  );
}
