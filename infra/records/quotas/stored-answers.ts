import type { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { storedTooMuch } from '../../contract/quota-errors.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { quotaUses } from './uses.ts';

/** Error for a request whose answer, of so many bytes, exceeds the account's storage. */
export async function answersFull(
  sql: Sql,
  who: { readonly accountId: string; readonly at: Date },
  bytes: number = limits.inlineAnswerBytes,
): Promise<ApiError> {
  const { storedAnswers, storedAnswerBytes } = await quotaUses(sql, who);
  const isCount = storedAnswers.limit !== null && storedAnswers.used >= storedAnswers.limit;
  const name = isCount ? 'storedAnswers' : 'storedAnswerBytes';
  const { used, limit, freesAt } = isCount ? storedAnswers : storedAnswerBytes;
  return storedTooMuch(name, { used, limit: limit ?? used, freesAt, wanted: isCount ? 1n : BigInt(bytes) });
}

/** Most rows per statement, and most statements. */
const step = { rows: 5_000, most: 200 } as const;

/**
 * Removes the stored answers of a model's predictions, in small steps that do not block others; the sweep deletes their
 * objects. Returns their number.
 */
export async function removeAnswersOf(sql: Sql, modelId: string): Promise<number> {
  let removed = 0;
  for (let n = 0; n < step.most; n += 1) {
    const { rowCount } = await sql.query(
      `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT i.ctid FROM idempotency_keys i WHERE i.model_id = $1 AND i.state = 'done' LIMIT ${step.rows}))`,
      [modelId],
    );
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < step.rows) break;
  }
  return removed;
}

/** Names of objects whose stored answers were removed, at most `most`. */
export async function endedAnswers(sql: Sql, most = 10_000): Promise<string[]> {
  const { rows } = await sql.query<{ object: string }>('SELECT object FROM ended_answers ORDER BY object LIMIT $1', [
    most,
  ]);
  return rows.map(({ object }) => object);
}

/** Removes records of deleted objects. */
export async function forgetEndedAnswers(sql: Sql, names: readonly string[]): Promise<void> {
  if (names.length > 0) await sql.query('DELETE FROM ended_answers WHERE object = ANY ($1)', [names]);
}
