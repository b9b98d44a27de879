import {
  catalogOf,
  readCatalog,
  readDefinitions,
  withMonth,
  type LedgerMonth,
} from '../../drivers/postgres/catalog.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { readMigrations } from '../../drivers/postgres/migration-files.ts';
import type { LedgerProblem } from './problem.ts';

export const schemaInvariant = 'triggers, rights, constraints, indexes and functions are those of this version';

/** Objects that a newer version's expansion may add. */
const mayBeNewer = /^(column|constraint|index|trigger|function) (?!.* of constraint )/;

/**
 * Compares the schema of the database with the one from this version's migrations and grants. Each month of the ledger
 * must have its partitions, with the objects of the first one. An operator's own tables, plain indexes, functions and
 * read-only roles are ignored. If a newer version has applied `expand` files, additions to tables are ignored too.
 */
export async function checkSchema(sql: Pick<Sql, 'query'>): Promise<LedgerProblem[]> {
  const { rows: months } = await sql.query<LedgerMonth>(
    `SELECT to_char(month, 'YYYYMM') AS month, ledger_month_starts(month)::text AS "from",
       ledger_month_starts((month + interval '1 month')::date)::text AS "to" FROM ledger_months`,
  );
  const expected = months.reduce(withMonth, await readCatalog());
  const definitions = await readDefinitions(sql);
  const found = catalogOf(definitions);
  const { rows: roles } = await sql.query(`SELECT FROM pg_roles WHERE rolname = 'eeg_service'`);
  const known = new Set((await readMigrations()).map(({ name }) => name));
  const { rows: applied } = await sql.query<{ name: string }>('SELECT name FROM schema_migrations');
  const newer = applied.some(({ name }) => !known.has(name));
  const problem = (row: string, words: string): LedgerProblem => ({ invariant: schemaInvariant, row, problem: words });

  const missing = Object.keys(expected)
    .filter((object) => !(object in found) && !(roles.length === 0 && object.endsWith(' to eeg_service')))
    .map((object) => problem(object, 'missing'));
  const changed = Object.keys(expected)
    .filter((object) => object in found && found[object] !== expected[object])
    .map((object) => problem(object, `differs from schema.sql: ${shortened(definitions.get(object)!)}`));
  const added = Object.keys(found)
    .filter((object) => !(object in expected) && !(newer && mayBeNewer.test(object)) && concerns(object, expected))
    .map((object) => problem(object, `not in schema.sql: ${shortened(definitions.get(object)!)}`));
  return [...missing, ...changed, ...added];
}

/** Whether an added object changes the behaviour of the service's tables. */
function concerns(object: string, expected: Readonly<Record<string, string>>): boolean {
  const [kind, ...rest] = object.split(' ');
  if (kind === 'table' || kind === 'index') return false;
  if (kind === 'function') {
    const name = rest.join(' ').split('(', 1)[0]!;
    return Object.keys(expected).some((each) => each.startsWith(`function ${name}(`));
  }
  if (kind === 'setting' || rest[0] === 'of') return true;
  const relation = (kind === 'right' ? rest[1] : rest[0])!.split('.', 1)[0]!;
  return (
    `table ${relation}` in expected || Object.keys(expected).some((each) => each.startsWith(`right on ${relation} `))
  );
}

const shortened = (text: string): string => (text.length <= 200 ? text : `${text.slice(0, 200)}…`);
