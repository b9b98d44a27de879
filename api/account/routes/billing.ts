import { formatUsd } from '../../../infra/contract/prices.ts';
import type { Sql } from '../../../infra/drivers/postgres/transaction.ts';
import { ledgerHistory, ledgerPage, type LedgerLine } from '../../../infra/records/ledger/lines.ts';
import type { Billing, LedgerLine as Line } from '../contract/responses.ts';
import { csvLine } from '../data/csv.ts';
import { ledgerCursor } from '../data/ledger-cursor.ts';
import { wholeOf } from '../data/query.ts';
import { accountRoute } from '../route.ts';

/** A row of the answer and of the export. */
export const ledgerRow = (line: LedgerLine): Line => ({
  at: line.at.toISOString(),
  kind: line.kind,
  model_id: line.modelId,
  model_name: line.modelName,
  windows: line.windows === null ? null : String(line.windows),
  note: line.note,
  amount_usd: formatUsd(line.amount),
  charged_usd: formatUsd(line.charged),
  balance_usd: formatUsd(line.balance),
});

/** Columns of the CSV in this order. */
const columns = [
  'at',
  'kind',
  'model_id',
  'model_name',
  'windows',
  'note',
  'amount_usd',
  'charged_usd',
  'balance_usd',
] as const satisfies readonly (keyof Line)[];

/** All lines, the oldest first, so that a line has the same number in every file. */
async function* csvOf(sql: Sql, accountId: string): AsyncGenerator<string> {
  yield csvLine(['line', ...columns]);
  let number = 0;
  for await (const lines of ledgerHistory(sql, accountId))
    yield lines
      .map(ledgerRow)
      .map((row) => csvLine([String((number += 1)), ...columns.map((name) => row[name])]))
      .join('');
}

export const billingRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/billing',
    async handle({ pool, sessionSecret }, { accountId }, { query }): Promise<Billing> {
      const limit = wholeOf(query, 'limit', { min: 1, max: 200, usual: 50 });
      const cursor = ledgerCursor(sessionSecret, accountId);
      const { before } = query;
      const place = before === undefined ? null : await cursor.read(before);
      const page = await ledgerPage(pool, accountId, { limit, before: place });
      return {
        balance_usd: formatUsd(page.available),
        held_usd: formatUsd(page.held),
        data: page.lines.map(ledgerRow),
        next_before: page.next && (await cursor.write(page.next)),
      };
    },
  }),
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/billing.csv',
    async handle({ pool }, { accountId, at }, { reply, download }) {
      const csv = download(accountId, csvOf(pool, accountId));
      reply.type('text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="ledger-${at.toISOString().slice(0, 10)}.csv"`);
      return csv;
    },
  }),
];
