/** A file that the setting names by its hash: which one, and a way back to none. Files are opened elsewhere. */

import type { ReactNode } from 'react';
import { shortHash } from '../../../experiment/arm/policyFiles';
import type { FileSetting } from '../../../experiment/settings/setting';
import { Button } from '../../kit/Button';
import { Control } from './Control';

interface Props {
  readonly setting: FileSetting & { readonly path: string };
  /** Value; null when the arms that the control concerns differ. */
  readonly value: string | null;
  readonly note: ReactNode;
  readonly onChange: (value: string) => void;
}

export function FileControl({ setting, value, note, onChange }: Props) {
  return (
    <Control
      label={setting.label}
      help={
        <>
          {setting.help} Choose one under Runs, Policies. {note}
        </>
      }
      beside={<span data-testid={`setting-${setting.path}`}>{named(value)}</span>}
    >
      {value !== '' && (
        <Button className="button-quiet small control-back wraps to-left lined" onClick={() => onChange('')}>
          Take none
        </Button>
      )}
    </Control>
  );
}

function named(value: string | null): string {
  if (value === null) return 'the arms differ';
  return value === '' ? 'none' : shortHash(value);
}
