import { randomUUID } from 'node:crypto';
import { ApiError, type ErrorCode } from '../../infra/contract/errors.ts';
import { suspend } from '../../infra/records/accounts/accounts.ts';
import { revokeKey } from '../../infra/records/accounts/keys.ts';
import { setServing } from '../../infra/records/admission/serving.ts';
import { newAccount, send, type Reply, type TestAccount, type TestApi } from './api.ts';
import { predictingBy } from './predicting-by.ts';
import { createBody, labels } from './requests.ts';

const path = '/v1/task-models';
const { description: _description, labels: _labels, ...signal } = createBody();
const failing = (error: Error) => ({
  runFit: () => Promise.reject(error),
  stopFit: async () => undefined,
  startCollecting: async () => undefined,
  refresh: async () => undefined,
});
const fitFailed = {
  ...failing(new Error('unused')),
  runFit: async ({ requestId }: { requestId: string }) => ({
    status: 422,
    microUsd: 0n,
    body: JSON.stringify({
      type: 'invalid_request_error',
      code: 'CLASSIFIER_FIT_FAILED',
      message: 'No method could be fitted.',
      field: 'x',
      alternatives: [],
      details: { request_id: requestId },
    }),
  }),
};

/** How each code of the error table is reached over HTTP. `predictUrl`: of a model of the account. */
export function waysToErrors(
  api: TestApi,
  account: TestAccount,
  predictUrl: string,
): Record<ErrorCode, () => Promise<Reply>> {
  const post = (
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
    app = api.app,
    key: string | null = account.key,
  ) => send(app, key, 'POST', url, body, headers);
  const freshKey = async (options = {}, limits = {}) => (await newAccount(api.database, { key: options, limits })).key;
  const listAs = (key: string | null, app = api.app, headers = {}) => send(app, key, 'GET', path, undefined, headers);

  return {
    UNAUTHENTICATED: () => listAs(null),
    async KEY_REVOKED() {
      const { key, keyId } = await newAccount(api.database);
      await revokeKey(api.database.pool, keyId, new Date());
      return listAs(key);
    },
    async KEY_EXPIRED() {
      const { key, keyId } = await newAccount(api.database);
      await api.database.pool.query('UPDATE api_keys SET expires_at = now() WHERE key_id = $1', [keyId]);
      return listAs(key);
    },
    async INSUFFICIENT_CREDIT() {
      const key = await freshKey();
      for (let i = 0; i < 2; i++) await post(path, createBody(), {}, api.app, key);
      return post(path, createBody(), {}, api.app, key);
    },
    BUDGET_EXCEEDED: async () =>
      post(path, createBody(), {}, api.app, await freshKey({}, { dailyCapMicroUsd: 1_000_000n })),
    SCOPE_MISSING: async () => post(path, createBody(), {}, api.app, await freshKey({ scopes: ['usage:read'] })),
    async TENANT_SUSPENDED() {
      const { key, accountId } = await newAccount(api.database);
      await suspend(api.database.pool, accountId, new Date());
      return listAs(key);
    },
    IP_NOT_ALLOWED: async () => listAs(await freshKey({ allowIps: ['192.0.2.0/24'] })),
    CLASSIFIER_NOT_FOUND: () => send(api.app, account.key, 'GET', `${path}/clf_${'f'.repeat(32)}`),
    NOT_FOUND: () => send(api.app, account.key, 'GET', '/v2/task-models'),
    async CONFLICT() {
      const key = randomUUID();
      const {
        rows: [row],
      } = await api.database.pool.query('SELECT account_id FROM api_keys WHERE key_id = $1', [account.keyId]);
      const app = api.second({
        jobs: {
          ...failing(new Error('unused')),
          runFit: () =>
            new Promise((_, reject) => setTimeout(() => reject(new ApiError('BACKEND_FAILURE', 'end')), 400)),
        },
      });
      const running = post(path, createBody(), { 'idempotency-key': key }, app);
      for (let i = 0; i < 100; i++) {
        const { rowCount } = await api.database.pool.query(
          'SELECT FROM idempotency_keys WHERE account_id = $1 AND key = $2',
          [row.account_id, key],
        );
        if (rowCount) break;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const reply = await post(path, createBody(), { 'idempotency-key': key });
      await running;
      return reply;
    },
    PAYLOAD_TOO_LARGE: () => post(path, createBody(), { 'content-length': String(65 * 1024 * 1024) }),
    INVALID_REQUEST: () => post(path, createBody({ model: 'large' })),
    TOO_FEW_TRIALS: () => post(path, createBody({ labels: labels.map(() => 'one') })),
    CLASSIFIER_FIT_FAILED: async () => post(path, createBody(), {}, api.second({ jobs: fitFailed }), await freshKey()),
    UNITS_REQUIRED: () => post(path, createBody({ units: 'normalized' })),
    async IDEMPOTENCY_KEY_REUSED() {
      const headers = { 'idempotency-key': randomUUID() };
      await post(predictUrl, signal, headers);
      return post(predictUrl, { ...signal, align: 'batch' }, headers);
    },
    TASK_UNSUPPORTED: () => post(path, createBody({ description: 'emotion recognition from EEG' })),
    NO_REFERENCE_DATA: () =>
      post(path, {
        mode: 'zero_shot',
        description: 'left ear or right ear tone',
        channels: ['O1', 'O2'],
        sampling_rate_hz: 250,
        trial_seconds: 4,
      }),
    async RATE_LIMITED() {
      const key = await freshKey({}, { burst: 1 });
      await listAs(key);
      return listAs(key);
    },
    async CONCURRENCY_LIMITED() {
      const { key, accountId } = await newAccount(api.database, { limits: { concurrency: 1 } });
      await api.database.pool.query(
        `INSERT INTO request_leases VALUES (gen_random_uuid(), $1, clock_timestamp() + interval '1 minute')`,
        [accountId],
      );
      return listAs(key);
    },
    USAGE_CAP_EXCEEDED: async () =>
      post(path, createBody({ dry_run: true }), {}, api.app, await freshKey({}, { dailyEstimates: 0 })),
    INTERNAL: () =>
      listAs(account.key, api.second({ pool: { query: () => Promise.reject(new Error('boom')) } as never })),
    async BACKEND_FAILURE() {
      const threads = predictingBy(api.deps.threads, () => Promise.reject(new Error('thread died')));
      return post(predictUrl, signal, {}, api.second({ threads }));
    },
    POOL_UNAVAILABLE: async () =>
      post(
        path,
        createBody(),
        {},
        api.second({ jobs: failing(new ApiError('POOL_UNAVAILABLE', 'No worker has taken the job.')) }),
        await freshKey(),
      ),
    POOL_SATURATED: () => post(path, createBody(), {}, api.second({ queueLimit: 0 })),
    async SERVING_DISABLED() {
      await setServing(api.database.pool, { serving: false });
      try {
        return await listAs(account.key);
      } finally {
        await setServing(api.database.pool, { serving: true });
      }
    },
    BILLING_UNAVAILABLE: () =>
      listAs(
        account.key,
        api.second({
          pool: { query: () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) } as never,
        }),
      ),
  };
}
