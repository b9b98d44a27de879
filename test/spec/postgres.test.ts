import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { isUnreachable, sqlState } from '../../infra/drivers/postgres/errors.ts';
import { migrate } from '../../infra/drivers/postgres/migrate.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { migrationOf, readMigrations } from '../../infra/drivers/postgres/migration-files.ts';
import { checksOf, openProbe } from '../../infra/drivers/checks.ts';
import { oneMoreMigration } from '../support/one-more-migration.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

test.each([
  [],
  ['C3', 'Cz', 'both fists'],
  ['', 'a,b', '{c}', '"', '\\', 'null', 'NULL', 'NULLS', ' d '],
  [null, 'a'],
  ['é', "it's"],
])('lists of texts are read back unchanged: %j', async (...written: (string | null)[]) => {
  const { rows } = await database.pool.query('SELECT $1::text[] AS list', [written]);
  expect(rows).toEqual([{ list: written }]);
  const nested = await database.pool.query(
    "SELECT ARRAY[['a', 'b'], ['c', 'd']] AS list, '[2:3]={a,b}'::text[] AS moved",
  );
  expect(nested.rows).toEqual([
    {
      list: [
        ['a', 'b'],
        ['c', 'd'],
      ],
      moved: ['a', 'b'],
    },
  ]);
});

test('int8 is read as BigInt', async () => {
  const { rows } = await database.pool.query('SELECT 9007199254740993::int8 AS n');
  expect(rows[0].n).toBe(9_007_199_254_740_993n);
});

test('the service works as a role of its own', async () => {
  const { rows } = await database.pool.query('SELECT current_user AS name');
  expect(rows[0].name).toBe('eeg_service');
});

test('two transactions that deadlock both succeed', async () => {
  await database.admin.query(
    'CREATE TABLE pair (id int PRIMARY KEY, n int); INSERT INTO pair VALUES (1, 0), (2, 0); GRANT ALL ON pair TO eeg_service',
  );
  const both = async (order: number[]) =>
    await transaction(database.pool, async (sql) => {
      for (const id of order) {
        await sql.query('UPDATE pair SET n = n + 1 WHERE id = $1', [id]);
        await sql.query('SELECT pg_sleep(0.05)');
      }
    });
  await Promise.all([both([1, 2]), both([2, 1])]);
  const { rows } = await database.pool.query('SELECT n FROM pair ORDER BY id');
  expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
});

test('a failed transaction leaves nothing and the connection works on', async () => {
  const failed = transaction(database.pool, async (sql) => {
    await sql.query('UPDATE pair SET n = 99');
    await sql.query('SELECT 1/0');
  });
  await expect(failed).rejects.toSatisfy((error) => sqlState(error) === '22012');
  expect((await database.pool.query('SELECT n FROM pair WHERE id = 1')).rows[0].n).toBe(2);
});

test('processes that start together migrate once', async () => {
  const pools = await Promise.all([1, 2, 3].map(async () => await openDatabase(database.url, { max: 1 })));
  await Promise.all(pools.map(async (pool) => await pool.end()));
  expect(await migrate(database.admin)).toEqual([]);
});

