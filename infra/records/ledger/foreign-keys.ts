import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { Invariant } from './invariants.ts';

const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * For each foreign key of the schema, the rows without a referenced row: Postgres itself checks only on writes. The
 * foreign key of ledger transactions is left to the invariants of wallets, which cover it. Partitions have the keys of
 * their table.
 */
export async function foreignKeyInvariants(sql: Pick<Sql, 'query'>): Promise<Invariant[]> {
  const { rows } = await sql.query<{ child: string; parent: string; columns: string[]; keys: string[] }>(
    `SELECT c.relname AS child, p.relname AS parent,
       (SELECT array_agg(a.attname::text ORDER BY n.place) FROM unnest(k.conkey) WITH ORDINALITY AS n (attnum, place)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = n.attnum) AS columns,
       (SELECT array_agg(a.attname::text ORDER BY n.place) FROM unnest(k.confkey) WITH ORDINALITY AS n (attnum, place)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = n.attnum) AS keys
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class p ON p.oid = k.confrelid
     WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND k.conparentid = 0 AND c.relname <> 'ledger_transactions' ORDER BY c.relname, k.conname`,
  );
  return rows.map(({ child, parent, columns, keys }) => {
    const values = columns.map((column) => `c.${ident(column)}::text`).join(`, ' ', `);
    const same = columns.map((column, at) => `p.${ident(keys[at]!)} = c.${ident(column)}`).join(' AND ');
    const given = columns.map((column) => `c.${ident(column)} IS NOT NULL`).join(' AND ');
    return {
      invariant: foreignKeys,
      query: `
        SELECT format('%s %s', '${parent}', concat(${values})) AS row,
               format('there is no such row; %s of ${child} refer to it', count(*)) AS problem
        FROM ${ident(child)} c WHERE ${given} AND NOT EXISTS (SELECT FROM ${ident(parent)} p WHERE ${same})
        GROUP BY ${columns.map((column) => `c.${ident(column)}`).join(', ')}`,
    };
  });
}

export const foreignKeys = 'every foreign key refers to a row';
