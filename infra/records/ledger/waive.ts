import type { Sql } from '../../drivers/postgres/transaction.ts';
import { hostingMonth } from './charges.ts';

export interface HostingWaiver {
  readonly modelId: string;
  readonly period: number;
  readonly fittedAt: Date;
  /** Reason in words, for the operator. */
  readonly reason: string;
  readonly at: Date;
}

/** Covers hosting month `period` (from 2) without a charge, in the caller's transaction. */
export async function waiveHosting(sql: Sql, { modelId, period, fittedAt, reason, at }: HostingWaiver): Promise<void> {
  const { startsAt, endsAt } = hostingMonth(fittedAt, period);
  await sql.query(
    'INSERT INTO hosting_waivers (model_id, period, starts_at, ends_at, reason, at) VALUES ($1, $2, $3, $4, $5, $6)',
    [modelId, period, startsAt, endsAt, reason, at],
  );
}
