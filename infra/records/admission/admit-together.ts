import { randomBytes } from 'node:crypto';
import type { KeyMode } from '../../contract/task-model.ts';
import { prepared, type Sql } from '../../drivers/postgres/index.ts';
import { toRecord } from '../task-models/rows.ts';
import type { Admitted, AdmissionRequest, Refused } from './admit.ts';
import { foundBeside, type FoundRow } from './found.ts';
import {
  knownColumns,
  readAnew,
  remember,
  rowVersion,
  type KnownModel,
  type KnownModels,
  type VersionedRow,
} from './known-models.ts';

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

interface Row extends Pick<FoundRow, 'available' | 'capped' | 'key_begun'> {
  readonly outcome: 'admitted' | 'UNAUTHENTICATED' | 'alone';
  readonly account_id: string;
  readonly key_mode: KeyMode;
  readonly at: Date;
  readonly window_limit: number;
  readonly remaining: number;
  readonly reset_seconds: number;
  readonly daily_estimates: number;
  readonly sought: string | null;
  /** Of the model that is sought; null: there is none. */
  readonly version: string | null;
}

/** In the order of the requests, which is all that tells whose a row is, however the server joins the models. */
const admitting = (columns: string): string => `
  SELECT a.outcome, a.account_id, a.mode AS key_mode, a.at, a.window_limit, a.remaining, a.reset_seconds,
         a.daily_estimates, a.available, a.capped, a.key_begun, a.model AS sought, found.*
  FROM admit_requests_together($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) WITH ORDINALITY AS a
  LEFT JOIN LATERAL (
    SELECT ${columns} FROM task_models m WHERE m.id = a.model AND m.account_id = a.account_id) AS found
  ON true ORDER BY a.ordinality`;

/** To describe and to read the columns of a model takes longer than to admit a request: a known one is not read. */
const statements = { known: admitting(rowVersion), unknown: admitting(knownColumns) } as const;

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
 * another waiting. In the order given. Training reports are not found. A model that is `known` and was written since is
 * still to be read (`readModel`).
 */
export async function admitTogether(
  sql: Sql,
  { scopes, whileSuspended, leaseSeconds }: Terms,
  lines: readonly KeyLine[],
  known: KnownModels,
): Promise<AdmittedTogether[]> {
  const all = lines.flatMap(({ requests }) => requests);
  const before = new Map(all.flatMap(({ model }) => (model ? [[model.id, known.get(model.id)]] : [])));
  const areKnown = ![...before.values()].includes(undefined);
  const { rows } = await prepared<Row>(sql, areKnown ? statements.known : statements.unknown, [
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
  const modelOf = areKnown ? modelsBefore(sql, rows, before, known) : (row: Row) => asRead(row, known);
  // Of requests that name the same model, one after another, the first has found it, or why it cannot be read.
  let found: Model | Error = { model: null };
  const admissionOf = (row: Row, at: number): AdmittedTogether => {
    if (row.outcome !== 'admitted') return row.outcome === 'alone' ? 'alone' : nobody;
    if (row.sought !== null || !all[at]!.model) found = attempted(() => modelOf(row));
    if (found instanceof Error) return found;
    const { account_id: accountId, key_mode: mode, window_limit: limit, remaining, reset_seconds: resetSeconds } = row;
    const rate = { limit, remaining, resetSeconds };
    const dailyEstimates = row.daily_estimates;
    return { outcome: 'admitted', accountId, mode, at: row.at, rate, dailyEstimates, ...found, ...foundBeside(row) };
  };
  return rows.map((row, at) => attempted(() => admissionOf(row, at)));
}

type Model = Pick<Admitted, 'model' | 'readModel'>;

/** What cannot be read is the fault of one row, or of one model. */
function attempted<T>(read: () => T): T | Error {
  try {
    return read();
  } catch (error) {
    return error as Error;
  }
}

/** The model of a row that was read whole. */
function asRead(row: Row, known: KnownModels): Model {
  if (row.version === null) return { model: null };
  const stored = row as unknown as VersionedRow;
  const model = toRecord(stored);
  remember(known, stored);
  return { model };
}

/** The models of rows that hold versions alone: as they were `before`; those that were written since are being read. */
function modelsBefore(
  sql: Sql,
  rows: readonly Row[],
  before: ReadonlyMap<string, KnownModel | undefined>,
  known: KnownModels,
): (row: Row) => Model {
  const isWritten = ({ sought, version }: Row): boolean =>
    sought !== null && version !== null && before.get(sought)!.version !== version;
  const written = [...new Set(rows.filter(isWritten).map(({ sought }) => sought!))];
  const anew = written.length > 0 ? readAnew(sql, known, written) : null;
  anew?.catch(() => undefined);
  return (row) => {
    const { sought, version } = row;
    if (sought === null || version === null) return { model: null };
    if (!isWritten(row)) return { model: toRecord(before.get(sought)!.stored) };
    const readModel = async (): Promise<Model['model']> => {
      const stored = (await anew!).get(sought);
      return stored ? toRecord(stored) : null;
    };
    return { model: null, readModel };
  };
}
