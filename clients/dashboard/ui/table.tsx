import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Aligns numbers to the right. */
  readonly number?: boolean;
  /** The row header. */
  readonly names?: boolean;
  /** The column header is only for screen readers, as above buttons. */
  readonly quiet?: boolean;
  /** The column is shown on a phone only, or on a wider screen only. */
  readonly only?: 'phone' | 'wide';
}

/**
 * A table with its caption for screen readers. On a phone each row is a block, with the name of each column beside its
 * value.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  dense = false,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** Shown instead of an empty table. */
  readonly empty: ComponentChildren;
  /** Many short rows, which stay lines on a phone. */
  readonly dense?: boolean;
}) {
  if (rows.length === 0) return <div class="empty">{empty}</div>;
  const className = ({ number, only }: Column<Row>) =>
    [number && 'number', only && `only-${only}`].filter(Boolean).join(' ') || undefined;
  return (
    <div class={dense ? 'scroll' : 'scroll rows'} role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={className(column)}>
                {column.quiet ? <span class="unseen">{column.head}</span> : column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={keyOf(row, i)}>
              {columns.map((column) =>
                column.names ? (
                  <th key={column.head} scope="row" class={className(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.head} class={className(column)} data-head={column.quiet ? undefined : column.head}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
