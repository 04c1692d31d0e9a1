/** A file that the setting names by its hash: which one, and a way back to none. Files are opened elsewhere. */
import type { ReactNode } from 'react';
import { shortHash } from '../../experiment/policyFiles';
import type { FileSetting } from '../../experiment/setting';

interface Props {
  readonly setting: FileSetting & { readonly path: string };
  /** null when the arms it concerns differ. */
  readonly value: string | null;
  readonly note: ReactNode;
  readonly onChange: (value: string) => void;
}

export function FileControl({ setting, value, note, onChange }: Props) {
  return (
    <div className="control">
      <div className="control-head">
        <span className="control-label">{setting.label}</span>
        <span data-testid={`setting-${setting.path}`}>{named(value)}</span>
      </div>
      {value !== '' && (
        <button type="button" className="button button-quiet small control-back" onClick={() => onChange('')}>
          Take none
        </button>
      )}
      <p className="control-help small soft">
        {setting.help} Choose one under Policies. {note}
      </p>
    </div>
  );
}

function named(value: string | null): string {
  if (value === null) return 'the arms differ';
  return value === '' ? 'none' : shortHash(value);
}
