import { randomBytes } from 'node:crypto';
import type { MicroUsd } from '../../contract/prices.ts';
import type { KeyMode, TaskModelRecord } from '../../contract/task-model.ts';
import { prepared } from '../../drivers/postgres/prepared.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { sessionDays } from '../accounts/sessions.ts';
import { Busy } from '../batch-queue.ts';
import { columns, columnsWithoutReport, toRecord, type StoredTaskModel } from '../task-models/rows.ts';

/** A caller that is not authenticated yet. */
export type Credential =
  | {
      readonly kind: 'key';
      readonly keyId: string;
      /** One-way hash of the key's secret, as stored (32 bytes). */
      readonly hash: Uint8Array;
    }
  | {
      readonly kind: 'session';
      /** One-way hash of the session's token, as stored (32 bytes). */
      readonly hash: Uint8Array;
      readonly mode: KeyMode;
      /** Version of the terms that must be accepted; null: any. */
      readonly terms: string | null;
    };

/** The part of an admission that is the same for every request of a route. */
export interface Terms {
  /** One of these permissions is enough. A session has all of them. */
  readonly scopes: readonly string[];
  readonly leaseSeconds: number;
  /** Admits requests of suspended accounts too. */
  readonly whileSuspended: boolean;
}

export interface AdmissionRequest extends Terms {
  /** Name under which usage is counted, such as `task_models.create`. */
  readonly endpoint: string;
  readonly requestId: string;
  /** A new UUID. The request counts as running until the lease is released or expires. */
  readonly leaseId: string;
  /** Address of the caller, without a port. */
  readonly ip: string;
  /** The model named in the path, with or without its training report; null: none. */
  readonly model: { readonly id: string; readonly report: boolean } | null;
  /** An Idempotency-Key to lock before the body is known, unless it is already in use; null: none. */
  readonly key: string | null;
}

/** Requests of one caller. */
export interface CallerRequests {
  readonly credential: Credential;
  readonly requests: readonly AdmissionRequest[];
}

/** Available money and windows at the time of the admission. They may let a request pass early, but never refuse it. */
export interface Funds {
  readonly available: MicroUsd;
  /** Whether the account has a cap on money or on windows. */
  readonly capped: boolean;
  /** Windows left of the day's allowance of test keys; null: a live key, or no such limit. */
  readonly windowsLeft: bigint | null;
}

export interface RateState {
  /** Requests per 10-second window. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface Admitted {
  readonly outcome: 'admitted';
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Time of the database's clock: all decisions about this request use it. */
  readonly at: Date;
  readonly rate: RateState;
  readonly dailyEstimates: number;
  /** The account's model, with any status and mode; null: there is none, or none was named. */
  readonly model: TaskModelRecord | null;
  readonly funds: Funds;
  /** Whether the request has locked its Idempotency-Key. */
  readonly keyBegun: boolean;
}

type RefusedOutcome =
  | 'UNAUTHENTICATED'
  | 'KEY_REVOKED'
  | 'KEY_EXPIRED'
  | 'TENANT_SUSPENDED'
  | 'IP_NOT_ALLOWED'
  | 'SCOPE_MISSING'
  | 'TERMS_NOT_ACCEPTED'
  | 'SERVING_DISABLED'
  | 'WINDOW'
  | 'BURST'
  | 'CONCURRENCY_LIMITED';

export interface Refused {
  readonly outcome: RefusedOutcome;
  /** Null: the caller is unknown. */
  readonly rate: RateState | null;
  readonly since: Date | null;
  readonly message: string | null;
  readonly retryAfterSeconds: number | null;
  readonly keyScopes: readonly string[];
  readonly burst: number;
  readonly concurrency: number;
}

export type Admission = Admitted | Refused;

interface Row extends Omit<StoredTaskModel, 'id' | 'mode'> {
  readonly id: string | null;
  readonly mode: KeyMode;
  readonly outcome: 'admitted' | 'busy' | RefusedOutcome;
  readonly account_id: string;
  readonly key_mode: KeyMode;
  readonly at: Date;
  readonly window_limit: number;
  readonly remaining: number;
  readonly reset_seconds: number;
  readonly daily_estimates: number;
  readonly available: MicroUsd | null;
  readonly capped: boolean;
  readonly windows_left: bigint | null;
  readonly key_begun: boolean;
  readonly refusal: {
    readonly since: string | null;
    readonly message: string | null;
    readonly retryAfter: number | null;
    readonly scopes: readonly string[];
    readonly burst: number;
    readonly concurrency: number;
  } | null;
}

