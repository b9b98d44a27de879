import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { oldest, requirePgBouncer, requirePostgres, requireTemporal } from '../../infra/drivers/versions.ts';

test('a server that is too old is refused in words, with both versions', () => {
  expect(() => requirePostgres(150_018, 'db:5432')).toThrow(
    'Postgres at db:5432 is version 15.18; the service needs 16 or newer. Upgrade the server,',
  );
  expect(() => requirePgBouncer('PgBouncer 1.17.0', 'db:6432')).toThrow(
    'PgBouncer at db:6432 is version 1.17.0; the service needs 1.18 or newer.',
  );
  expect(() => requireTemporal('1.28.3', 'temporal:7233')).toThrow(
    'The Temporal server at temporal:7233 is version 1.28.3; the service needs 1.29 or newer.',
  );
});

test('the oldest supported version, newer ones, and one that does not say are accepted', () => {
  for (const number of [160_000, 180_001]) requirePostgres(number, 'db');
  for (const text of ['PgBouncer 1.18.0', 'PgBouncer 1.24.1', '']) requirePgBouncer(text, 'db');
  for (const text of ['1.29.0', '1.30.2', '2.0.0', '']) requireTemporal(text, 'temporal');
});

test('the documentation states the oldest versions', async () => {
  const page = await readFile(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
  const { postgres, pgbouncer, temporal } = oldest;
  expect(page).toContain(`| Postgres | ${postgres} |`);
  expect(page).toContain(`| PgBouncer (optional) | ${pgbouncer.join('.')} |`);
  expect(page).toContain(`| Temporal server | ${temporal.join('.')} |`);
});
