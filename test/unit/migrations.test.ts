import { describe, expect, it } from 'vitest';
import { migrationOf, readMigrations, statementsOf } from '../../infra/drivers/postgres/migration-files.ts';
import { faultsOf } from '../support/migration-faults.ts';
import { oneMoreMigration } from '../support/one-more-migration.ts';

const files = [...(await readMigrations()), oneMoreMigration];
const file = (text: string) => migrationOf('0999_new.sql', text);

describe('a migration', () => {
  it('begins with its kind', () => {
    expect(() => file('ALTER TABLE accounts ADD COLUMN a int')).toThrow(/0999_new.sql must begin with "-- expand"/);
    expect(() => file('-- contract:\n')).toThrow(/oldest build/);
    expect(file('-- expand\n')).toMatchObject({ kind: 'expand', inTransaction: true });
    expect(file('-- contract: 0.2.0\n')).toMatchObject({ kind: 'contract', inTransaction: true });
    expect(file('-- contract: 0.2.0, no transaction\n')).toMatchObject({ kind: 'contract', inTransaction: false });
  });

  it.each(files.map((each) => [each.name, each] as const))('%s is what it says', (_, migration) =>
    expect(faultsOf(migration)).toEqual([]),
  );

  it.each([
    'ALTER TABLE accounts DROP COLUMN email',
    'DROP TABLE holds',
    'ALTER TABLE holds DROP CONSTRAINT holds_pkey',
    'ALTER TABLE accounts RENAME COLUMN email TO address',
    'ALTER TABLE accounts ALTER COLUMN email TYPE varchar(9)',
    'ALTER TABLE accounts ALTER email SET NOT NULL',
    'ALTER TABLE accounts ADD COLUMN a int NOT NULL',
    'ALTER TABLE accounts ADD COLUMN a int, ADD b text NOT NULL',
    'ALTER TABLE accounts ADD CONSTRAINT c CHECK (true)',
    'REVOKE SELECT ON accounts FROM eeg_service',
    'CREATE INDEX i ON accounts (email)',
    'CREATE INDEX CONCURRENTLY i ON accounts (email)',
  ])('with "%s" is refused as an expansion in one transaction', (statement) => {
    expect(faultsOf(file(`-- expand\n${statement};\n`))).toHaveLength(1);
  });

  it.each([
    'ALTER TABLE accounts ADD COLUMN a int',
    'ALTER TABLE accounts ADD COLUMN a int NOT NULL DEFAULT 0, ADD b text',
    'ALTER TABLE accounts ADD CONSTRAINT c CHECK (true) NOT VALID',
    'ALTER TABLE holds DROP CONSTRAINT holds_account_id_fkey, DROP CONSTRAINT holds_check1',
    'CREATE TABLE more (id text NOT NULL); CREATE INDEX more_id ON more (id)',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DELETE FROM accounts; DROP TABLE x $$',
  ])('may expand by "%s"', (statement) => {
    expect(faultsOf(file(`-- expand\n${statement};\n`))).toEqual([]);
  });

  it('outside a transaction runs its statements one by one', () => {
    const migration = file(
      '-- expand, no transaction\n-- why\nDROP INDEX CONCURRENTLY IF EXISTS i;\n' +
        'CREATE INDEX CONCURRENTLY i\n ON t (a);\n',
    );
    expect(statementsOf(migration)).toEqual([
      'DROP INDEX CONCURRENTLY IF EXISTS i',
      'CREATE INDEX CONCURRENTLY i\n ON t (a)',
    ]);
  });
});
