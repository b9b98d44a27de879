import { expect, test } from 'vitest';
import { ConfigError } from '../../infra/drivers/config.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';

const url = 'postgres://ada:secret@db.example.org/eeg';

test('ssl is refused beside the settings for TLS, which it would override', async () => {
  for (const ssl of ['0', 'false', 'true', 'no-verify', ''])
    for (const decided of ['sslmode=verify-full', 'sslrootcert=/none', 'uselibpqcompat=true&sslmode=require'])
      for (const query of [`${decided}&ssl=${ssl}`, `ssl=${ssl}&${decided}`]) {
        expect(() => createPool(`${url}?${query}`), query).toThrow(ConfigError);
        expect(() => createPool(`${url}?${query}`), query).toThrow(/DATABASE_URL: ssl has no place beside sslmode/);
      }
  await createPool(`${url}?ssl=true`).end();
  await createPool(`${url}?sslmode=verify-full`).end();
});
