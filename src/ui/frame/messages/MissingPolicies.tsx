/** An experiment that depends on policies' files waits for the person to choose them. */

import { shortHash } from '../../../experiment/arm/policyFiles';
import { type Absence, missingPolicies } from '../../../store/lab';
import { Button } from '../../kit/Button';
import { joinNames } from '../../kit/format';
import { openPolicies } from '../../model/policies/openPolicies';
import { FolderButton, FolderProblem } from '../../model/settings/FolderButton';
import { useLabParts } from '../../model/useLab';

/** Words for damage to a file. */
const DAMAGE: Readonly<Record<Exclude<Absence, 'unknown'>, string>> = {
  'kept-damaged': 'this browser had kept a copy of it, which was damaged and is deleted now: give it the file again',
  'shipped-damaged': 'it comes with the lab, but what the server sends has other bytes: reload the page, or choose it',
};

export function MissingPolicies() {
  const { edited, policyFiles, absentPolicies: absent } = useLabParts('edited', 'policyFiles', 'absentPolicies');
  // Files still being looked for are left out.
  const missing = missingPolicies({ policyFiles }, edited).filter((hash) => absent[hash] !== undefined);
  if (missing.length === 0) return null;
  const { model } = edited.policy;
  if (missing.includes(model)) return <MissingModel hash={model} isDamaged={absent[model] === 'kept-damaged'} />;
  const damaged = missing.flatMap((hash) => {
    const why = absent[hash] ?? 'unknown';
    return why === 'unknown' ? [] : [`${shortHash(hash)}…: ${DAMAGE[why]}.`];
  });
  return (
    <div className="message message-strong" data-testid="message" data-kind="missing-policies">
      <p>
        <b>This experiment needs a file that a link cannot carry.</b> Choose the policy with the SHA-256{' '}
        {joinNames(missing.map((hash) => `${shortHash(hash)}…`))}; the sender of the experiment has it. It runs once the
        file is here.
      </p>
      {damaged.map((words) => (
        <p key={words}>{words}</p>
      ))}
      <Button data-testid="choose-policy" onClick={() => openPolicies()}>
        Choose the file
      </Button>
    </div>
  );
}

/** The language model that the experiment begins from comes before other files. */
function MissingModel({ hash, isDamaged }: { hash: string; isDamaged: boolean }) {
  return (
    <div className="message message-strong" data-testid="message" data-kind="missing-model">
      <p>
        <b>This experiment begins from a language model that a link cannot carry.</b> Choose the folder whose weights
        have the SHA-256 {shortHash(hash)}…: it is read here and sent nowhere.
        {isDamaged && ' The copy that this browser had kept was damaged and is deleted now.'}
      </p>
      <FolderProblem />
      <FolderButton words="Choose the folder" asked={hash} />
    </div>
  );
}
