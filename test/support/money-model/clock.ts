import { vi } from 'vitest';
import type { TestDatabase } from '../database.ts';

export interface Clock {
  readonly now: () => number;
  /** Moves this process's clock and the database's to an instant, in Unix milliseconds. */
  set(at: number): Promise<void>;
  stop(): void;
}

/**
 * A clock of the test's own in the database and in this process, whose timers stay real. In the database a function
 * `clock_timestamp` of another schema stands before the one of Postgres, for connections that are opened from now on.
 */
export async function createClock({ admin }: TestDatabase): Promise<Clock> {
  let now = 0;
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
    END $$`);
  vi.useFakeTimers({ toFake: ['Date'] });
  return {
    now: () => now,
    async set(at) {
      now = at;
      vi.setSystemTime(at);
      await admin.query('UPDATE own_clock.instant SET at = $1', [new Date(at)]);
    },
    stop: () => void vi.useRealTimers(),
  };
}
