import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { createTemporalClient } from '../../infra/drivers/temporal/client.ts';
import { oldest } from '../../infra/drivers/versions.ts';
import { warnMissing } from '../support/fetched-tool.ts';
import { startOldestPostgres } from '../support/oldest-postgres.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Tests of migrations, rights, triggers, books, charges and creates over HTTP. */
const files = [
  'postgres',
  'schema',
  'session-defaults',
  'retention',
  'forged-books',
  'ledger-months',
  'hot-updates',
  'money-http',
].map((name) => `test/spec/${name}`);

const server = await startOldestPostgres();
const missing = 'missing' in server;
if (missing) warnMissing(`Postgres ${oldest.postgres}`, server.missing);
afterAll(async () => await (missing ? undefined : server.stop()));

it.skipIf(missing)('the service works on the oldest Postgres', { timeout: 480_000 }, async () => {
  const { url } = server as { url: string };
  const pool = createPool(url, { max: 1 });
  const { rows } = await pool.query<{ number: number }>(
    `SELECT current_setting('server_version_num')::integer AS number`,
  );
  await pool.end();
  expect(Math.floor(rows[0]!.number / 10_000)).toBe(oldest.postgres);
  const { TEST_LONG: _, VITEST: _vitest, ...environment } = process.env;
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'stack', ...files];
  const env = { ...environment, TEST_PG_URL: url };
  const run = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  expect(run.status, `${run.stdout}${run.stderr}`).toBe(0);
});

it('all other tests run on the oldest Temporal server', async () => {
  const address = process.env['TEST_TEMPORAL_ADDRESS']!;
  const { client, close } = createTemporalClient({ address, namespace: 'default', keys: [new Uint8Array(32)] });
  const { serverVersion } = await client.connection.workflowService.getSystemInfo({});
  await close();
  expect(serverVersion.split('.').slice(0, 2).map(Number)).toEqual(oldest.temporal);
});
