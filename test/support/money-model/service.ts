import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildApp } from '../../../api/app.ts';
import { runAdmin } from '../../../infra/main/admin/run-admin.ts';
import { acceptTerms } from '../../../infra/records/accounts/accounts.ts';
import { createKey } from '../../../infra/records/accounts/keys.ts';
import { createJobs } from '../../../api/jobs/jobs.ts';
import { pendingFit } from '../../../infra/records/fit-jobs/fit-jobs.ts';
import { credit, openWallet } from '../../../infra/records/ledger/credit.ts';
import { activitiesInProcess } from '../activities-in-process.ts';
import { send, type Reply } from '../api.ts';
import { createTestDatabase } from '../database.ts';
import type { Action, Came, Fault, How, Outcome } from './actions.ts';
import { createClock } from './clock.ts';
import {
  admissionsOf,
  chargesOf,
  createFaultyPool,
  currentProcess,
  inProcess,
  newProcess,
  type Process,
} from './faulty-pool.ts';
import { createMemoryStore } from './memory-store.ts';
import { look, problemsOf, type Observed } from './observed.ts';
import { createFakeTemporal } from './temporal.ts';
import { createWorker } from './worker.ts';
import { createPlainThreads, type Sent } from './threads.ts';
import { alwaysReady } from '../always-ready.ts';
import { createTestDesk } from '../reference-desk.ts';
import { textLog } from '../../../infra/observe/log.ts';

const path = '/v1/task-models';
const hour = 3_600_000;
export const startOfTime = Date.parse('2026-01-29T22:30:00Z');

/** A request that was sent, to be sent again. */
interface Request {
  readonly url: string;
  readonly body: Sent | undefined;
  readonly key: string;
}

/** One that waits for its job. */
interface Flight {
  readonly process: Process;
  readonly reply: Promise<Reply>;
  readonly keyed: boolean;
  /** Its caller has hung up. */
  left: boolean;
}

export type MoneyService = Awaited<ReturnType<typeof createMoneyService>>;

/**
 * The API, the activities and the operator's commands on the real Postgres, with a clock of the test's own, without
 * numerics, sockets and a Temporal server.
 */
