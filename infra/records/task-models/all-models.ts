import type { TaskModelRecord } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { columns, toRecord, type StoredTaskModel } from './rows.ts';

/** Models that one statement reads: each may have a large report. */
const chunk = 50;

/** Every model of an account, ended models and their dates included, by id, one chunk at a time. */
export async function* allModels(sql: Sql, accountId: string): AsyncGenerator<readonly TaskModelRecord[]> {
  for (let after = ''; ;) {
    const { rows } = await sql.query<StoredTaskModel>(
      `SELECT ${columns} FROM task_models m WHERE m.account_id = $1 AND m.id > $2 AND m.status <> 'fitting'
       ORDER BY m.id LIMIT ${chunk}`,
      [accountId, after],
    );
    if (rows.length === 0) return;
    yield rows.map((row) => toRecord(row)!);
    after = rows.at(-1)!.id;
  }
}
