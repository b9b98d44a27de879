import { formatUsd } from '../../../infra/contract/prices.ts';
import type { Sql } from '../../../infra/drivers/postgres/transaction.ts';
import { findAccount } from '../../../infra/records/accounts/accounts.ts';
import { listKeys } from '../../../infra/records/accounts/keys.ts';
import { acceptancesOf, sessionsOf } from '../../../infra/records/accounts/holdings.ts';
import { loggedRequests } from '../../../infra/records/admission/request-log.ts';
import { usageByDay } from '../../../infra/records/admission/usage-by-day.ts';
import { runningFits } from '../../../infra/records/fit-jobs/running.ts';
import { balance } from '../../../infra/records/ledger/wallet.ts';
import { ledgerHistory } from '../../../infra/records/ledger/lines.ts';
import { batchesOf } from '../../../infra/records/task-models/batches.ts';
import { shareLinksOf } from '../../../infra/records/task-models/share-links.ts';
import { allModels } from '../../../infra/records/task-models/all-models.ts';
import { ledgerRow } from '../routes/billing.ts';
import { jobRow } from '../routes/jobs.ts';
import { shownKey } from '../routes/keys.ts';
import { requestRow } from '../routes/requests.ts';
import { shownShare } from '../routes/shares.ts';
import { usageRow } from '../routes/usage.ts';
import type { Session } from '../route.ts';

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Stored data that the document does not contain, and why. */
const leftOut = [
  'Fitted parameters of models and stored features of batches: only this service can use them, and they are deleted ' +
    'with the model.',
  'Signals: they are never kept.',
  'The password, secrets of keys, session tokens and addresses of share links: only one-way hashes of them are kept.',
  'Answers kept for retries under an Idempotency-Key, at most 30 days: they repeat data of this document.',
] as const;

async function accountOf(sql: Sql, { accountId }: Session): Promise<object> {
  const account = (await findAccount(sql, { id: accountId }))!;
  const { available, held } = await balance(sql, accountId);
  return {
    account_id: account.id,
    email: account.email,
    created: instant(account.createdAt),
    suspended_since: instant(account.suspendedAt),
    credit_waits_since: instant(account.creditWaitsSince),
    balance_usd: formatUsd(available),
    held_usd: formatUsd(held),
    limits: {
      rps: account.rps,
      burst: account.burst,
      concurrency: account.concurrency,
      daily_estimates: account.dailyEstimates,
      daily_cap_usd: account.dailyCapMicroUsd === null ? null : formatUsd(account.dailyCapMicroUsd),
      monthly_cap_usd: account.monthlyCapMicroUsd === null ? null : formatUsd(account.monthlyCapMicroUsd),
      daily_windows: account.dailyWindows === null ? null : Number(account.dailyWindows),
      monthly_windows: account.monthlyWindows === null ? null : Number(account.monthlyWindows),
    },
  };
}

async function* modelRows(sql: Sql, { accountId }: Session): AsyncGenerator<object> {
  for await (const models of allModels(sql, accountId))
    for (const model of models)
      yield {
        id: model.id,
        mode: model.mode,
        status: model.status,
        name: model.name,
        description: model.description,
        task_kind: model.taskKind,
        classes: model.classes,
        channels: model.channels,
        signal: model.signal,
        reference: model.reference,
        method: model.method,
        training_report: model.trainingReport,
        created: instant(model.createdAt),
        fitted: instant(model.fittedAt),
        expires_at: instant(model.expiresAt),
        paid_through: instant(model.paidThrough),
        deleted_at: instant(model.deletedAt),
        batches: (await batchesOf(sql, model.id)).map(({ n, trials, windows, classCounts, createdAt }) => ({
          n,
          trials,
          windows,
          class_counts: classCounts,
          created: instant(createdAt),
        })),
        share_links: (await shareLinksOf(sql, accountId, model.id)).map(shownShare),
      };
}

async function* ledgerRows(sql: Sql, { accountId }: Session): AsyncGenerator<object> {
  for await (const lines of ledgerHistory(sql, accountId)) yield* lines.map(ledgerRow);
}

async function* requestRows(sql: Sql, { accountId }: Session): AsyncGenerator<object> {
  for (let before: string | null = null; ;) {
    const page = await loggedRequests(sql, accountId, { limit: 1_000, before });
    yield* page.requests.map(requestRow);
    if (page.nextBefore === null) return;
    before = page.nextBefore;
  }
}

/** The usage counters of an export go back at most this many days. */
const usageDays = 3_660;

async function* usageRows(sql: Sql, { accountId, at }: Session): AsyncGenerator<object> {
  for (const day of await usageByDay(sql, { accountId, days: usageDays, at }))
    if (day.requests > 0n || day.microUsd !== 0n || day.windows > 0n || day.testWindows > 0n) yield usageRow(day);
}

async function* each<T>(rows: Promise<readonly T[]>, shown: (row: T) => object): AsyncGenerator<object> {
  for (const row of await rows) yield shown(row);
}

type Rows = (sql: Sql, session: Session) => AsyncGenerator<object>;

/** The lists of the document, in this order. */
const lists: Readonly<Record<string, Rows>> = {
  terms: (sql, { accountId }) =>
    each(acceptancesOf(sql, accountId), ({ version, at }) => ({ version, accepted_at: instant(at) })),
  sessions: (sql, { accountId }) =>
    each(sessionsOf(sql, accountId), ({ createdAt, lastSeenAt, expiresAt }) => ({
      created: instant(createdAt),
      last_seen: instant(lastSeenAt),
      expires_at: instant(expiresAt),
    })),
  keys: (sql, { accountId, at }) => each(listKeys(sql, accountId, at), shownKey),
  models: modelRows,
  running_jobs: (sql, { accountId }) => each(runningFits(sql, accountId), jobRow),
  ledger: ledgerRows,
  usage_by_day: usageRows,
  requests: requestRows,
};

/** Joins rows into JSON pieces of at least this many characters. */
const pieceCharacters = 32_768;

async function* pieces(parts: AsyncGenerator<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const part of parts) {
    piece += part;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  if (piece) yield piece;
}

async function* parts(sql: Sql, session: Session): AsyncGenerator<string> {
  const head = { object: 'account_export', made: session.at.toISOString(), not_included: leftOut };
  yield `${JSON.stringify(head).slice(0, -1)},"account":${JSON.stringify(await accountOf(sql, session))}`;
  for (const [name, rows] of Object.entries(lists)) {
    yield `,\n"${name}":[`;
    let first = true;
    for await (const row of rows(sql, session)) {
      yield `${first ? '' : ','}\n${JSON.stringify(row)}`;
      first = false;
    }
    yield ']';
  }
  yield '}\n';
}

/** All data of an account as one JSON document, in pieces. */
export const exportDocument = (sql: Sql, session: Session): AsyncGenerator<string> => pieces(parts(sql, session));
