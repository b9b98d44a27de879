import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../infra/embedded/ports.ts';
import { findRunner } from '../../infra/embedded/postgres-runner.ts';
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
  const file = async (name: string, lines: readonly string[]): Promise<string> => {
    const path = join(runner.dir, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    if (runner.uid !== undefined) await chown(path, runner.uid, runner.gid!);
    return path;
  };
  const users = await file('users.txt', [`"${postgres.username}" "${postgres.password}"`]);
  const settings = await file('pgbouncer.ini', [
    '[databases]',
    `* = host=${postgres.hostname} port=${postgres.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 500',
    // By default PgBouncer waits 15 s after a failed connection to Postgres.
    'server_login_retry = 1',
  ]);
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
