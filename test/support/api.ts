import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { buildApp } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { createThreads } from '../../api/threads/client.ts';
import { createApiPool } from '../../api/threads/pool.ts';
import type { ThreadData } from '../../api/threads/entry.ts';
import { createAccount, setLimits } from '../../infra/records/accounts/accounts.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { createObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import type { Services } from '../../infra/drivers/threads/ask.ts';
import { textLog } from '../../infra/observe/log.ts';
import { alwaysReady } from './always-ready.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { fitInProcess } from './fit-in-process.ts';
import { passwordHash } from './password-hash.ts';
import { createTestDesk } from './reference-desk.ts';
import { threadsInProcess } from './threads-in-process.ts';

export interface TestApi {
  readonly app: FastifyInstance;
  readonly database: TestDatabase;
  readonly deps: ApiDeps;
  /** Data for other threads to work on the same objects. */
  readonly threadData: ThreadData;
  /** Log lines of the service. */
  readonly logged: string[];
  /** Another API process on the same database, objects and threads. */
  second(change?: Partial<ApiDeps>): FastifyInstance;
  close(): Promise<void>;
}

/**
 * The HTTP application on a real database, real threads and a real object store; fits run in this process instead of a
 * worker.
 */
export async function startTestApi(
  change: Partial<ApiDeps> = {},
  options: {
    threads?: number;
    inProcess?: boolean;
    /** Services of this process for its threads. */
    services?: Services;
    /** How fits run; absent: a few candidates in this process. */
    jobs?: (parts: { pool: ApiDeps['pool']; objects: ApiDeps['objects'] }) => ApiDeps['jobs'];
  } = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'eeg-api-'));
  const objects = { url: pathToFileURL(folder).href, keys: [new Uint8Array(randomBytes(32))] };
  const store = createObjectStore(objects);
  const workerData: ThreadData = { objects };
  const threads = createApiPool(workerData, {
    size: options.threads ?? 1,
    quickThreads: 0,
    services: options.services,
  });
  const logged: string[] = [];
  const deps: ApiDeps = {
    pool: database.pool,
    threads: options.inProcess ? threadsInProcess(store) : createThreads(threads),
    objects: store,
    jobs: (options.jobs ?? fitInProcess)({ pool: database.pool, objects: store }),
    reference: createTestDesk(),
    models: () => [],
    readiness: alwaysReady,
    sessionSecret: 'a session secret of the tests, 32 characters or more',
    trustedProxies: [],
    log: textLog((line) => void logged.push(line)),
    ...change,
  };
  const app = buildApp(deps);
  const others: FastifyInstance[] = [];
  return {
    app,
    database,
    deps,
    threadData: workerData,
    logged,
    second(more = {}) {
      const other = buildApp({ ...deps, ...more });
      others.push(other);
      return other;
    },
    async close() {
      await Promise.all([app, ...others].map((each) => each.close()));
      await threads.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface TestAccount {
  readonly accountId: string;
  readonly key: string;
  readonly keyId: string;
}

type KeyOptions = Partial<Parameters<typeof createKey>[1]>;

/** A new account with a key, and with limits that tests do not reach by accident. */
export async function newAccount(
  { pool }: Pick<TestDatabase, 'pool'>,
  options: { key?: KeyOptions; limits?: Parameters<typeof setLimits>[2] } = {},
): Promise<TestAccount> {
  const at = new Date();
  const hash = await passwordHash();
  const account = await transaction(pool, (sql) =>
    createAccount(sql, {
      email: `${randomBytes(6).toString('hex')}@example.org`,
      passwordHash: hash,
      acceptTerms: true,
      at,
    }),
  );
  await setLimits(pool, account.id, { rps: 1_000, burst: 10_000, concurrency: 100, ...options.limits });
  return {
    accountId: account.id,
    ...(await createKey(pool, { accountId: account.id, mode: 'live', at, ...options.key })),
  };
}

export const newKey = (database: Pick<TestDatabase, 'pool'>, accountId: string, options: KeyOptions = {}) =>
  createKey(database.pool, { accountId, mode: 'live', at: new Date(), ...options });

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, any>;
  readonly text: string;
  readonly body: any;
}

/** Sends one request with a key; an object is sent as JSON. */
export async function send(
  app: FastifyInstance,
  key: string | null,
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const payload =
    body === undefined
      ? undefined
      : typeof body === 'string' || body instanceof Uint8Array
        ? Buffer.from(body)
        : JSON.stringify(body);
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    payload,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const isJson = String(response.headers['content-type']).includes('json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: isJson ? response.json() : null,
  };
}
