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
