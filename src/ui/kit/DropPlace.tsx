/** A place to drop files on: dashed, and outlined while they are held over it. */
import { type DragEvent, type ReactNode, useState } from 'react';

interface Props {
  readonly label: string;
  readonly className?: string;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

export function DropPlace({ label, className = '', onFiles, children }: Props) {
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
