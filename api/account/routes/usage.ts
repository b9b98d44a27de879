import { formatUsd } from '../../../infra/contract/prices.ts';
import { usageByDay, type UsageDay } from '../../../infra/records/admission/usage-by-day.ts';
import type { UsageDays } from '../contract/responses.ts';
import { wholeOf } from '../data/query.ts';
import { accountRoute } from '../route.ts';

/** A row of the answer and of the export. */
export const usageRow = (row: UsageDay): UsageDays['data'][number] => ({
  day: row.day,
  requests: Number(row.requests),
  refused: Number(row.refused),
  windows: Number(row.windows),
  test_windows: Number(row.testWindows),
  create_usd: formatUsd(row.createMicroUsd),
  hosting_usd: formatUsd(row.hostingMicroUsd),
  predict_usd: formatUsd(row.predictMicroUsd),
  usd: formatUsd(row.microUsd),
});

/** The usage of each of the last days. */
export const usageRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/usage',
    async handle({ pool }, { accountId, at }, { query }): Promise<UsageDays> {
      const days = wholeOf(query, 'days', { min: 1, max: 366, usual: 30 });
      return { data: (await usageByDay(pool, { accountId, days, at })).map(usageRow) };
    },
  }),
];
