import { limits } from '../../contract/limits.ts';
import type { TaskModelRecord } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { AccountError } from '../accounts/account-error.ts';
import { hashToken, newShortToken } from '../accounts/tokens.ts';
import { visibleAt } from './lifecycle-sql.ts';
import { columns, toRecord, type StoredTaskModel } from './rows.ts';

/** A link with which anybody reads the report of a model, without its token. */
export interface ShareLink {
  readonly id: string;
  readonly createdAt: Date;
}

/** The form of a token. Other texts in an address are never looked for. */
export const shareTokenPattern = /^[\w-]{22}$/;

/** A model with a report that its account may share at `at`. */
const shareable = (at: string): string =>
  `m.status = 'active' AND m.training_report IS NOT NULL AND ${visibleAt(`${at}::timestamptz`)}`;

/**
 * Makes a share link in the caller's transaction. Its token is returned once: only the hash is stored. Null: the
 * account has no such model, or the model has no report. Throws AccountError if the model has the most links.
 */
export async function makeShareLink(
  sql: Sql,
  accountId: string,
  modelId: string,
  at: Date,
): Promise<(ShareLink & { readonly token: string }) | null> {
  const found = await sql.query(
    `SELECT FROM task_models m WHERE m.id = $1 AND m.account_id = $2 AND ${shareable('$3')} FOR NO KEY UPDATE`,
    [modelId, accountId, at],
  );
  if (found.rowCount === 0) return null;
  if ((await shareLinksOf(sql, accountId, modelId)).length >= limits.shareLinksPerModel)
    throw new AccountError(`A model has at most ${limits.shareLinksPerModel} share links at one time. End one first.`, {
      field: 'model_id',
    });
  const { token, hash } = newShortToken();
  const {
    rows: [row],
  } = await sql.query<ShareLink>(
    `INSERT INTO share_links (model_id, token_hash, created_at) VALUES ($1, $2, $3)
     RETURNING id, created_at AS "createdAt"`,
    [modelId, hash, at],
  );
  return { ...row!, token };
}

/** The share links of a model, oldest first; empty also for a model of another account. */
export async function shareLinksOf(sql: Sql, accountId: string, modelId: string): Promise<ShareLink[]> {
  const { rows } = await sql.query<ShareLink>(
    `SELECT s.id, s.created_at AS "createdAt" FROM share_links s JOIN task_models m ON m.id = s.model_id
     WHERE m.id = $1 AND m.account_id = $2 ORDER BY s.created_at, s.id`,
    [modelId, accountId],
  );
  return rows;
}

/** Ends one share link; false if the account has no such link. */
export async function endShareLink(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `DELETE FROM share_links s USING task_models m
     WHERE m.id = s.model_id AND s.id::text = $1 AND m.account_id = $2`,
    [id, accountId],
  );
  return rowCount === 1;
}

/** Ends every share link of a model. */
export async function endShareLinks(sql: Sql, modelId: string): Promise<void> {
  await sql.query('DELETE FROM share_links WHERE model_id = $1', [modelId]);
}

/** A share link that works. The lookup is by the hash, so its duration tells nothing about stored tokens. */
const working = `FROM share_links s JOIN task_models m ON m.id = s.model_id JOIN accounts a ON a.id = m.account_id
  WHERE s.token_hash = $1 AND a.suspended_at IS NULL AND a.closed_at IS NULL AND ${shareable('clock_timestamp()')}`;

/**
 * The model of a share link; null: the link is unknown or was ended, the model has ended, or its account is paused or
 * closed.
 */
export async function findShared(sql: Sql, token: string): Promise<TaskModelRecord | null> {
  if (!shareTokenPattern.test(token)) return null;
  const { rows } = await sql.query<StoredTaskModel>(`SELECT ${columns} ${working}`, [hashToken(token)]);
  return rows[0] ? toRecord(rows[0]) : null;
}

/** Whether `findShared` finds a model, without reading its report. */
export async function isShared(sql: Sql, token: string): Promise<boolean> {
  if (!shareTokenPattern.test(token)) return false;
  return (await sql.query(`SELECT ${working}`, [hashToken(token)])).rowCount === 1;
}
