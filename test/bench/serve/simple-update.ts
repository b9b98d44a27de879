import type { Checkout } from './checkout.ts';
import type { Subject } from './cells.ts';

const rows = 100_000;

/** pgbench's simple update in a database of its own on the same Postgres server. */
export async function simpleUpdate({ records, databaseUrl, postmaster }: Checkout): Promise<Subject> {
  const url = new URL(databaseUrl);
  const server = records.createPool(url.href, { max: 1 });
  await server.query('CREATE DATABASE bench');
  await server.end();
  url.pathname = '/bench';
  const pool = records.createPool(url.href, { max: 1 });
  await pool.query('CREATE TABLE bench_accounts (id int PRIMARY KEY, balance int NOT NULL) WITH (fillfactor = 90)');
  await pool.query('CREATE TABLE bench_history (account int, delta int, at timestamptz)');
  await pool.query(`INSERT INTO bench_accounts SELECT n, 0 FROM generate_series(1, ${rows}) AS n`);
  await pool.query('VACUUM ANALYZE bench_accounts');
  await pool.end();
  return { name: 'simple update', pid: null, postmaster, ask: { kind: 'postgres', url: url.href, rows } };
}
