import { randomBytes } from 'node:crypto';
import type { Checkout } from './checkout.ts';
import type { HttpRequest } from './messages.ts';

export interface Caller {
  readonly accountId: string;
  readonly key: string;
  /** Its hosted model. */
  readonly modelId: string;
}

/** Above what the bench can ask. */
const wide = { rps: 100_000, burst: 1_000_000, concurrency: 10_000, dailyEstimates: 1_000_000 };

/** One account with a live key, limits that are not met, and money. */
export async function newCaller({ records }: Checkout, pool: ReturnType<Checkout['records']['createPool']>) {
  const at = new Date();
  const passwordHash = 'none';
  const { id: accountId } = await records.transaction(pool, (sql) =>
    records.createAccount(sql, {
      email: `${randomBytes(6).toString('hex')}@example.org`,
      passwordHash,
      acceptTerms: true,
      at,
    }),
  );
  await records.setLimits(pool, accountId, wide);
  await records.transaction(pool, (sql) =>
    records.credit(sql, { accountId, amount: 1_000_000_000_000n, source: 'operator', at }),
  );
  const { key } = await records.createKey(pool, { accountId, mode: 'live', at });
  return { accountId, key };
}

/**
 * `count` accounts, each with a hosted model: the first account's is created over HTTP with `body`, the others have
 * copies of its row.
 */
export async function makeCallers(checkout: Checkout, body: object, count: number): Promise<Caller[]> {
  const pool = checkout.records.createPool(checkout.databaseUrl, { max: 8 });
  try {
    const first = await newCaller(checkout, pool);
    const reply = await fetch(`${checkout.url}/v1/task-models`, {
      method: 'POST',
      headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (reply.status !== 201) throw new Error(`The model was not created: ${text}`);
    const { id: modelId } = JSON.parse(text) as { id: string };
    const others: Caller[] = [];
    for (let made = 1; made < count; made++) {
      const caller = await newCaller(checkout, pool);
      const copy = `clf_${randomBytes(16).toString('hex')}`;
      await pool.query(
        `INSERT INTO task_models
         SELECT (jsonb_populate_record(t, jsonb_build_object('id', $2::text, 'account_id', $3::text))).*
         FROM task_models t WHERE id = $1`,
        [modelId, copy, caller.accountId],
      );
      others.push({ ...caller, modelId: copy });
    }
    return [{ ...first, modelId }, ...others];
  } finally {
    await pool.end();
  }
}

/** The prediction that each of the callers asks for. */
export const predictions = (callers: readonly Caller[], body: Uint8Array): HttpRequest[] =>
  callers.map(({ key, modelId }) => post(`/v1/task-models/${modelId}/predictions`, body, `Bearer ${key}`));

export const post = (path: string, body: Uint8Array, authorization?: string): HttpRequest => ({
  body,
  head:
    `POST ${path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n` +
    `${authorization ? `authorization: ${authorization}\r\n` : ''}\r\n`,
});

export const get = (path: string): HttpRequest => ({
  head: `GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`,
  body: new Uint8Array(),
});
