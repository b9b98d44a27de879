import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit } from '../../infra/records/ledger/credit.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { newAccount, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { runs, seed } from '../support/counts.ts';
import { findSchemathesis, runSchemathesis } from '../support/schemathesis.ts';

/** Not `ensure_resource_availability`: a repeated Idempotency-Key gets the answer of a model that was deleted since. */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'use_after_free',
  'ignored_auth',
];

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database, {
    limits: { rps: 100_000, burst: 1_000_000, concurrency: 10_000, dailyEstimates: 1_000_000 },
  });
  await transaction(api.database.pool, (sql) =>
    credit(sql, { accountId: account.accountId, amount: 100_000_000_000n, source: 'operator', at: new Date() }),
  );
  await api.app.listen({ port: 0 });
});
afterAll(() => api.close());

describe('schemathesis over the interface description', () => {
  it(
    'sends a thousand requests, also in sequences (2,000 in test:long), and finds no fault, no undocumented status, no answer beside its schema',
    { timeout: 1_200_000 },
    async ({ skip }) => {
      const found = await findSchemathesis();
      if ('missing' in found) {
        process.stderr.write(
          `\n*** SKIPPED: schemathesis cannot be had (${found.missing}). The interface was NOT tested with it. ***\n`,
        );
        skip();
        return;
      }
      const url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
      const result = await runSchemathesis(found.program, url, account.key, [
        '--checks',
        checks.join(','),
        '--phases',
        'examples,coverage,fuzzing,stateful',
        '--max-examples',
        String(runs(6, 60)),
        '--seed',
        String(seed()),
        '--suppress-health-check',
        'all',
        '--continue-on-failure',
        '--max-failures',
        '30',
        '--warnings',
        'off',
        '--generation-database',
        ':memory:',
        '--request-timeout',
        '60',
      ]);
      expect(result.code, result.output.replace(/[A-Za-z0-9+/]{200,}={0,2}/g, '(base64)').slice(-20_000)).toBe(0);
      expect(result.cases).toBeGreaterThanOrEqual(runs(1_000, 2_000));
      expect(api.logged).toEqual([]);
    },
  );
});
