import { equal } from 'node:assert/strict';
import { runMain } from '../support/stack.ts';
import type { Tenant } from './load.ts';
import type { Site } from './site.ts';

/** Counts of answered requests, over all tenants. */
export interface Answers {
  readonly creates: number;
  readonly predictions: number;
}

/** One admin command; its JSON object. */
export async function admin<T>({ environment }: Pick<Site, 'environment'>, ...args: string[]): Promise<T> {
  const program = runMain('admin', args, environment);
  if ((await program.exit) !== 0) throw new Error(program.output());
  return JSON.parse(program.output()) as T;
}

/**
 * Checks that every answered request was charged once and nothing else was, then the whole books. Throws with what
 * differs. Returns the number of transactions.
 */
export async function checkBooks(site: Site, tenants: readonly Tenant[], answers: Answers): Promise<number> {
  const { rows } = await site.admin.query<{ creates: number; predictions: number }>(
    `SELECT count(*) FILTER (WHERE kind = 'task_models.create_fee')::int AS creates,
            coalesce(sum(windows) FILTER (WHERE kind = 'task_models.predict'), 0)::int AS predictions
     FROM ledger_transactions WHERE account_id = ANY ($1)`,
    [tenants.map(({ accountId }) => accountId)],
  );
  equal(rows[0]!.creates, answers.creates, 'creates that were charged, and creates that were answered');
  equal(rows[0]!.predictions, answers.predictions, 'predictions that were charged, and predictions that were answered');
  const open = await site.admin.query('SELECT FROM fit_requests WHERE finished_at IS NULL');
  equal(open.rowCount, 0, 'fits that did not end');
  const { transactions } = await admin<{ transactions: number }>(site, 'ledger', 'check', '--all');
  return transactions;
}