/**
 * Admits the requests and reads their current models; charges check these again under a lock. Both tables have a column
 * `mode`.
 */
const admitting = (modelColumns: string): string => `
  SELECT a.outcome, a.account_id, a.mode AS key_mode, a.at, a.window_limit, a.remaining, a.reset_seconds,
         a.daily_estimates, a.available, a.capped, a.windows_left, a.key_begun, a.refusal, found.*
  FROM admit_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) WITH ORDINALITY AS a
  LEFT JOIN LATERAL (
    SELECT ${modelColumns} FROM task_models m WHERE m.id = a.model AND m.account_id = a.account_id) AS found
  ON a.outcome = 'admitted' ORDER BY a.ordinality`;

const statements = { report: admitting(columns), lean: admitting(columnsWithoutReport) } as const;

/**
 * Admits or refuses requests of several callers of one kind, under the same terms, in one round trip (design, decision
 * 9). An admitted request gets a concurrency lease, its model, the available money, and its Idempotency-Key. An Error
 * concerns one request whose model cannot be read. Busy and `waits` as in `BatchOptions.run`.
 */
export async function admitRequests(
  sql: Sql,
  { scopes, whileSuspended, leaseSeconds }: Terms,
  callers: readonly CallerRequests[],
  waits: boolean,
): Promise<(Admission | Error | Busy)[]> {
  const [{ credential: first }] = callers as [CallerRequests];
  const all = callers.flatMap(({ requests }) => requests);
  const { rows } = await prepared<Row>(sql, all[0]?.model?.report ? statements.report : statements.lean, [
    waits,
    first.kind === 'session',
    scopes,
    whileSuspended,
    first.kind === 'session' ? first.terms : null,
    sessionDays.idle,
    leaseSeconds,
    randomBytes(16),
    callers.map(({ credential }) => (credential.kind === 'key' ? credential.keyId : credential.mode)),
    callers.map(({ credential }) => Buffer.from(credential.hash)),
    callers.map(({ requests }) => requests.length),
    all.map(({ endpoint }) => endpoint),
    all.map(({ requestId }) => requestId),
    all.map(({ ip }) => ip),
    all.map(({ leaseId }) => leaseId),
    all.map(({ key }) => key),
    all.map(({ model }) => model?.id ?? null),
  ]);
  return rows.map(admissionOf);
}

function admissionOf(row: Row): Admission | Error | Busy {
  if (row.outcome === 'busy') return new Busy(row.account_id);
  try {
    return row.outcome === 'admitted' ? admittedOf(row) : { outcome: row.outcome, ...refusalOf(row) };
  } catch (error) {
    return error as Error;
  }
}

function admittedOf(row: Row): Admitted {
  const { account_id: accountId, key_mode: mode, at, available, capped, windows_left, key_begun: keyBegun } = row;
  if (available === null) throw new Error('The account has no wallet.');
  return {
    outcome: 'admitted',
    accountId,
    mode,
    at,
    rate: rateOf(row),
    dailyEstimates: row.daily_estimates,
    model: row.id === null ? null : toRecord(row as StoredTaskModel),
    funds: { available, capped, windowsLeft: windows_left },
    keyBegun,
  };
}

const rateOf = ({ window_limit: limit, remaining, reset_seconds: resetSeconds }: Row): RateState => ({
  limit,
  remaining,
  resetSeconds,
});

function refusalOf(row: Row): Omit<Refused, 'outcome'> {
  if (!row.refusal) return unknownCaller;
  const { since, message, retryAfter: retryAfterSeconds, scopes: keyScopes, burst, concurrency } = row.refusal;
  const at = since === null ? null : new Date(since);
  return { rate: rateOf(row), since: at, message, retryAfterSeconds, keyScopes, burst, concurrency };
}

const unknownCaller: Omit<Refused, 'outcome'> = {
  rate: null,
  since: null,
  message: null,
  retryAfterSeconds: null,
  keyScopes: [],
  burst: 0,
  concurrency: 0,
};
