/** Frame of a setting's control: its name, what stands beside the name and below it, and a sentence of help. */
import type { ReactNode } from 'react';

interface Props {
  readonly label: string;
  /** Id of the input that the name is for; its help has the same with `-help`. Absent where there is no input. */
  readonly id?: string;
  readonly help: ReactNode;
  /** True if the setting has no effect at present. */
  readonly idle?: boolean;
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

export function Control({ label, id, help, idle = false, beside, children }: Props) {
  return (
    <div className={`control${idle ? ' control-idle' : ''} shrinks`}>
      <div className="control-head between tall">
        {id === undefined ? (
          <span className="control-label small">{label}</span>
        ) : (
          <label className="control-label small" htmlFor={id}>
            {label}
          </label>
        )}
        {beside}
      </div>
      {children}
      <p id={id === undefined ? undefined : `${id}-help`} className="control-help small soft tall">
        {help}
      </p>
    </div>
  );
}
