import { LRUCache } from 'lru-cache';
import { prepared, type Sql } from '../../drivers/postgres/index.ts';
import { columnsWithoutReport, type StoredTaskModel } from '../task-models/rows.ts';

/** What was read of a task model, without its training report, and with what stood beside it. */
export interface KnownModel {
  /** The same as long as nobody has written the row. */
  readonly version: string;
  readonly stored: StoredTaskModel;
}

/** Task models of one process by their ids, as they were last read. */
export type KnownModels = LRUCache<string, KnownModel>;

/** Characters of the models that are known together, and the minutes after which one is read again. */
const [mostCharacters, minutes] = [16 * 1024 * 1024, 10];

export const createKnownModels = (): KnownModels =>
  new LRUCache({
    maxSize: mostCharacters,
    sizeCalculation: ({ stored }) => JSON.stringify(stored, (_, each) => (typeof each === 'bigint' ? 0 : each)).length,
    ttl: minutes * 60_000,
  });

/**
 * The version of a row of `task_models m`: the transaction that wrote it, where it lies, and the start of the server,
 * since a restored one may give a transaction's number again. Empty for a collecting model, since other tables decide
 * of it, too: it is read each time.
 */
export const rowVersion = `CASE WHEN m.status = 'collecting' THEN ''
  ELSE concat(m.xmin, m.ctid, pg_postmaster_start_time()) END AS version`;

/** Columns of a model that is to be known. */
export const knownColumns = `${rowVersion}, ${columnsWithoutReport}`;

export type VersionedRow = StoredTaskModel & { readonly version: string };

/** Knows the model from now on, unless it is deleted, and returns it as it is stored. */
export function remember(known: KnownModels, row: VersionedRow): StoredTaskModel {
  const { id, status, version } = row;
  if (status === 'deleted') known.delete(id);
  else if (version !== '') known.set(id, { version, stored: row });
  return row;
}

const reading = `SELECT ${knownColumns} FROM task_models m WHERE m.id = ANY ($1)`;

/** Reads models anew, by their ids; what fails is read once more. Those that are not there are left out. */
export async function readAnew(
  sql: Sql,
  known: KnownModels,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredTaskModel>> {
  const read = () => prepared<VersionedRow>(sql, reading, [ids]);
  const { rows } = await read().catch(read);
  return new Map(rows.map((row) => [row.id, remember(known, row)]));
}
