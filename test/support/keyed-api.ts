import { credit } from '../../infra/records/ledger/credit.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { newAccount, send, startTestApi, type Reply } from './api.ts';
import { base64, createBody, nested } from './requests.ts';

export const path = '/v1/task-models';
export const small = { x: base64(nested()), shape: [12, 3, 80] };
const { description: _description, labels: _labels, ...trials } = createBody(small);
/** Trials as a prediction sends them. */
export const signal = trials;

/** An API with one rich account and one fitted model, and a `post` that takes an Idempotency-Key. */
export async function startKeyedApi() {
  const api = await startTestApi();
  const account = await newAccount(api.database, {
    limits: { rps: 100_000, burst: 1_000_000, concurrency: 10_000, dailyEstimates: 1_000_000 },
  });
  await transaction(api.database.pool, (sql) =>
    credit(sql, { accountId: account.accountId, amount: 100_000_000_000n, source: 'operator', at: new Date() }),
  );
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(api.app, account.key, method, url, body, headers);
  const post = (url: string, body?: unknown, key?: string, app = api.app): Promise<Reply> =>
    send(app, account.key, 'POST', url, body, key === undefined ? {} : { 'idempotency-key': key });
  const predictUrl = `${path}/${(await post(path, createBody(small))).body.id}/predictions`;
  /** Free credit in the wallet, in micro-dollars. */
  const available = async (): Promise<bigint> => (await balance(api.database.pool, account.accountId)).available;
  return { api, account, call, post, predictUrl, available };
}

export type KeyedApi = Awaited<ReturnType<typeof startKeyedApi>>;
