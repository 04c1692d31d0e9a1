/** An experiment that depends on policies' files waits for the person to choose them. */
import { shortHash } from '../../experiment/policyFiles';
import { missingPolicies } from '../../store/lab';
import { joinNames } from '../format';
import { openPolicies } from '../policies/openDialog';
import { useLabState } from '../useLab';

export function MissingPolicies() {
  const edited = useLabState((state) => state.edited);
  const policyFiles = useLabState((state) => state.policyFiles);
  const absent = useLabState((state) => state.absentPolicies);
  // Others are being looked for.
  const missing = missingPolicies({ policyFiles }, edited).filter((hash) => absent.includes(hash));
  if (missing.length === 0) return null;
  return (
    <div className="message message-strong" data-testid="message" data-kind="missing-policies">
      <p>
        <b>This experiment needs a file that a link cannot carry.</b> Choose the policy with the SHA-256{' '}
        {joinNames(missing.map((hash) => `${shortHash(hash)}…`))}; whoever sent the experiment has it. It runs once the
        file is here.
      </p>
      <button type="button" className="button" data-testid="choose-policy" onClick={() => openPolicies()}>
        Choose the file
      </button>
    </div>
  );
}
