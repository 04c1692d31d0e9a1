/** A section named by its heading. */
import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: ReactNode;
  /** Element of the heading. */
  readonly as?: 'h3' | 'h4';
  /** Id of the heading, where something jumps to it. */
  readonly id?: string;
  readonly className?: string;
  readonly testId?: string;
  readonly children: ReactNode;
}

export function Titled({ title, as: Heading = 'h3', id, className, testId, children }: Props) {
  const ownId = useId();
  return (
    <section className={className} aria-labelledby={id ?? ownId} data-testid={testId}>
      <Heading id={id ?? ownId}>{title}</Heading>
      {children}
    </section>
  );
}