test('an index is built outside a transaction, once, while others wait and the table is written', async () => {
  const files = [
    ...(await readMigrations()),
    migrationOf(
      '9990_busy.sql',
      '-- expand\nCREATE TABLE busy (n int); INSERT INTO busy SELECT generate_series(1, 9);',
    ),
    migrationOf(
      '9991_index.sql',
      '-- expand, no transaction\nDROP INDEX CONCURRENTLY IF EXISTS busy_n;\nCREATE INDEX CONCURRENTLY busy_n ON busy (n);\n',
    ),
    migrationOf('9992_after.sql', '-- expand\nALTER TABLE busy ADD COLUMN m int;'),
  ];
  const applied = await Promise.all([1, 2].map(() => migrate(database.admin, { files })));
  expect(applied.flat().toSorted()).toEqual(['9990_busy.sql', '9991_index.sql', '9992_after.sql']);
  const { rows } = await database.admin.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'busy_n'::regclass`);
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('a migration gives up while its table is locked, so that no statement queues behind it', async () => {
  const files = [...(await readMigrations()), migrationOf('9993_more.sql', '-- expand\nALTER TABLE busy ADD o int;')];
  const holder = await database.admin.connect();
  await holder.query('BEGIN; SELECT FROM busy');
  const said: string[] = [];
  const migrating = migrate(database.admin, { files, log: (line) => said.push(line) });
  await expect.poll(() => said).toContain('A migration gave way to statements that run; it is tried again.');
  expect((await database.admin.query('SELECT count(*)::int AS n FROM busy')).rows).toEqual([{ n: 9 }]);
  await holder.query('COMMIT');
  holder.release();
  expect(await migrating).toEqual(['9993_more.sql']);
});

test('if a statement and a migration wait for each other, the migration gives up', async () => {
  const text = '-- expand\nLOCK TABLE busy IN ACCESS EXCLUSIVE MODE; LOCK TABLE pair IN ACCESS EXCLUSIVE MODE;';
  const files = [...(await readMigrations()), migrationOf('9994_both.sql', text)];
  const [first, second] = [await database.admin.connect(), await database.admin.connect()];
  const waiting = (count: number) =>
    expect
      .poll(async () => (await database.pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount, { interval: 5 })
      .toBe(count);
  await first.query('BEGIN; SELECT FROM busy');
  await second.query('BEGIN; SELECT FROM pair');
  const migrating = migrate(database.admin, { files });
  await waiting(1);
  const queued = second.query('SELECT FROM busy');
  await waiting(2);
  await first.query('COMMIT');
  expect((await queued).rowCount).toBe(9);
  await second.query('COMMIT');
  for (const client of [first, second]) client.release();
  expect(await migrating).toEqual(['9994_both.sql']);
});

test('an older version works beside a newer one that has only added to the database', async () => {
  const files = [...(await readMigrations()), oneMoreMigration];
  expect(await migrate(database.admin, { files })).toEqual([oneMoreMigration.name]);
  expect((await database.pool.query('SELECT one_more FROM task_models')).rowCount).toBe(0);
  const said: string[] = [];
  expect(await migrate(database.admin, { log: (line) => said.push(line) })).toEqual([]);
  expect(said).toContainEqual(
    expect.stringMatching(/0999_one_more.sql of a newer version, which this version works beside/),
  );
});

test('a changed migration and a database of a newer version are refused', async () => {
  await database.admin.query(`UPDATE schema_migrations SET hash = 'x' WHERE name = '0001_accounts.sql'`);
  await expect(migrate(database.admin)).rejects.toThrow(/0001_accounts.sql has changed/);
  await database.admin.query(`INSERT INTO schema_migrations VALUES ('0000_future.sql', 'x', now(), 'contract')`);
  await expect(migrate(database.admin)).rejects.toThrow(/newer version/);
});

test('a database of a version before 0.1.0 is refused in one sentence', async () => {
  const name = `before_${process.pid}`;
  await database.admin.query(`CREATE DATABASE ${name}`);
  const old = createPool(Object.assign(new URL(database.url), { pathname: `/${name}` }).href, { max: 1 });
  try {
    await old.query(`CREATE TABLE schema_migrations (name text PRIMARY KEY, hash text);
      INSERT INTO schema_migrations VALUES ('0001_accounts.sql', 'x'), ('0010_admission.sql', 'x')`);
    await expect(migrate(old)).rejects.toThrow(
      /^The database was made by a version before 0\.1\.0, .*an empty database/,
    );
  } finally {
    await old.end();
    await database.admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
});

test('a login without superuser rights and service role can own the database; triggers protect the ledger from it too', async () => {
  const login = 'plain_owner';
  await database.admin.query(`CREATE ROLE ${login} LOGIN PASSWORD 'secret' NOCREATEROLE`);
  await database.admin.query(`CREATE DATABASE ${login} OWNER ${login}`);
  const pool = await openDatabase(
    Object.assign(new URL(database.url), { username: login, password: 'secret', pathname: `/${login}` }).href,
    { max: 1 },
  );
  try {
    expect((await pool.query('SELECT current_user AS name')).rows[0].name).toBe(login);
    await expect(pool.query('DELETE FROM ledger_entries')).rejects.toThrow(/append-only/);
  } finally {
    await pool.end();
    await database.admin.query(`DROP DATABASE ${login}`);
    await database.admin.query(`DROP ROLE ${login}`);
  }
});

test('a read-only server is not ready, counts as unreachable, and its connections are closed', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const reader = createPool(url.href, { max: 1 });
  const refused = await transaction(reader, (sql) => sql.query('CREATE TABLE t (n int)')).catch(
    (cause: unknown) => cause,
  );
  expect([isUnreachable(refused), reader.totalCount]).toEqual([true, 0]);
  const { look } = checksOf({ sql: reader, client: null!, objects: null!, threads: () => null }).database;
  await expect(look()).rejects.toThrow('The database takes no writes.');
  expect(reader.totalCount).toBe(0);
  await reader.end();
  const probe = openProbe(database.url);
  await checksOf({ sql: probe, client: null!, objects: null!, threads: () => null }).database.look();
  expect((await probe.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '1500ms' }]);
  await probe.end();
});

test('a server that stops answering is given up, and the next statement uses a new connection', async () => {
  const url = new URL(database.url);
  const server = Number(url.port);
  const sockets: Socket[] = [];
  const wire = createServer((near) => {
    const far = connect(server, url.hostname);
    sockets.push(near, far);
    near.pipe(far).pipe(near);
    for (const each of [near, far]) each.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  url.port = String((wire.address() as AddressInfo).port);
  const pool = createPool(url.href, { max: 1, silenceMs: 300 });
  const fallSilent = (): void => {
    for (const each of sockets) each.unpipe().pause();
  };
  await pool.query('SELECT 1');
  fallSilent();
  const error = await pool.query('SELECT 1').catch((cause: unknown) => cause);
  expect(isUnreachable(error)).toBe(true);
  const lost = transaction(pool, async (sql) => {
    await sql.query('SELECT 1');
    fallSilent();
  });
  await expect(lost).rejects.toThrow(/Whether the transaction was committed is unknown/);
  expect((await pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  await pool.end();
  for (const each of sockets) each.destroy();
  wire.close();
});
