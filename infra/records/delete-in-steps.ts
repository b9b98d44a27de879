import type { Sql } from '../drivers/postgres/transaction.ts';

/** Most rows per statement, and statements per call: the next sweep continues. */
const step = { rows: 5_000, most: 20 } as const;

/**
 * Deletes the rows of a table that meet the SQL condition `where`, oldest by `column` first, in small statements that
 * do not block others. Needs an index on `column`. Returns the number of rows.
 */
export async function deleteInSteps(
  sql: Sql,
  { table, where, column }: { readonly table: string; readonly where: string; readonly column: string },
  values: readonly unknown[],
): Promise<number> {
  let removed = 0;
  for (let count = 0; count < step.most; count += 1) {
    const { rowCount } = await sql.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${where} ORDER BY ${column} LIMIT ${step.rows}))`,
      [...values],
    );
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < step.rows) break;
  }
  return removed;
}
