/** A table from its cells, the title first, as `src/batch/words` gives them; it scrolls sideways where it has no room. */
import { Row, Scrolling, Table } from '../../../kit/Table';

interface Props {
  readonly cells: readonly (readonly string[])[];
  readonly caption: string;
  readonly testId?: string | undefined;
  readonly busy?: boolean;
}

export function CellTable({ cells: [title = [], ...rows], caption, testId, busy = false }: Props) {
  return (
    <Scrolling label={caption} busy={busy}>
      <Table className="table-numbers unbroken" columns={[...title]} caption={caption} testId={testId}>
        {rows.map(([head = '', ...cells]) => (
          <Row key={head} head={head} cells={cells} />
        ))}
      </Table>
    </Scrolling>
  );
}
