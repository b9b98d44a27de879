import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigError } from '../../infra/drivers/config.ts';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { findRunner } from '../../infra/embedded/postgres-runner.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { selfSigned } from '../support/self-signed.ts';

let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-tls-'));
  const dir = join(folder, 'postgres');
  const runner = await findRunner(dir);
  const path = async (name: string, text: string): Promise<string> => {
    const file = join(runner.dir, name);
    await writeFile(file, text, { mode: 0o600 });
    if (runner.uid !== undefined) await chown(file, runner.uid, runner.gid!);
    return file;
  };
  const { cert, key } = selfSigned();
  await writeFile(join(folder, 'ca.pem'), cert);
  await writeFile(join(folder, 'other.pem'), selfSigned().cert);
  server = await startEmbeddedPostgres({
    dir,
    settings: {
      fsync: 'off',
      listen_addresses: '127.0.0.1,127.0.0.2',
      ssl: 'on',
      ssl_cert_file: await path('server.pem', cert),
      ssl_key_file: await path('server.key', key),
      hba_file: await path('hba.conf', 'host all postgres all scram-sha-256\nhostssl all all all scram-sha-256\n'),
    },
  });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = (parameters: Record<string, string>, host = '127.0.0.1', base = server.url): string => {
  const url = new URL(base);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};
const file = (name: string): string => join(folder, name);

/** Whether the server sees a connection as encrypted. */
async function encrypted(url: string): Promise<boolean> {
  const pool = createPool(url, { max: 1 });
  try {
    const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return rows[0].ssl;
  } finally {
    await pool.end();
  }
}

const refusal = (url: string): Promise<unknown> =>
  openDatabase(url, { max: 1 }).then(
    async (pool) => await pool.end(),
    (error: unknown) => error,
  );

test('the authority that signed the certificate of the server is accepted, and every session is encrypted', async () => {
  const pool = await openDatabase(at({ sslrootcert: file('ca.pem'), sslmode: 'verify-full' }), { max: 1 });
  await pool.end();
  expect(await encrypted(at({ sslrootcert: file('ca.pem') }))).toBe(true);
  expect(await encrypted(at({ sslrootcert: file('ca.pem'), sslmode: 'require' }))).toBe(true);
  expect(await encrypted(at({ sslmode: 'no-verify' }))).toBe(true);
  expect(await encrypted(at({ sslmode: 'require', uselibpqcompat: 'true' }))).toBe(true);
  expect(await encrypted(at({ sslmode: 'disable' }))).toBe(false);
  expect(await encrypted(server.url)).toBe(false);
});

test('another authority and another name are refused with the remedy; verify-ca checks no name', async () => {
  for (const sslmode of ['require', 'verify-ca', 'verify-full']) {
    const error = await refusal(at({ sslmode, sslrootcert: file('other.pem') }));
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(/Postgres at 127.0.0.1:\d+\/eeg refuses the service: .*sslrootcert of/);
  }
  const elsewhere = at({ sslrootcert: file('ca.pem'), sslmode: 'require' }, '127.0.0.2');
  expect(String(await refusal(elsewhere))).toMatch(/not in the cert's list.*use a name it is for/s);
  expect(await encrypted(elsewhere.replace('=require', '=verify-ca'))).toBe(true);
});

test('a server without TLS is refused where TLS is required, and a plain client where the server requires it', async () => {
  expect(String(await refusal(at({ sslmode: 'require' }, '127.0.0.1', process.env['TEST_PG_URL']!)))).toMatch(
    /does not support SSL.*turn TLS on there/,
  );
  const root = createPool(server.url, { max: 1 });
  await root.query(`CREATE ROLE careful LOGIN PASSWORD 'secret'`);
  await root.end();
  const careful = Object.assign(new URL(server.url), { username: 'careful', password: 'secret' }).href;
  expect(String(await refusal(careful))).toMatch(/refuses the service: .*no encryption.*sslmode/);
  expect(await encrypted(at({ sslrootcert: file('ca.pem') }, '127.0.0.1', careful))).toBe(true);
});

test('files and modes that cannot be used are named, all at once', () => {
  const faulty = at({ sslmode: 'prefer', sslrootcert: file('none.pem'), sslcert: file('ca.pem') });
  expect(() => createPool(faulty)).toThrow(ConfigError);
  expect(() => createPool(faulty)).toThrow(
    /sslmode is "prefer"; it can be .*\n.*sslcert and sslkey belong together.*\n.*sslrootcert cannot be read/,
  );
});

test('renewed certificates are used for new connections', async () => {
  const ca = file('renewed.pem');
  await writeFile(ca, selfSigned().cert);
  const pool = createPool(at({ sslrootcert: ca }), { max: 1 });
  await expect(pool.query('SELECT 1')).rejects.toThrow(/self-signed|certificate/);
  await writeFile(ca, 'half of a fi');
  await expect(pool.query('SELECT 1')).rejects.toThrow(/self-signed|certificate/);
  await writeFile(ca, await readFile(file('ca.pem')));
  expect((await pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  await pool.end();
});