export async function createMoneyService() {
  const database = await createTestDatabase();
  const { admin } = database;
  const clock = await createClock(database);
  const pool = createFaultyPool(database.pool);
  const objects = createMemoryStore();
  const temporal = createFakeTemporal();
  const { client } = temporal;
  const logged: string[] = [];
  const waits = { accept: 1e15, answer: 1e15, signal: 1e15 };
  const app = buildApp({
    pool,
    admissions: admissionsOf(pool),
    charges: chargesOf(pool),
    objects,
    threads: createPlainThreads(objects),
    jobs: createJobs({ client, pool, waits }),
    reference: createTestDesk(),
    models: () => [],
    readiness: alwaysReady,
    sessionSecret: 'a session secret of the tests, 32 characters or more',
    trustedProxies: [],
    log: textLog((line) => void logged.push(line)),
  });
  const activities = activitiesInProcess({ pool, objects, client });
  const worker = createWorker({ admin, pool, activities, objects, temporal, clock });
  app.addHook('onRequest', async (_, { raw }) => {
    const process = currentProcess();
    if (process) process.hangUp = () => void raw.destroy();
  });
  await app.ready();

  // Models are identified by their names, so a deleted one keeps its name here.
  await admin.query(`
    CREATE FUNCTION keep_name() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.name := OLD.name; RETURN NEW; END';
    CREATE TRIGGER keep_name BEFORE UPDATE ON task_models FOR EACH ROW WHEN (NEW.name IS NULL)
      EXECUTE FUNCTION keep_name()`);
  // The log of requests keeps one table here. Tables of its days, made and dropped with every jump of the clock, would
  // take a fifth of Postgres's time; test/spec/retention tests them.
  await admin.query(`CREATE OR REPLACE FUNCTION keep_request_log(p_at timestamptz, p_days integer) RETURNS integer
    LANGUAGE sql AS 'SELECT 0'`);
  const { rows: tables } = await admin.query<{ name: string }>(`
    SELECT quote_ident(tablename) AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('schema_migrations', 'service_state', 'sign_up_policy', 'ledger_months')`);
  const empty = `SET session_replication_role = replica;
    ${tables.map(({ name }) => `DELETE FROM ${name};`).join(' ')}
    RESET session_replication_role`;

  let accountId = '';
  let apiKey = '';
  let names = 0;
  const requests: Request[] = [];
  const flights = new Map<string, Flight>();
  /** Ids of models by name, as last seen; `ids` also of models whose row is gone. */
  let living: Readonly<Record<string, string>> = {};
  const ids = new Map<string, string>();
  const idOf = (name: string): string | null => living[name] ?? null;

  let sound: string | null = null;

  /** The observations after a step, and the problems. Unchanged books are not checked again. */
  async function lookAt(): Promise<{ observed: Observed; problems: readonly string[] }> {
    const seen = await look(admin, accountId);
    living = seen.ids;
    for (const [name, id] of Object.entries(living)) ids.set(name, id);
    const stored = new Set(objects.names());
    const lost = seen.needed.filter((ref) => !stored.has(ref));
    const wrong = seen.version === sound ? [] : await problemsOf(admin, null);
    sound = wrong.length === 0 ? seen.version : null;
    return {
      observed: seen.observed,
      problems: [...wrong, ...lost.map((ref) => `what was paid for is kept: ${ref} is not in the object store`)],
    };
  }

  /** Sends a request in a process of its own, and waits for its answer, or until it waits for its job. */
  async function ask(url: string, method: string, body: object | undefined, key: string | null, fault: Fault | null) {
    const parked = Promise.withResolvers<'running'>();
    const process = newProcess(fault, () => parked.resolve('running'));
    const reply = inProcess(process, () =>
      send(app, apiKey, method, url, body, key === null ? {} : { 'idempotency-key': key }),
    );
    const first = await Promise.race([reply, parked.promise, process.death]);
    if (first === undefined) return { came: 'nothing' as Came, hit: true };
    if (first === 'running')
      flights.set(modelOf(url, body) ?? '', { process, reply, keyed: key !== null, left: false });
    return { came: first === 'running' ? first : first.status, hit: process.hit };
  }
  const modelOf = (url: string, body: Sent | undefined): string | undefined =>
    body?.name ?? [...ids].find(([, id]) => id === url.split('/')[3])?.[0];

  const admit = (url: string, body: Sent | undefined, keyed: boolean, fault: Fault | null): Promise<Outcome> => {
    const key = keyed ? randomUUID() : null;
    requests.push({ url, body, key: key ?? '' });
    return ask(url, 'POST', body, key, fault);
  };

  async function work(name: string, how: How, fault: Fault | null): Promise<Outcome> {
    const { ended, hit } = await worker.work(idOf(name) ?? ids.get(name), how, fault);
    if (!ended) return { came: 'nothing', hit };
    const flight = flights.get(name);
    flights.delete(name);
    return { came: flight && !flight.left ? (await flight.reply).status : 'done', hit };
  }

  async function leave(name: string, flight: Flight): Promise<void> {
    flight.left = true;
    flight.process.hangUp();
    if (flight.keyed) return;
    flights.delete(name);
    const id = idOf(name);
    for (let ended = id === null; !ended; ended = !(await pendingFit(admin, id!))) await sleep(2);
    await worker.endFinished();
  }

  /** The leases of requests that wait go on, as their processes see to. */
  async function wait(ms: number): Promise<void> {
    await clock.set(clock.now() + ms);
    if (flights.size === 0) return;
    const alive = [...flights.values()].map(({ process }) => process.leaseId);
    const until = new Date(clock.now() + 60_000);
    await Promise.all([
      admin.query('UPDATE request_leases SET expires_at = $2 WHERE id = ANY ($1::uuid[])', [alive, until]),
      admin.query('UPDATE idempotency_keys SET locked_until = $2 WHERE lock_id = ANY ($1::uuid[])', [alive, until]),
    ]);
  }

  const operate = async (...args: string[]): Promise<Outcome> => {
    const { exitCode } = await runAdmin(['account', args[0]!, '--account', accountId, ...args.slice(1)], async () => ({
      pool: database.pool,
      objects: async () => objects,
      temporal: async () => client,
      standardInput: async () => null,
      renewSecrets: async () => ({ made: false, objects }),
      close: async () => undefined,
    }));
    return { came: exitCode === 0 ? 'done' : 'refused', hit: false };
  };
  const cap = (value: number | null): string => (value === null ? 'none' : String(value));
  const named = (model: number): string => `m${model}`;
  const url = async (model: number, rest = ''): Promise<string> =>
    `${path}/${idOf(named(model)) ?? `clf_${'0'.repeat(32)}`}${rest}`;

  type Performers = { readonly [K in Action['do']]: (action: Extract<Action, { do: K }>) => Promise<Outcome> };
  const performers = {
    create: ({ days, keyed, fault }) => admit(path, { name: named(names++), days }, keyed, fault),
    defer: ({ days, windows, keyed, fault }) =>
      admit(path, { name: named(names++), days, windows, defer: true }, keyed, fault),
    batch: async ({ model, windows, keyed, fault }) => admit(await url(model, '/trials'), { windows }, keyed, fault),
    fit: async ({ model, keyed, fault }) => admit(await url(model, '/fit'), undefined, keyed, fault),
    predict: async ({ model, windows, keyed, fault }) =>
      admit(await url(model, '/predictions'), { windows }, keyed, fault),
    again: ({ request }) => {
      const { url: to, body, key } = requests[request]!;
      return ask(to, 'POST', body, key, null);
    },
    delete: async ({ model, fault }) => ask(await url(model), 'DELETE', undefined, null, fault),
    expire: async ({ model, days, fault }) => {
      const expires_at = days === null ? null : new Date(clock.now() + days * 24 * hour).toISOString();
      return ask(await url(model), 'PATCH', { expires_at }, null, fault);
    },
    leave: async ({ model }) => {
      const flight = flights.get(named(model));
      if (flight && !flight.left) await leave(named(model), flight);
      return { came: 'nothing' as Came, hit: false };
    },
    die: async ({ model }) => {
      flights.get(named(model))?.process.die();
      flights.delete(named(model));
      return { came: 'nothing' as Came, hit: false };
    },
    work: ({ model, how, fault }) => work(named(model), how, fault),
    settle: async ({ model, fault }) => {
      const modelId = idOf(named(model));
      if (!modelId) return { came: 'nothing' as Came, hit: false };
      const { hit } = await worker.act(fault, () => activities.settleLifecycle({ modelId, at: clock.now() }));
      return { came: 'done' as Came, hit };
    },
    sweep: async ({ fault }) => {
      const { hit } = await worker.act(fault, () => activities.sweep({ at: clock.now() }));
      await worker.endFinished();
      return { came: 'done' as Came, hit };
    },
    credit: ({ usd }) => operate('credit', `--usd=${usd}`),
    caps: ({ daily, monthly, windows }) =>
      operate(
        'limits',
        `--daily-cap-usd=${cap(daily)}`,
        `--monthly-cap-usd=${cap(monthly)}`,
        `--daily-windows=${cap(windows)}`,
      ),
    suspend: () => operate('suspend'),
    resume: () => operate('resume'),
    wait: async ({ hours }) => {
      await wait(hours * hour);
      return { came: 'done' as Came, hit: false };
    },
  } satisfies { [K in Action['do']]: (action: any) => Promise<Outcome> } as Performers;

  /** Empties everything and begins with one new account. */
  async function reset(): Promise<void> {
    for (const { end } of temporal.jobs.values()) end();
    const stillOpen = [...flights.values()].filter(({ left }) => !left);
    await Promise.all(stillOpen.map(({ reply }) => reply.catch(() => null)));
    flights.clear();
    ids.clear();
    living = {};
    sound = null;
    temporal.jobs.clear();
    objects.clear();
    requests.length = 0;
    names = 0;
    await admin.query(empty);
    await clock.set(startOfTime);
    const at = new Date(startOfTime);
    const { rows } = await admin.query<{ id: string }>(
      `INSERT INTO accounts (email, created_at, rps, burst, concurrency, daily_estimates)
       VALUES ('random@example.org', $1, 100000, 100000, 100000, 100000) RETURNING id`,
      [at],
    );
    accountId = rows[0]!.id;
    await acceptTerms(admin, accountId, at);
    await openWallet(admin, accountId);
    await credit(admin, { accountId, amount: 5_000_000n, source: 'free', at });
    apiKey = (await createKey(admin, { accountId, mode: 'live', at })).key;
  }

  return {
    logged,
    reset: () => clock.within(reset),
    /** A second passes, then the action is carried out. */
    perform: (action: Action): Promise<Outcome> =>
      clock.within(async () => {
        await wait(1_000);
        return await (performers[action.do] as (each: Action) => Promise<Outcome>)(action);
      }),
    look: () => clock.within(lookAt),
    /** What is wrong with the books, also with what must have been charged by now. */
    checkBooks: () => problemsOf(admin, clock.now()),
    async close(): Promise<void> {
      await app.close();
      await database.drop();
    },
  };
}
