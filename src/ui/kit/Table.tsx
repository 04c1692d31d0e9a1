/** Table of the page: every column and every row has a head, which screen readers say with each cell. */
import { Children, type ComponentProps, type Key, type ReactNode } from 'react';
import './styles/table.css';

interface Column extends Omit<ComponentProps<'th'>, 'children' | 'scope' | 'key'> {
  readonly key: Key;
  readonly head: ReactNode;
}

interface TableProps {
  readonly className?: string;
  /** Columns; the first has the rows' heads. A text is its own key. */
  readonly columns: readonly (string | Column)[];
  /** Caption; only read aloud where it `isHidden`. */
  readonly caption?: ReactNode;
  readonly captionClass?: string;
  readonly headClass?: string;
  /** Id of what names it, where that is no caption. */
  readonly labelledBy?: string;
  /** The row of heads ends with it: the place of a column that is for the eye only. */
  readonly last?: ReactNode;
  readonly testId?: string | undefined;
  /** Rows of the table. */
  readonly children: ReactNode;
}

/** Class of words that are read aloud only. */
export const HIDDEN = 'hidden-text';

export function Table(props: TableProps) {
  const { className = '', columns, caption, captionClass = HIDDEN, headClass, labelledBy, last, testId } = props;
  return (
    <table className={`table ${className}`} aria-labelledby={labelledBy} data-testid={testId}>
      {caption !== undefined && <caption className={captionClass}>{caption}</caption>}
      <thead className={headClass}>
        <tr>
          {columns.map((column) => {
            const { key, head, ...more } = typeof column === 'string' ? { key: column, head: column } : column;
            return (
              <th key={key} scope="col" {...more}>
                {head}
              </th>
            );
          })}
          {last}
        </tr>
      </thead>
      <tbody>{props.children}</tbody>
    </table>
  );
}

interface RowProps extends ComponentProps<'tr'> {
  readonly head: ReactNode;
  readonly headClass?: string;
  readonly testId?: string;
  /** Contents of the cells after its head; cells with marks of their own are `children`, behind them. */
  readonly cells?: readonly ReactNode[];
}

export function Row({ head, headClass, testId, cells = [], children, ...more }: RowProps) {
  return (
    <tr data-testid={testId} {...more}>
      <th scope="row" className={headClass}>
        {head}
      </th>
      {Children.map(cells, (cell) => (
        <td>{cell}</td>
      ))}
      {children}
    </tr>
  );
}

interface ScrollingProps {
  readonly className?: string;
  readonly label: string;
  /** True while rows are still to come. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** The place of a table that may be wider or higher than it: reached and scrolled by keyboard, with a bar where there is more. */
export function Scrolling({ className = '', label, busy = false, children }: ScrollingProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={`sideways ${className}`} tabIndex={0} aria-label={label} aria-busy={busy}>
      {children}
    </section>
  );
}
