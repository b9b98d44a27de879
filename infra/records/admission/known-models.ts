import { LRUCache } from 'lru-cache';
import { prepared, type Sql } from '../../drivers/postgres/index.ts';
import { columnsWithoutReport, type StoredTaskModel } from '../task-models/rows.ts';

/** A task model as it was stored when it was read, without its training report. */
export interface KnownModel {
  /** The same as long as nobody has written the row. */
  readonly version: string;
  readonly stored: StoredTaskModel;
}

/** Task models of one process by their ids, as they were last read. */
export type KnownModels = LRUCache<string, KnownModel>;

/** Models that are known, and the minutes after which one is read again. */
const [most, minutes] = [2_048, 10];

export const createKnownModels = (): KnownModels => new LRUCache({ max: most, ttl: minutes * 60_000 });

/**
 * The version of a row of `task_models m`: the transaction that wrote it, and where it lies. A server that was restored
 * counts transactions anew, and was started anew. Empty for what other tables decide, too: that is read each time.
 */
export const rowVersion = `CASE WHEN m.status = 'collecting' THEN ''
  ELSE concat(m.xmin, m.ctid, pg_postmaster_start_time()) END AS version`;

/** Columns of a model that is to be known. */
export const knownColumns = `${rowVersion}, ${columnsWithoutReport}`;

export type VersionedRow = StoredTaskModel & { readonly version: string };

/** Knows the model from now on, and returns it as it is stored. */
export function remember(known: KnownModels, row: VersionedRow): StoredTaskModel {
  const { version } = row;
  if (version !== '') known.set(row.id, { version, stored: row });
  return row;
}

const reading = `SELECT ${knownColumns} FROM task_models m WHERE m.id = ANY ($1)`;

/** Reads models anew: by their ids, without those that are not there. */
export async function readAnew(
  sql: Sql,
  known: KnownModels,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredTaskModel>> {
  if (ids.length === 0) return new Map();
  const { rows } = await prepared<VersionedRow>(sql, reading, [ids]);
  return new Map(rows.map((row) => [row.id, remember(known, row)]));
}
