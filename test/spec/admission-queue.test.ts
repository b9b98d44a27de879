import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../infra/contract/limits.ts';
import { dryRun, transaction } from '../../infra/drivers/postgres/transaction.ts';
import { revokeKey } from '../../infra/records/accounts/keys.ts';
import { setLimits, suspend } from '../../infra/records/accounts/accounts.ts';
import { admitRequests, type Admitted } from '../../infra/records/admission/admit.ts';
import { createAdmissionQueue } from '../../infra/records/admission/admission-queue.ts';
import { setServing } from '../../infra/records/admission/serving.ts';
import { newAdmittedCaller, type Sent } from '../support/admitted-caller.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel } from '../support/money.ts';

type Query = (...args: unknown[]) => Promise<unknown>;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = new Date();

const newCaller = (own?: Parameters<typeof newAdmittedCaller>[1]) => newAdmittedCaller(database.pool, own);
type Caller = Awaited<ReturnType<typeof newCaller>>;

type Statement = { readonly text: string; readonly values: readonly unknown[] };
/** Whether a statement is the fallback, which waits for rows that others hold. */
const waits = (statement: unknown): boolean => (statement as Statement).values[0] === true;

/** A queue on a pool that notes whether each statement is shared or the fallback. */
function newQueue(run: (query: Query) => Query = (query) => query) {
  const sent: ('shared' | 'alone')[] = [];
  const query = run(database.pool.query.bind(database.pool) as Query);
  const noting = (...args: unknown[]) => {
    sent.push(waits(args[0]) ? 'alone' : 'shared');
    return query(...args);
  };
  const pool = Object.assign(Object.create(database.pool) as Pool, { query: noting });
  const queue = createAdmissionQueue(pool);
  const ask = ({ credential, ...request }: Sent) => queue.admit(credential, request);
  return { sent, ask };
}

const outcomesOf = (admissions: readonly { outcome: string }[]) => admissions.map(({ outcome }) => outcome);

