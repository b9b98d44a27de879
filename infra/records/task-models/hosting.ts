import { ApiError } from '../../contract/errors.ts';
import { dayMs, limits } from '../../contract/limits.ts';
import type { TaskModelRecord } from '../../contract/task-model.ts';
import { charge, hostingMonth } from '../ledger/charges.ts';
import { waiveHosting } from '../ledger/waive.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { readStored } from './models.ts';
import { needsInService } from './pinned.ts';
import type { StoredTaskModel } from './rows.ts';

const month = limits.hostingDays * dayMs;

/** The hosting month after the last paid one; months are counted from 1 at the fit. */
const nextPeriod = (model: Pick<TaskModelRecord, 'fittedAt' | 'paidThrough'>): number =>
  Math.round((model.paidThrough!.getTime() - model.fittedAt!.getTime()) / month) + 1;

/** Whether a hosting month has started and is unpaid. Predictions pay it first. */
export const hostingIsDue = (
  model: Pick<StoredTaskModel, 'mode' | 'status' | 'unpaidSince' | 'nextChargeAt'>,
  at: Date,
): boolean =>
  model.mode === 'live' &&
  model.status === 'active' &&
  (model.unpaidSince !== null || (model.nextChargeAt !== null && model.nextChargeAt <= at));

/** Why a hosting month is free of charge now, in words; null: it is charged. */
async function waiverOf(sql: Sql, { accountId, pins, blockedAt }: StoredTaskModel): Promise<string | null> {
  if (blockedAt) return 'predictions of the model are blocked';
  const needs = (await needsInService(sql, pins)).join(', ');
  if (needs) return `the model needs ${needs}, which this service does not have`;
  const { rowCount } = await sql.query('SELECT FROM accounts WHERE id = $1 AND suspended_at IS NOT NULL', [accountId]);
  return rowCount === 1 ? 'the account is suspended' : null;
}

/**
 * Charges the next hosting month of a locked model, or waives it while the service cannot serve the model, its
 * predictions are blocked, or its account is suspended. Throws the ledger's 402 and then has changed nothing.
 */
async function cover(sql: Sql, model: StoredTaskModel, at: Date): Promise<Renewal> {
  const { id: modelId, accountId, mode } = model;
  const due = { modelId, period: nextPeriod(model), fittedAt: model.fittedAt!, at };
  const reason = await waiverOf(sql, model);
  if (reason !== null) await waiveHosting(sql, { ...due, reason });
  else await charge(sql, { ...due, accountId, mode, kind: 'task_models.hosting' });
  await sql.query('UPDATE task_models SET paid_through = $2, unpaid_since = NULL, retry_at = NULL WHERE id = $1', [
    modelId,
    hostingMonth(due.fittedAt, due.period).endsAt,
  ]);
  return reason === null
    ? { outcome: 'charged', what: `Hosting month ${due.period} charged` }
    : { outcome: 'waived', what: `Hosting month ${due.period} waived: ${reason}` };
}

export interface Renewal {
  readonly outcome: 'charged' | 'waived' | 'unpaid';
  /** For a reader of the Temporal UI. */
  readonly what: string;
}

/**
 * Charges or waives the next hosting month of a locked model, or marks it unpaid, to be tried again on each of the
 * following days.
 */
export async function renew(sql: Sql, model: StoredTaskModel, at: Date): Promise<Renewal> {
  try {
    return await cover(sql, model, at);
  } catch (error) {
    if (!isBilling(error)) throw error;
    const since = model.unpaidSince ?? model.paidThrough!;
    const retryAt = new Date(since.getTime() + (Math.floor((at.getTime() - since.getTime()) / dayMs) + 1) * dayMs);
    await sql.query('UPDATE task_models SET unpaid_since = $2, retry_at = $3 WHERE id = $1', [
      model.id,
      since,
      retryAt,
    ]);
    return { outcome: 'unpaid', what: `Hosting month ${nextPeriod(model)} could not be charged: ${error.code}` };
  }
}

/**
 * Before a prediction: charges or waives every begun and unpaid hosting month, in the caller's transaction. Throws 402
 * (INSUFFICIENT_CREDIT, BUDGET_EXCEEDED) that names the month.
 */
export async function payDueHosting(sql: Sql, id: string, at: Date): Promise<void> {
  for (
    let model = await readStored(sql, id, true);
    model && hostingIsDue(model, at);
    model = await readStored(sql, id)
  ) {
    const { startsAt } = hostingMonth(model.fittedAt!, nextPeriod(model));
    await cover(sql, model, at).catch((error: unknown) => {
      if (!isBilling(error)) throw error;
      throw new ApiError(
        error.code,
        `The hosting month of ${id} that began ${startsAt.toISOString()} is not paid. ${error.message}`,
        {
          details: { ...error.details, unpaid_since: Math.floor(startsAt.getTime() / 1000) },
          cause: error,
        },
      );
    });
  }
}

/**
 * After credit arrived or a cap was raised: charges unpaid hosting months, oldest first, and returns the models that
 * are paid again.
 */
export async function renewUnpaid(sql: Sql, accountId: string, at: Date): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM task_models WHERE account_id = $1 AND status = 'active' AND unpaid_since IS NOT NULL
       AND unpaid_since + interval '${limits.unpaidGraceDays * 24} hours' > $2
         AND (expires_at IS NULL OR expires_at > $2)
     ORDER BY unpaid_since, id`,
    [accountId, at],
  );
  const paid: string[] = [];
  for (const { id } of rows) {
    const model = await readStored(sql, id, true);
    if (model && hostingIsDue(model, at) && (await renew(sql, model, at)).outcome === 'charged') paid.push(id);
  }
  return paid;
}

const isBilling = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.code === 'INSUFFICIENT_CREDIT' || error.code === 'BUDGET_EXCEEDED');
