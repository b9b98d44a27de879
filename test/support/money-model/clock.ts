import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { TestDatabase } from '../database.ts';

export interface Clock {
  readonly now: () => number;
  /** Sets this clock to an instant, in Unix milliseconds, for its database and for all work `within` it. */
  set(at: number): Promise<void>;
  /** Does work that reads this clock in place of the machine's, whose timers stay real. */
  within<T>(work: () => Promise<T>): Promise<T>;
}

const current = new AsyncLocalStorage<{ now: number }>();
const real = Date;

/** The `Date` of this process: the time of the clock within which it is asked, else the machine's. */
function createDate(): DateConstructor {
  const now = (): number => current.getStore()?.now ?? real.now();
  return new Proxy(real, {
    construct: (_, args: [], target) => Reflect.construct(real, args.length === 0 ? [now()] : args, target) as Date,
    get: (_, name) => (name === 'now' ? now : Reflect.get(real, name)) as unknown,
  });
}

/**
 * A test clock in a database and in this process, which may have several. In the database, a function `clock_timestamp`
 * of another schema precedes Postgres's own in the search path, and earlier connections are replaced.
 */
export async function createClock({ admin, pool }: TestDatabase): Promise<Clock> {
  const time = { now: 0 };
  await admin.query(`
    CREATE SCHEMA own_clock;
    CREATE TABLE own_clock.instant (at timestamptz NOT NULL);
    INSERT INTO own_clock.instant VALUES ('epoch');
    CREATE FUNCTION own_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT at FROM own_clock.instant';
    GRANT USAGE ON SCHEMA own_clock TO PUBLIC;
    GRANT SELECT ON own_clock.instant TO PUBLIC;
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path TO own_clock, public, pg_catalog', current_database());
      EXECUTE format('ALTER DATABASE %I SET plan_cache_mode TO force_generic_plan', current_database());
    END $$`);
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND usename IS NOT NULL AND pid <> pg_backend_pid()`,
  );
  while (pool.totalCount > 0) await sleep(10);
  if (Date === real) vi.stubGlobal('Date', createDate());
  return {
    now: () => time.now,
    async set(at) {
      time.now = at;
      await admin.query({ name: 'clock', text: 'UPDATE own_clock.instant SET at = $1', values: [new Date(at)] });
    },
    within: (work) => current.run(time, work),
  };
}