describe('requests that come at once', () => {
  it('are admitted in one statement, of one key and of several', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    const { sent, ask } = newQueue();
    const asked = [one, ...Array.from({ length: 10 }, () => [one, other]).flat()].map(({ asks }) => asks());
    const admissions = (await Promise.all(asked.map(ask))) as Admitted[];
    expect(outcomesOf(admissions)).toEqual(asked.map(() => 'admitted'));
    expect(sent).toEqual(['shared']);
    expect(admissions[1]!.accountId).toBe(one.accountId);
    expect(admissions[2]!.accountId).toBe(other.accountId);
    const remaining = admissions
      .filter(({ accountId }) => accountId === one.accountId)
      .map(({ rate }) => rate.remaining);
    expect(remaining).toEqual(Array.from({ length: 11 }, (_, n) => 9_998 - n));
    const { rows } = await database.pool.query(
      'SELECT id FROM request_leases WHERE account_id = ANY ($1) ORDER BY id',
      [[one.accountId, other.accountId]],
    );
    expect(rows.map(({ id }) => id)).toEqual(asked.map(({ leaseId }) => leaseId).toSorted());
  });

  it('share the next statement if the most allowed statements are running', async () => {
    const [first, second, one, other] = await Promise.all(Array.from({ length: 4 }, () => newCaller()));
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    const { sent, ask } = newQueue((query) => async (...args) => {
      if (sent.length < 3) await goesOn;
      return await query(...args);
    });
    const waiting: Promise<{ outcome: string }>[] = [];
    for (const { asks } of [first!, second!, one!, other!, one!]) {
      waiting.push(ask(asks()));
      await turn();
    }
    expect(sent).toHaveLength(2);
    goOn();
    expect(outcomesOf(await Promise.all(waiting))).toEqual(Array(5).fill('admitted'));
    expect(sent).toEqual(Array(3).fill('shared'));
  });

  it('each get their own model and funds, and begin a key once', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    const ids = [
      await createModel(database.pool, one.accountId, at),
      await createModel(database.pool, one.accountId, at),
    ];
    await setLimits(database.pool, other.accountId, { dailyWindows: 5n });
    const { ask } = newQueue();
    const names = (id: string | undefined) => (id === undefined ? null : { id, report: false });
    const asked = [
      other.asks(),
      ...[ids[0], ids[0], undefined, ids[0], ids[1], ids[1]].map((id) => one.asks({ model: names(id), key: 'k' })),
      other.asks({ model: names(ids[0]), key: 'k' }),
    ];
    const admissions = (await Promise.all(asked.map(ask))) as Admitted[];
    expect(admissions.map(({ model }) => model?.id)).toEqual([
      undefined,
      ids[0],
      ids[0],
      undefined,
      ids[0],
      ids[1],
      ids[1],
      undefined,
    ]);
    expect(admissions.map(({ keyBegun }) => keyBegun)).toEqual([false, true, ...Array(5).fill(false), true]);
    expect(admissions[1]).toMatchObject({
      mode: 'live',
      funds: { capped: false },
      model: { accountId: one.accountId },
    });
    expect(admissions[7]!.funds).toMatchObject({ capped: true });
    const alone = (await ask(one.asks({ model: names(ids[0]), key: 'k' }))) as Admitted;
    expect({ ...admissions[2], at: null, rate: null }).toEqual({ ...alone, at: null, rate: null });
  });

  it('are distinguished in whatever order the server finds their models', async () => {
    const callers = await Promise.all(Array.from({ length: 3 }, () => newCaller()));
    const ids = await Promise.all(callers.map(({ accountId }) => createModel(database.pool, accountId, at)));
    const lines = callers.map((caller, line) => {
      const asked = [null, ids[line]!, ids[0]!].map((id) => (id === null ? null : { id, report: false }));
      return { credential: caller.asks().credential, requests: asked.map((model) => caller.asks({ model })) };
    });
    const own = callers.flatMap(({ accountId }, line) =>
      [undefined, ids[line], line === 0 ? ids[0] : undefined].map((id) => [accountId, id]),
    );
    for (const ways of [['nestloop'], ['nestloop', 'hashjoin'], ['nestloop', 'mergejoin']])
      await dryRun(database.pool, async (sql) => {
        for (const way of ways) await sql.query(`SET LOCAL enable_${way} = off`);
        const admissions = (await admitRequests(sql, callers[0]!.asks(), lines, false)) as Admitted[];
        expect(admissions.map(({ accountId, model }) => [accountId, model?.id])).toEqual(own);
      });
  });

  it('are also distinguished by their keys, if two ids have one secret', async () => {
    const { asks, hash, keyId } = await newCaller();
    const { ask } = newQueue();
    const unknown = { credential: { kind: 'key', keyId: 'A'.repeat(16), hash } } as const;
    const asked = [asks(), asks(), asks(unknown), asks(), asks(unknown)];
    expect(outcomesOf(await Promise.all(asked.map(ask)))).toEqual(
      asked.map(({ credential }) => (credential.keyId === keyId ? 'admitted' : 'UNAUTHENTICATED')),
    );
  });
});

