import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { checkLedger, type LedgerCheckOptions } from '../../infra/records/ledger/check.ts';
import { closeLedger } from '../../infra/records/ledger/close.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { keepLedgerMonths } from '../../infra/records/ledger/months.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { createModel, newAccount } from '../support/money.ts';
import { publish, table } from './tables.ts';

const accounts = 200;
const predictions = Number(process.env['BOOKS_PREDICTIONS'] ?? 250_000);
/** Transactions of one seal, as of a site with 100 charges a second. */
const together = 1_500;
const turns = 3;
/** Microseconds of a whole check for each transaction. */
const bar = 4;
/** Of larger books only the daily check is measured. */
const wholeChecks = predictions <= 1_000_000;

/** What `ledger check` takes for each transaction, and what the seals take. */
export async function books(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'eeg-books-'));
  const postgres = await startEmbeddedPostgres({ dir: folder });
  try {
    const pool = await openDatabase(postgres.url);
    const admin = createPool(postgres.url, { max: 1, statementMs: 600_000, silenceMs: 0 });
    try {
      await measure(pool, admin);
    } finally {
      await Promise.all([pool.end(), admin.end()]);
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(pool: Pool, admin: Pool): Promise<void> {
  await keepLedgerMonths(pool);
  const models = await fill(pool);
  let sealMs = 0;
  for (let made = 0; made < predictions; made += together) {
    await predict(pool, models, made);
    const from = performance.now();
    await sealLedger(pool);
    sealMs += performance.now() - from;
  }
  await admin.query('VACUUM ANALYZE');
  const rows: (readonly [string, number])[] = [];
  const each = async (name: string, how: Pick<LedgerCheckOptions, 'all' | 'carry'>): Promise<void> => {
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const from = performance.now();
      const { ok, transactions, problems } = await checkLedger(pool, how);
      if (!ok) throw new Error(JSON.stringify(problems.slice(0, 5)));
      times.push(((performance.now() - from) * 1000) / transactions);
    }
    rows.push([name, times.toSorted((a, b) => a - b)[Math.floor(turns / 2)]!]);
  };
  if (wholeChecks) {
    await each('ledger check', {});
    await each('ledger check --all', { all: true });
  }
  const tomorrow = new Date(Date.now() + 86_400_000);
  const from = performance.now();
  await closeLedger(pool, tomorrow);
  rows.push(['closing a day, once', ((performance.now() - from) * 1000) / predictions]);
  const daily = performance.now();
  await each('daily check, with all days closed', { carry: true });
  const seconds = ((performance.now() - daily) / 1000 / turns).toFixed(2);
  rows.push(['sealing', (sealMs * 1000) / predictions]);
  const head =
    `# What the check of the books takes\n\n\`npm run bench -- books\`: ${predictions} predictions of ${accounts} accounts, ` +
    `sealed ${together} at a time; microseconds for each transaction, median of ${turns}. Bar: ${bar} for \`ledger check\`.\n\n`;
  const tail = `\n\nA daily check took ${seconds} s (bar for 5,000,000 transactions: 5).`;
  publish(
    wholeChecks ? 'books.md' : 'books-large.md',
    head + table(['what', 'µs for each transaction'], rows, wholeChecks ? 2 : 4) + tail,
  );
}

/** Accounts with a model each; returns both. */
async function fill(pool: Pool): Promise<{ accounts: string[]; models: string[] }> {
  const made: { accounts: string[]; models: string[] } = { accounts: [], models: [] };
  for (let n = 0; n < accounts; n += 1) {
    const accountId = await newAccount(pool);
    await transaction(pool, (sql) =>
      credit(sql, { accountId, amount: 1_000_000_000n, source: 'operator', at: new Date() }),
    );
    made.accounts.push(accountId);
    made.models.push(await createModel(pool, accountId, new Date()));
  }
  return made;
}

/** Charges as `charge_predictions` writes them, in one statement. */
async function predict(
  pool: Pool,
  { accounts: payers, models }: { accounts: string[]; models: string[] },
  first: number,
): Promise<void> {
  await pool.query(
    `WITH posted AS (
       INSERT INTO ledger_transactions (account_id, kind, model_id, windows, unit_price, at)
       SELECT ($1::uuid[])[n % ${accounts} + 1], 'task_models.predict', ($2::text[])[n % ${accounts} + 1], n % 4 + 1, 3000, clock_timestamp()
       FROM generate_series($3::integer, $3::integer + ${together} - 1) AS n
       RETURNING id, account_id, windows)
     INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
     SELECT p.id, p.account_id, e.account, e.sign * p.windows * 3000
     FROM posted p, (VALUES ('wallet', -1), ('revenue.task_models.predict', 1)) AS e (account, sign)`,
    [payers, models, first],
  );
}
