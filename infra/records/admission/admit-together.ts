import { randomBytes } from 'node:crypto';
import type { KeyMode } from '../../contract/task-model.ts';
import { prepared, type Sql } from '../../drivers/postgres/index.ts';
import { columnsWithoutReport } from '../task-models/rows.ts';
import type { Admitted, AdmissionRequest, Refused } from './admit.ts';
import { foundOf, type FoundRow } from './found.ts';

/** What is the same for all that go together. */
export type Terms = Pick<AdmissionRequest, 'scopes' | 'whileSuspended' | 'leaseSeconds'>;

/** Requests of one key. */
export interface KeyLine {
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly requests: readonly Pick<AdmissionRequest, 'ip' | 'leaseId' | 'model' | 'key'>[];
}

/**
 * `alone`: nothing was done for the request, which `admit` admits or refuses. An error: it was admitted, and what was
 * found with it cannot be read; asked again it would take a second place.
 */
export type AdmittedTogether = Admitted | Refused | 'alone' | Error;

interface Row extends FoundRow {
  readonly outcome: 'admitted' | 'UNAUTHENTICATED' | 'alone';
  readonly account_id: string;
  readonly key_mode: KeyMode;
  readonly at: Date;
  readonly window_limit: number;
  readonly remaining: number;
  readonly reset_seconds: number;
  readonly daily_estimates: number;
  readonly sought: string | null;
}

/** In the order of the requests, which is all that tells whose a row is, however the server joins the models. */
const statement = `
  SELECT a.outcome, a.account_id, a.mode AS key_mode, a.at, a.window_limit, a.remaining, a.reset_seconds,
         a.daily_estimates, a.available, a.capped, a.key_begun, a.model AS sought, found.*
  FROM admit_requests_together($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) WITH ORDINALITY AS a
  LEFT JOIN LATERAL (
    SELECT ${columnsWithoutReport} FROM task_models m WHERE m.id = a.model AND m.account_id = a.account_id) AS found
  ON true ORDER BY a.ordinality`;

const nobody: Refused = {
  outcome: 'UNAUTHENTICATED',
  accountId: null,
  mode: null,
  at: new Date(0),
  rate: null,
  since: null,
  message: null,
  retryAfterSeconds: null,
  keyScopes: [],
  burst: 0,
  concurrency: 0,
};

/**
 * Admits requests of several keys in one round trip, as `admit` does each, but for what stands against one: none keeps
 * another waiting. In the order given. Training reports are not found.
 */
export async function admitTogether(
  sql: Sql,
  { scopes, whileSuspended, leaseSeconds }: Terms,
  lines: readonly KeyLine[],
): Promise<AdmittedTogether[]> {
  const all = lines.flatMap(({ requests }) => requests);
  const { rows } = await prepared<Row>(sql, statement, [
    randomBytes(16),
    scopes,
    whileSuspended,
    leaseSeconds,
    lines.map(({ keyId }) => keyId),
    lines.map(({ secretHash }) => Buffer.from(secretHash)),
    lines.map(({ requests }) => requests.length),
    all.map(({ ip }) => ip),
    all.map(({ leaseId }) => leaseId),
    all.map(({ model }) => model?.id ?? null),
    all.map(({ key }) => key ?? null),
  ]);
  // Of requests that name the same model, one after another, the first has found it; undefined: it cannot be read.
  let model: Admitted['model'] | undefined;
  const admissionOf = (row: Row, at: number): AdmittedTogether => {
    if (row.outcome !== 'admitted') return row.outcome === 'alone' ? 'alone' : nobody;
    const isFirst = row.sought !== null || !all[at]!.model;
    if (isFirst) model = undefined;
    const found = foundOf(row);
    if (isFirst) model = found.model;
    if (model === undefined) throw new Error('The model that the request before found cannot be read.');
    const { account_id: accountId, key_mode: mode, window_limit: limit, remaining, reset_seconds: resetSeconds } = row;
    const rate = { limit, remaining, resetSeconds };
    const dailyEstimates = row.daily_estimates;
    return { outcome: 'admitted', accountId, mode, at: row.at, rate, dailyEstimates, ...found, model };
  };
  return rows.map((row, at) => {
    try {
      return admissionOf(row, at);
    } catch (error) {
      return error as Error;
    }
  });
}
