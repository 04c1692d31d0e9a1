/** The policies' files that this browser keeps over a reload, and a way to be rid of them. */

import { useEffect } from 'react';
import { useStore } from 'zustand';
import { POLICY_ARCHIVE_LIMITS } from '../../../../storage/policies';
import type { Policies } from '../../../../store/keep/policies';
import { Button } from '../../../kit/Button';
import { formatCount } from '../../../kit/format';
import { goTo } from '../../../model/place';
import { FolderProblem } from '../../../model/settings/FolderButton';
import { useLab } from '../../../model/useLab';

const MEBIBYTE = 2 ** 20;

export function KeptPolicies({ policies }: { policies: Policies }) {
  const { shelf, models } = useLab();
  const { kept, problem } = useStore(shelf.store);
  useEffect(() => void shelf.refresh(), [shelf]);
  const open = async (sha256: string): Promise<void> => {
    const file = await shelf.file(sha256);
    if (file === null) return;
    if (!(await models.beginFromKept(file))) policies.open(file);
    else if (models.store.getState().problem === null) goTo('lab');
  };
  if (problem !== null) return <p className="small soft">{problem}</p>;
  if (kept.length === 0) return null;
  return (
    <section aria-label="Kept in this browser" className="policies-part" data-testid="kept-policies">
      <h3>Kept in this browser</h3>
      <p className="small soft">
        Files you opened and models you taught, so that an experiment that names one finds it after a reload: at most{' '}
        {POLICY_ARCHIVE_LIMITS.files}, and {POLICY_ARCHIVE_LIMITS.bytes / MEBIBYTE} MiB in all; the oldest go first.
      </p>
      <ul className="policies-kept">
        {kept.map(({ sha256, name, bytes }) => (
          <li key={sha256} className="policies-row">
            <span>
              {name} <span className="small soft">{formatCount(bytes)} bytes</span>
            </span>
            <Button
              className="button-quiet small"
              aria-label={`Open ${name}, which this browser keeps`}
              data-testid="open-kept"
              onClick={() => void open(sha256)}
            >
              Open
            </Button>
            <Button
              className="button-quiet small"
              aria-label={`Delete ${name} from this browser`}
              onClick={() => void shelf.remove(sha256)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <FolderProblem />
    </section>
  );
}
