/** Frame of a setting's control: its name, what stands beside the name and below it, and a sentence of help. */
import type { ReactNode } from 'react';
import { withTerms } from '../../kit/Term';

interface Props {
  readonly label: string;
  /** Id of the input that the name is for; its help has the same with `-help`. Absent where there is no input. */
  readonly id?: string;
  /** Null for none. */
  readonly help: ReactNode;
  /** Words that come when one points at the name. */
  readonly hint?: string | undefined;
  readonly isLive?: boolean;
  /** True if the setting has no effect at present. */
  readonly idle?: boolean;
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

export function Control({ label, id, help, hint, isLive = false, idle = false, beside, children }: Props) {
  return (
    <div className={`control${idle ? ' control-idle' : ''}${isLive ? ' control-live' : ''} shrinks`}>
      <div className="control-head row between tall">
        {id === undefined ? (
          <span className="control-label small grow">{label}</span>
        ) : (
          <label className="control-label small grow" htmlFor={id} title={hint}>
            {label}
          </label>
        )}
        {beside}
      </div>
      {children}
      {help !== null && (
        <p id={id === undefined ? undefined : `${id}-help`} className="control-help small soft tall">
          {help}
        </p>
      )}
    </div>
  );
}

/** Help of a control, and what is to be said of it here and now. */
export const withNote = (help: string, note: ReactNode): ReactNode => (
  <>
    {withTerms(help)} {note}
  </>
);