describe('the reason that refuses a request', () => {
  it('goes only to its own caller: an unknown caller in the same statement learns nothing of another account', async () => {
    const { asks } = await newCaller({ concurrency: 1 });
    const unknown = { credential: { kind: 'key', keyId: 'A'.repeat(16), hash: randomBytes(32) } } as const;
    const { sent, ask } = newQueue();
    const admissions = await Promise.all([asks(), asks(), asks(unknown)].map(ask));
    expect(outcomesOf(admissions)).toEqual(['admitted', 'CONCURRENCY_LIMITED', 'UNAUTHENTICATED']);
    expect(admissions[2]).toMatchObject({ rate: null, keyScopes: [] });
    expect(sent).toEqual(['shared']);
  });

  it.each([
    [
      'an unknown key',
      'UNAUTHENTICATED',
      async ({ hash }) => ({ credential: { kind: 'key', keyId: 'A'.repeat(16), hash } }),
    ],
    [
      'another secret',
      'UNAUTHENTICATED',
      async ({ keyId }) => ({ credential: { kind: 'key', keyId, hash: randomBytes(32) } }),
    ],
    ['a permission', 'SCOPE_MISSING', async () => ({ scopes: ['nothing'] })],
    ['a revoked key', 'KEY_REVOKED', async ({ keyId }) => await revokeKey(database.pool, keyId, at)],
    [
      'an account that is paused',
      'TENANT_SUSPENDED',
      async ({ accountId }) => await suspend(database.pool, accountId, at),
    ],
    [
      'an expired key',
      'KEY_EXPIRED',
      async ({ keyId }) =>
        void (await database.pool.query('UPDATE api_keys SET expires_at = $2 WHERE key_id = $1', [keyId, at])),
    ],
    [
      'its address',
      'IP_NOT_ALLOWED',
      async ({ keyId }) =>
        void (await database.pool.query(`UPDATE api_keys SET allow_ips = '{198.51.100.0/24}' WHERE key_id = $1`, [
          keyId,
        ])),
    ],
    [
      'too many in flight',
      'CONCURRENCY_LIMITED',
      async ({ accountId }) => void (await setLimits(database.pool, accountId, { concurrency: 1 })),
    ],
  ] as readonly (readonly [string, string, (of: Caller) => Promise<Partial<Sent> | void>])[])(
    '%s: %s, as for a request that comes alone',
    async (_what, outcome, change) => {
      const [one, other] = [await newCaller(), await newCaller()];
      const changed = (await change(one)) ?? {};
      const { ask } = newQueue();
      const asked = [other.asks(), ...Array.from({ length: 3 }, () => one.asks(changed)), other.asks()];
      const admissions = await Promise.all(asked.map(ask));
      expect(outcomesOf([admissions[0]!, admissions[4]!])).toEqual(['admitted', 'admitted']);
      const own = outcomesOf(admissions.slice(1, 4));
      expect(own.filter((found) => found !== 'admitted').every((found) => found === outcome)).toBe(true);
      expect(own.filter((found) => found === outcome).length).toBeGreaterThanOrEqual(2);
      const { rate: _, ...alone } = await ask(asked[3]!);
      expect(admissions[3]).toMatchObject(alone);
    },
  );

  it('is decided request by request: no more are admitted than the limits allow', async () => {
    for (const [own, allowed] of [
      [{ concurrency: 7 }, 7],
      [{ rps: 1 }, 9],
    ] as const) {
      const { asks } = await newCaller(own);
      const { ask } = newQueue();
      const admissions = await Promise.all(Array.from({ length: 40 }, () => ask(asks())));
      expect(outcomesOf(admissions).filter((outcome) => outcome === 'admitted')).toHaveLength(allowed);
    }
  });

  it('can be the pause of the service, too', async () => {
    const { asks } = await newCaller();
    await setServing(database.pool, { serving: false });
    const { sent, ask } = newQueue();
    expect(await ask(asks())).toMatchObject({ outcome: 'SERVING_DISABLED', retryAfterSeconds: 60 });
    await setServing(database.pool, { serving: true });
    expect(sent).toEqual(['shared']);
  });

  it('counts requests in windows of the length that the texts name', async () => {
    const { accountId, asks } = await newCaller({ rps: 3 });
    const { ask } = newQueue();
    const admission = async () => ((await ask(asks())) as Admitted).rate;
    const { limit, resetSeconds, remaining } = await admission();
    expect(limit).toBe(3 * limits.rateWindowSeconds);
    expect(resetSeconds).toBeGreaterThan(limits.rateWindowSeconds - 5);
    expect(resetSeconds).toBeLessThanOrEqual(limits.rateWindowSeconds);
    expect((await admission()).remaining).toBe(remaining - 1);
    await database.pool.query(
      'UPDATE rate_windows SET window_start = now() - make_interval(secs => $2) WHERE account_id = $1',
      [accountId, limits.rateWindowSeconds],
    );
    expect((await admission()).remaining).toBe(limit - 1);
  });

  it('is counted once for each refused request, under its code', async () => {
    const { accountId, asks } = await newCaller({ concurrency: 2 });
    const { ask } = newQueue();
    await Promise.all(Array.from({ length: 5 }, () => ask(asks())));
    const { rows } = await database.pool.query(
      'SELECT status, code, requests::int AS requests FROM usage_days WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ status: 429, code: 'CONCURRENCY_LIMITED', requests: 3 }]);
  });
});

describe('no account delays another', () => {
  it('while another transaction has locked its counters: only its own requests wait', async () => {
    const [held, other] = [await newCaller(), await newCaller()];
    const { ask } = newQueue();
    let waiting: Promise<{ outcome: string }[]> | undefined;
    await transaction(database.pool, async (sql) => {
      await sql.query('SELECT FROM rate_windows WHERE account_id = $1 FOR UPDATE', [held.accountId]);
      waiting = Promise.all([held, held, held].map(({ asks }) => ask(asks())));
      for (let round = 0; round < 5; round += 1) expect((await ask(other.asks())).outcome).toBe('admitted');
    });
    expect(outcomesOf(await waiting!)).toEqual(['admitted', 'admitted', 'admitted']);
  });

  it.each([
    ['begins the same Idempotency-Key', `SELECT begin_idempotency($1, 'live', 'k', 'hash', gen_random_uuid(), 60, 30)`],
    ['holds the row of the account', 'SELECT FROM accounts WHERE id = $1 FOR UPDATE'],
  ])('nor while another transaction %s: the others go on without it', async (_what, holds) => {
    const callers = await Promise.all(Array.from({ length: 4 }, () => newCaller()));
    const [held, first, second, other] = callers as [Caller, Caller, Caller, Caller];
    const { sent, ask } = newQueue();
    let waiting: Promise<{ outcome: string }> | undefined;
    await transaction(database.pool, async (sql) => {
      await sql.query(holds, [held.accountId]);
      const before: Promise<{ outcome: string }>[] = [];
      for (const { asks } of [first, second]) {
        before.push(ask(asks()));
        await turn();
      }
      waiting = ask(held.asks({ key: 'k' }));
      const admissions = await Promise.all([...before, ...[other, other].map(({ asks }) => ask(asks()))]);
      expect(outcomesOf(admissions)).toEqual(Array(4).fill('admitted'));
      expect(sent.slice(0, 3)).toEqual(Array(3).fill('shared'));
    });
    expect((await waiting!).outcome).toBe('admitted');
  });

  it('while statements hang: after a second others take their place', async () => {
    const [held, slow, other] = [await newCaller(), await newCaller(), await newCaller()];
    const { promise: hangs, resolve: goOn } = Promise.withResolvers<void>();
    let first = 2;
    const { ask } = newQueue((query) => async (...args) => {
      if (first-- > 0) await hangs;
      return await query(...args);
    });
    const waiting: Promise<{ outcome: string }>[] = [];
    for (const { asks } of [held, slow, held]) {
      waiting.push(ask(asks()));
      await turn();
    }
    expect(outcomesOf(await Promise.all([ask(other.asks()), ask(other.asks())]))).toEqual(['admitted', 'admitted']);
    goOn();
    expect(outcomesOf(await Promise.all(waiting))).toEqual(['admitted', 'admitted', 'admitted']);
  });

  it('by a fault: requests that fail together are sent again one by one, except if the server is unreachable', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    const failing = (fault: object) =>
      newQueue((query) => async (...args) => {
        if (!waits(args[0])) throw Object.assign(new Error('fault'), fault);
        return await query(...args);
      });
    for (const code of ['XX000', '55P03']) {
      const { ask } = failing({ code });
      const admissions = await Promise.all([one, one, other].map(({ asks }) => ask(asks())));
      expect(outcomesOf(admissions)).toEqual(['admitted', 'admitted', 'admitted']);
    }
    const { sent, ask } = failing({ code: 'ECONNREFUSED' });
    const ends = await Promise.allSettled([one, one, other].map(({ asks }) => ask(asks())));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(sent).not.toContain('alone');
  });

  it('by an unreadable row: its request fails alone, and takes no second place', async () => {
    const [one, other] = await Promise.all([newCaller(), newCaller()]);
    const [model, others] = await Promise.all(
      [one, other].map(async ({ accountId }) => ({
        id: await createModel(database.pool, accountId, at),
        report: false,
      })),
    );
    const { sent, ask } = newQueue((query) => async (...args) => {
      const answer = (await query(...args)) as { rows: Record<string, unknown>[] };
      const isBroken = (row: Record<string, unknown>) => row['id'] === model!.id;
      return { ...answer, rows: answer.rows.map((row) => (isBroken(row) ? { ...row, pins: null } : row)) };
    });
    const asked = [other.asks({ model: others }), ...[model, model, null].map((named) => one.asks({ model: named }))];
    const admissions = await Promise.allSettled(asked.map(ask));
    const [good, bad] = ['fulfilled', 'rejected'];
    expect(admissions.map(({ status }) => status)).toEqual([good, bad, bad, good]);
    expect(admissions[0]).toMatchObject({ value: { model: { id: others!.id } } });
    expect(sent).toEqual(['shared']);
  });
});
