import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../infra/embedded/ports.ts';
import { findRunner } from '../../infra/embedded/postgres-runner.ts';
import { writePoolerSettings } from '../support/pooler-settings.ts';
import { serverProcess, type ServerProcess } from './server-process.ts';

export interface Pooler extends ServerProcess {
  /** The service's database, through the pooler. */
  readonly url: string;
}

/** Starts PgBouncer in transaction mode before the Postgres server. */
export async function startPooler(program: string, dir: string, postgres: URL): Promise<Pooler> {
  await mkdir(dir, { recursive: true });
  const runner = await findRunner(dir);
  const port = await freePort();
  const settings = await writePoolerSettings(runner, {
    port,
    user: postgres.username,
    password: postgres.password,
    database: `* = host=${postgres.hostname} port=${postgres.port}`,
    // By default PgBouncer waits 15 s after a failed connection to Postgres.
    more: ['default_pool_size = 20', 'max_client_conn = 500', 'server_login_retry = 1'],
  });
  const url = Object.assign(new URL(postgres), { port: String(port) }).href;
  const { uid, gid, prefix } = runner;
  const server = serverProcess(
    'PgBouncer',
    join(dir, 'pgbouncer.log'),
    [...prefix, program, settings],
    { uid, gid },
    () => answers(url),
  );
  await server.start();
  return { ...server, url };
}

async function answers(connectionString: string): Promise<boolean> {
  const sql = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  sql.on('error', () => undefined);
  try {
    await sql.connect();
    await sql.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await sql.end().catch(() => undefined);
  }
}
