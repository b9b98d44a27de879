import type { Pool } from 'pg';

/** Rows of each large table. */
export const filledRows = 12_000;

/** Tables that grow with use. */
export const largeTables = [
  'accounts',
  'api_keys',
  'wallets',
  'task_models',
  'task_model_batches',
  'fit_requests',
  'fit_candidates',
  'holds',
  'ledger_transactions',
  'ledger_entries',
  'spending_days',
  'usage_days',
  'request_log',
  'idempotency_keys',
] as const;

/**
 * Fills a database like years of use: a thousand accounts with a dozen models each, three of four ended, with jobs,
 * keys and charges. `admin` may switch triggers off. `from` adds more to an earlier fill.
 */
export async function fillDatabase(
  admin: Pool,
  { from = 0, to = filledRows }: { readonly from?: number; readonly to?: number } = {},
): Promise<void> {
  await admin.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    CREATE TEMP TABLE rows ON COMMIT DROP AS
      SELECT n, md5('account ' || n % 1000)::uuid AS account, 'clf_' || md5('model ' || n) AS model,
             md5('hold ' || n)::uuid AS hold, now() - interval '20 days' - n * interval '1 minute' AS at
      FROM generate_series(${from + 1}, ${to}) AS n;
    INSERT INTO accounts (id, email)
      SELECT md5('account ' || n)::uuid, n || '@example.com' FROM generate_series(${from === 0 ? 0 : from + 1}, ${to}) AS n;
    INSERT INTO wallets (account_id, balance) SELECT id, 1000000 FROM accounts ON CONFLICT DO NOTHING;
    INSERT INTO api_keys (key_id, account_id, mode, secret_hash, scopes)
      SELECT left(md5('key ' || n), 16), account, 'live', '', '{predictions}' FROM rows;
    INSERT INTO task_models (id, account_id, mode, description, status, task_kind, classes, channels, signal,
                             created_at, fitted_at, collect_until, paid_through, model_ref, method)
      SELECT model, account, 'live', '', CASE n % 4 WHEN 0 THEN 'active' ELSE 'deleted' END, 'other', '{a,b}', '{Cz}',
             '{}', at, at, at, now() + interval '10 days', 'm', '{}' FROM rows;
    INSERT INTO task_model_batches (model_id, n, features_ref, trials, windows, class_counts, signal, created_at)
      SELECT model, 1, 'features/' || n, 4, 4, '{}', '{}', at FROM rows;
    INSERT INTO fit_requests (job_id, model_id, account_id, request, created_at, finished_at, status, body)
      SELECT 'job ' || n, model, account, '{}', now() - interval '1 hour', now() - interval '1 hour', 201, '{}'
      FROM rows;
    INSERT INTO fit_candidates (job_id, method_id, title, status, at)
      SELECT 'job ' || n, 'm', 'M', 'scored', at FROM rows;
    INSERT INTO holds (id, account_id, model_id, amount, create_fee, hosting_month, state, created_at, resolved_at)
      SELECT hold, account, model, 2, 1, 1, 'captured', at, at FROM rows;
    INSERT INTO ledger_transactions (account_id, kind, model_id, period, starts_at, ends_at, unit_price, at)
      SELECT account, 'task_models.hosting', model, 2, at, at + interval '720 hours', 1, at FROM rows;
    INSERT INTO ledger_entries
      SELECT id, account_id, 'wallet', -1 FROM ledger_transactions WHERE kind = 'task_models.hosting'
      ON CONFLICT DO NOTHING;
    INSERT INTO spending_days (account_id, mode, day, kind)
      SELECT account, 'live', current_date - n % 400, 'kind ' || n FROM rows;
    INSERT INTO usage_days (account_id, key_id, mode, day, endpoint, status, code, requests, windows, micro_usd)
      SELECT account, 'key', 'live', current_date - n % 400, 'endpoint ' || n, 200, 'ok', 1, 1, 1 FROM rows;
    INSERT INTO request_log
      SELECT account, now() - n * interval '3 minutes', 'r' || n, 'e', 200, 'ok', 'key', 'live', 1, 1 FROM rows;
    INSERT INTO request_log
      SELECT md5('account 0')::uuid, now() - n * interval '1 minute', 'b' || n, 'e',
             CASE n % 500 WHEN 0 THEN 403 ELSE 200 END, CASE n % 500 WHEN 0 THEN 'SCOPE_MISSING' ELSE 'ok' END, 'key',
             'live', 1, 1 FROM rows;
    INSERT INTO request_log
      SELECT md5('account 1')::uuid, now() - n * interval '1 minute', 'c' || n, 'e', 403, 'SCOPE_MISSING', 'key', 'live', 1,
             1 FROM rows;
    INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, response_status, response_body,
                                  response_bytes, created_at)
      SELECT account, 'live', 'key ' || n, 'h', 'done', 200, '{}', 2, now() - n * interval '1 minute' FROM rows;
    INSERT INTO stored_answer_days AS s (account_id, day, answers, bytes)
      SELECT account, ((now() - n * interval '1 minute') AT TIME ZONE 'UTC')::date, count(*), 2 * count(*) FROM rows GROUP BY 1, 2
      ON CONFLICT (account_id, day) DO UPDATE
        SET answers = s.answers + excluded.answers, bytes = s.bytes + excluded.bytes;
    COMMIT`);
  await admin.query(`ANALYZE ${largeTables.join(', ')}`);
}
