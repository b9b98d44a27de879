import type { Sql } from './transaction.ts';

/** The database's clock, to the millisecond: the one clock that all processes share. */
export async function databaseClock(sql: Pick<Sql, 'query'>): Promise<Date> {
  const { rows } = await sql.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return rows[0]!.now;
}
