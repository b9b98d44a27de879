import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Sql } from './transaction.ts';

const file = new URL('./catalog.json', import.meta.url);

/** Hash of the definition of each object that the migrations and grants create, by the object's name. */
export type Catalog = Readonly<Record<string, string>>;

const tables = `pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;
const ofTables = `pg_class c ON c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;
/** Privileges that let a role write. Reading does not affect the books. */
const writes = `g.privilege_type <> 'SELECT'`;

/** Nothing, or an owner that is not the one of the schema. */
const otherOwner = (owner: string): string =>
  `(SELECT 'owner ' || ${owner}::regrole FROM pg_class m
    WHERE m.oid = 'public.schema_migrations'::regclass AND m.relowner <> ${owner})`;

/** Session defaults of roles `r` in this database. */
const settings = `(SELECT * FROM pg_db_role_setting
     WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))) AS s
   LEFT JOIN pg_roles r ON r.oid = s.setrole CROSS JOIN LATERAL unnest(s.setconfig) AS setting`;

/** Each query returns `object` (its name) and `definition`. */
const queries = [
  `SELECT 'table ' || c.relname AS object, concat_ws(' ', c.relpersistence, c.relrowsecurity, c.relforcerowsecurity,
     array_to_string(c.reloptions, ','), ${otherOwner('c.relowner')}) AS definition FROM ${tables}`,
  `SELECT format('column %s.%s', c.relname, a.attname), concat_ws(' ', format_type(a.atttypid, a.atttypmod),
     'not null', a.attnotnull, 'identity', CASE WHEN NOT c.relispartition THEN a.attidentity END, 'generated', a.attgenerated,
     pg_get_expr(d.adbin, d.adrelid))
   FROM pg_attribute a JOIN ${ofTables} AND a.attrelid = c.oid
   LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE a.attnum > 0 AND NOT a.attisdropped`,
  `SELECT format('constraint %s.%s', c.relname, k.conname), pg_get_constraintdef(k.oid)
   FROM pg_constraint k JOIN ${ofTables} AND k.conrelid = c.oid WHERE k.contype IN ('p', 'u', 'f', 'x', 'c')`,
  `SELECT format('index %s.%s', c.relname, n.relname),
     pg_get_indexdef(i.indexrelid) || CASE WHEN i.indisvalid AND i.indisready THEN '' ELSE ' invalid' END
   FROM pg_index i JOIN ${ofTables} AND i.indrelid = c.oid JOIN pg_class n ON n.oid = i.indexrelid`,
  `SELECT format('trigger %s.%s', c.relname, t.tgname), concat_ws(' ', pg_get_triggerdef(t.oid), 'enabled', t.tgenabled)
   FROM pg_trigger t JOIN ${ofTables} AND t.tgrelid = c.oid WHERE NOT t.tgisinternal`,
  `SELECT format('trigger %s of constraint %s', c.relname, k.conname), 'disabled'
   FROM pg_trigger t JOIN ${ofTables} AND t.tgrelid = c.oid JOIN pg_constraint k ON k.oid = t.tgconstraint
   WHERE t.tgisinternal AND t.tgenabled <> 'O' GROUP BY 1`,
  `SELECT format('rule %s.%s', c.relname, r.rulename), pg_get_ruledef(r.oid)
   FROM pg_rewrite r JOIN ${ofTables} AND r.ev_class = c.oid`,
  `SELECT format('policy %s.%s', c.relname, p.polname), concat_ws(' ', p.polcmd, p.polpermissive,
     pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
   FROM pg_policy p JOIN ${ofTables} AND p.polrelid = c.oid`,
  `SELECT format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)),
     concat_ws(' ', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname, p.provolatile,
       p.proisstrict, p.prosecdef, array_to_string(p.proconfig, ','), p.prosrc, ${otherOwner('p.proowner')})
   FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang WHERE p.pronamespace = 'public'::regnamespace`,
  `SELECT format('right on %s to %s', c.relname, coalesce(r.rolname, 'public')),
     string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type)
   FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g LEFT JOIN pg_roles r ON r.oid = g.grantee
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S') AND g.grantee <> c.relowner
     AND ${writes} GROUP BY 1`,
  `SELECT format('right on %s.%s to %s', c.relname, a.attname, coalesce(r.rolname, 'public')),
     string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type)
   FROM pg_attribute a JOIN ${ofTables} AND a.attrelid = c.oid CROSS JOIN LATERAL aclexplode(a.attacl) g
   LEFT JOIN pg_roles r ON r.oid = g.grantee WHERE ${writes} GROUP BY 1`,
  `SELECT format('right of %s to work as the owner of %s', r.rolname, c.relname), 'member'
   FROM pg_roles r JOIN ${ofTables} AND pg_has_role(r.oid, c.relowner, 'MEMBER') WHERE r.rolname = 'eeg_service'`,
  `SELECT format('right of %s to write every table', r.rolname), 'member'
   FROM pg_roles r, pg_roles a WHERE r.rolname = 'eeg_service' AND a.rolname = 'pg_write_all_data'
     AND pg_has_role(r.oid, a.oid, 'MEMBER')`,
  `SELECT format('right of function %s(%s) as its owner to %s', p.oid::regproc, pg_get_function_identity_arguments(p.oid),
     coalesce(r.rolname, 'public')), 'definer'
   FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
   LEFT JOIN pg_roles r ON r.oid = g.grantee
   WHERE p.prosecdef AND g.grantee <> p.proowner AND p.proowner IN (SELECT c.relowner FROM ${tables})
     AND p.pronamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`,
  `SELECT format('sequence %s', c.relname), concat_ws(' ', format_type(s.seqtypid, NULL), s.seqstart, s.seqincrement,
     s.seqmin, s.seqmax, s.seqcache, s.seqcycle, ${otherOwner('c.relowner')})
   FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT format('inheritance %s.%s', c.relname, i.inhrelid::regclass),
     coalesce(pg_get_expr(n.relpartbound, n.oid), 'child')
   FROM pg_inherits i JOIN ${ofTables} AND i.inhparent = c.oid JOIN pg_class n ON n.oid = i.inhrelid`,
  `SELECT format('setting of role %s', coalesce(r.rolname, 'all')), setting
   FROM ${settings} WHERE setting ILIKE 'session_replication_role=%'`,
  `SELECT format('setting of the search path of role %s', coalesce(r.rolname, 'all')), setting
   FROM ${settings} WHERE setting ILIKE 'search_path=%'
     AND replace(replace(setting, '"', ''), ' ', '') NOT IN ('search_path=public', 'search_path=$user,public')`,
  `SELECT format('setting of %s.%s before public', n.nspname, o.name), 'another'
   FROM pg_namespace n CROSS JOIN LATERAL (
     SELECT relname AS name FROM pg_class WHERE relnamespace = n.oid
       AND relname IN (SELECT c.relname FROM ${tables})
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = n.oid
       AND proname IN (SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace)) AS o
   WHERE n.nspname IN ('eeg_service', current_user)`,
];

