/** Ways to open files of the reader's: a button, also for a folder, and a place to drop them on. */
import { type ChangeEvent, type DragEvent, type ReactNode, useState } from 'react';

interface Props {
  readonly words: string;
  readonly testId?: string;
  readonly disabled?: boolean;
  readonly accept?: string;
  readonly multiple?: boolean;
  /** True for all files of a folder. */
  readonly folder?: boolean;
  /** Called with one file at least. */
  readonly onChoose: (files: readonly [File, ...File[]]) => void;
}

export function FileButton({ words, testId, disabled = false, accept, multiple, folder = false, onChoose }: Props) {
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [first, ...others] = target.files ?? [];
    // The same files may be chosen again after they were changed.
    target.value = '';
    if (first !== undefined) onChoose([first, ...others]);
  };
  return (
    <label className={`button file-button relative${disabled ? ' file-button-busy soft' : ''}`}>
      {words}
      <input
        type="file"
        className="hidden-text"
        data-testid={testId}
        {...{ disabled, accept, multiple }}
        onChange={choose}
        {...(folder ? { webkitdirectory: '' } : {})}
      />
    </label>
  );
}

interface DropProps {
  readonly label: string;
  readonly className?: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** A place to drop files on: dashed, and outlined while they are held over it. */
export function DropPlace({ label, className = '', onFiles, children }: DropProps) {
  const [isOver, setOver] = useState(false);
  const hold = (event: DragEvent, inside: boolean): void => {
    event.preventDefault();
    setOver(inside);
  };
  return (
    <section
      aria-label={label}
      className={`drop-place ${isOver ? 'drop-over' : ''} stack apart start round ${className}`}
      onDragOver={(event) => hold(event, true)}
      onDragLeave={(event) => hold(event, false)}
      onDrop={(event) => {
        hold(event, false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </section>
  );
}
