import { randomBytes } from 'node:crypto';
import type { KeyMode } from '../../contract/task-model.ts';
import { prepared, type Sql } from '../../drivers/postgres/index.ts';
import { sessionDays } from '../accounts/sessions.ts';
import { foundOf, statementsOf, type AskedFor, type Found, type FoundRow } from './found.ts';

/** A request by whoever it is, as it asks to be admitted. */
interface AnyRequest extends Partial<AskedFor> {
  /** Name under which usage is counted, such as `task_models.create`. */
  readonly endpoint: string;
  readonly requestId: string;
  /** A fresh UUID; counts as in flight until released or expired. */
  readonly leaseId: string;
  readonly leaseSeconds: number;
  /** Admitted although the account is suspended. */
  readonly whileSuspended: boolean;
}

export interface AdmissionRequest extends AnyRequest {
  readonly keyId: string;
  /** One-way hash of the key's secret, as stored (32 bytes). */
  readonly secretHash: Uint8Array;
  /** Address of the caller, without a port. */
  readonly ip: string;
  /** One of these is enough. */
  readonly scopes: readonly string[];
}

/** A request of who is signed in, who may do everything that a key of this mode may, from anywhere. */
export interface SessionRequest extends AnyRequest {
  /** One-way hash of the session's token, as stored (32 bytes). */
  readonly tokenHash: Uint8Array;
  readonly mode: KeyMode;
  /** The version of the terms that has to be accepted; null: any. */
  readonly terms: string | null;
}

export interface RateState {
  /** Requests per 10-second window. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export interface Admitted extends Found {
  readonly outcome: 'admitted';
  readonly accountId: string;
  readonly mode: KeyMode;
  /** The database's clock: the instant all decisions of this request are taken at. */
  readonly at: Date;
  readonly rate: RateState;
  readonly dailyEstimates: number;
  /** Resolves with the model where that has still to be read, and `model` is null; absent: `model` is it. */
  readonly readModel?: () => Promise<Found['model']>;
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
  /** Null when the key does not exist. */
  readonly accountId: string | null;
  readonly mode: KeyMode | null;
  readonly at: Date;
  readonly rate: RateState | null;
  readonly since: Date | null;
  readonly message: string | null;
  readonly retryAfterSeconds: number | null;
  readonly keyScopes: readonly string[];
  readonly burst: number;
  readonly concurrency: number;
}

interface Row extends FoundRow {
  outcome: RefusedOutcome | 'admitted';
  account_id: string | null;
  key_mode: KeyMode | null;
  at: Date;
  scopes: string[] | null;
  since: Date | null;
  message: string | null;
  window_limit: number | null;
  remaining: number;
  reset_seconds: number;
  retry_after: number | null;
  burst: number;
  concurrency: number;
  daily_estimates: number;
}

const byKey = statementsOf('admit_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', 10);
const bySession = statementsOf('admit_session($1, $2, $3, $4, $5, $6, $7, $8, $9)', 9);

async function ask(
  sql: Sql,
  statements: typeof byKey,
  { model = null, key = null, leaseId, leaseSeconds }: AnyRequest,
  values: readonly unknown[],
): Promise<Admitted | Refused> {
  const { rows } = await prepared<Row>(sql, model?.report ? statements.report : statements.lean, [
    ...values,
    model?.id ?? null,
    key,
    leaseId,
    leaseSeconds,
  ]);
  return admissionOf(rows[0]!);
}

/**
 * One round trip: who asks, may they, and is there room (design, decision 9). Takes the concurrency lease when
 * admitted, finds the model that the request names and what the account may spend, and begins its Idempotency-Key.
 */
export const admit = (sql: Sql, request: AdmissionRequest): Promise<Admitted | Refused> =>
  ask(sql, byKey, request, [
    request.keyId,
    Buffer.from(request.secretHash),
    randomBytes(16),
    request.ip,
    request.scopes,
    request.endpoint,
    request.requestId,
    request.leaseId,
    request.leaseSeconds,
    request.whileSuspended,
  ]);

/** The same for a session: UNAUTHENTICATED where it has ended, TERMS_NOT_ACCEPTED before `terms` are. */
export const admitSession = (sql: Sql, request: SessionRequest): Promise<Admitted | Refused> =>
  ask(sql, bySession, request, [
    Buffer.from(request.tokenHash),
    sessionDays.idle,
    request.mode,
    request.endpoint,
    request.requestId,
    request.leaseId,
    request.leaseSeconds,
    request.whileSuspended,
    request.terms,
  ]);

function admissionOf(row: Row): Admitted | Refused {
  const {
    outcome,
    account_id: accountId,
    key_mode: mode,
    at,
    scopes,
    since,
    message,
    window_limit: limit,
    remaining,
    reset_seconds: resetSeconds,
    retry_after: retryAfterSeconds,
    burst,
    concurrency,
    daily_estimates: dailyEstimates,
  } = row;
  const rate = limit === null ? null : { limit, remaining, resetSeconds };
  if (outcome === 'admitted')
    return { outcome, accountId: accountId!, mode: mode!, at, rate: rate!, dailyEstimates, ...foundOf(row) };
  const keyScopes = scopes ?? [];
  return { outcome, accountId, mode, at, rate, since, message, retryAfterSeconds, keyScopes, burst, concurrency };
}