/** Daily partitions of the log of requests, which the sweep makes and drops. */
const days = '\\mrequest_log_[0-9]{8}';

/** The definition of every object of the schema, read from the catalogs of Postgres. */
export async function readDefinitions(sql: Pick<Sql, 'query'>): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql.query<{ object: string; definition: string }>(
    `SELECT object, replace(definition, 'public.', '') AS definition
     FROM (${queries.join('\nUNION ALL\n')}) AS found WHERE object !~ '${days}' ORDER BY object COLLATE "C"`,
  );
  return new Map(rows.map(({ object, definition }) => [object, definition]));
}

const hashOf = (definition: string): string => createHash('sha256').update(definition).digest('hex').slice(0, 16);

/** A partition of the ledger by month; the migrations make the one that ends in `_first`. */
const monthOfLedger = /(ledger_(?:transactions|entries))_\d{6}(?!\d)/g;
const firstOfLedger = /(ledger_(?:transactions|entries))_first(?![a-z])/g;

/**
 * Hash of each definition. A partition of a month is named as the first one, so that equal partitions have equal
 * hashes.
 */
export const catalogOf = (definitions: ReadonlyMap<string, string>): Catalog =>
  Object.fromEntries(
    [...definitions].map(([object, definition]) => [object, hashOf(definition.replaceAll(monthOfLedger, '$1_first'))]),
  );

/** A month of the ledger as YYYYMM, with its first id and that of the next month. */
export interface LedgerMonth {
  readonly month: string;
  readonly from: string;
  readonly to: string;
}

/** Adds the objects of the partitions of a month, which are those of the first partition with bounds of their own. */
export function withMonth(catalog: Catalog, { month, from, to }: LedgerMonth): Catalog {
  const objects = Object.entries(catalog)
    .filter(([object]) => object.search(firstOfLedger) >= 0)
    .map(([object, hash]) => [
      object.replaceAll(firstOfLedger, `$1_${month}`),
      object.startsWith('inheritance ') ? hashOf(`FOR VALUES FROM ('${from}') TO ('${to}')`) : hash,
    ]);
  return { ...catalog, ...Object.fromEntries(objects) };
}

/** The objects that this version's migrations and grants create. A test keeps the file current. */
export const readCatalog = async (): Promise<Catalog> => JSON.parse(await readFile(file, 'utf8')) as Catalog;
