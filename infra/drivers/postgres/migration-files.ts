import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('./migrations/', import.meta.url);

/** The last file of the schema of 0.1.0. Files up to it are applied together. */
export const baseline = '0007_reference.sql';

export interface Migration {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
  /** `expand`: older builds still work afterwards; `contract`: older builds are refused. */
  readonly kind: 'expand' | 'contract';
  /** false: each statement runs in a transaction of its own. */
  readonly inTransaction: boolean;
}

const header = /^-- (expand|contract: \S.*?)(, no transaction)?$/;

/** The first line: `-- expand` or `-- contract: oldest build`, with `, no transaction` where it applies. */
function kindOf(name: string, text: string): Pick<Migration, 'kind' | 'inTransaction'> {
  const [, kind, outside] = header.exec(text.split('\n', 1)[0]!) ?? [];
  if (kind === undefined)
    throw new Error(
      `Migration ${name} must begin with "-- expand", or "-- contract: " and the oldest build that works with it ` +
        `(see docs/develop.md, Write a migration).`,
    );
  return { kind: kind === 'expand' ? 'expand' : 'contract', inTransaction: outside === undefined };
}

/** Parses one SQL file. Throws if its first line does not give its kind. */
export const migrationOf = (name: string, text: string): Migration => ({
  name,
  text,
  hash: createHash('sha256').update(text).digest('hex'),
  ...kindOf(name, text),
});

/** The numbered SQL files, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).toSorted();
  return await Promise.all(names.map(async (name) => migrationOf(name, await readFile(new URL(name, folder), 'utf8'))));
}

/** Splits a file that runs outside a transaction into statements: each ends with a semicolon at the end of a line. */
export const statementsOf = ({ text }: Pick<Migration, 'text'>): string[] =>
  text
    .split(/;[ \t]*$/m)
    .map((statement) => statement.replaceAll(/^\s*--.*$/gm, '').trim())
    .filter(Boolean);
