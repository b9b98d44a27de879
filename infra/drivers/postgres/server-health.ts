import type { Sql } from './transaction.ts';

/** State of the Postgres server that a backup and a standby depend on; null: the server does not show it. */
export interface ServerHealth {
  readonly archiveFailing: number | null;
  /** Bytes of log that are written and not archived; null also without an archive. */
  readonly archiveBehind: number | null;
  /** Bytes by which the slowest standby or slot is behind; 0 without any. */
  readonly replicationBehind: number | null;
  readonly slotsInactive: number | null;
  readonly connections: number | null;
  readonly connectionsLimit: number | null;
}

/** Position in the log at which the segment of a file name begins: 8 digits of timeline, 8 of 4 GiB, 8 of segments. */
const segmentStart = (name: string): string => `
  (('x' || substr(${name}, 9, 8))::bit(32)::bigint * 4294967296
   + ('x' || substr(${name}, 17, 8))::bit(32)::bigint * pg_size_bytes(current_setting('wal_segment_size')))`;

const bytesNow = `pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')`;

const query = `
  SELECT (a.on AND coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false))::int
           AS "archiveFailing",
    CASE WHEN a.on AND a.last_archived_wal ~ '^[0-9A-F]{24}'
      THEN greatest(0, ${bytesNow} - ${segmentStart('a.last_archived_wal')})::float8 END AS "archiveBehind",
    greatest(0, (SELECT max(${bytesNow} - pg_wal_lsn_diff(restart_lsn, '0/0')) FROM pg_replication_slots),
      (SELECT max(${bytesNow} - pg_wal_lsn_diff(replay_lsn, '0/0')) FROM pg_stat_replication))::float8
      AS "replicationBehind",
    (SELECT count(*) FROM pg_replication_slots WHERE NOT active)::int AS "slotsInactive",
    (SELECT sum(numbackends) FROM pg_stat_database)::int AS connections,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      AS "connectionsLimit"
  FROM (SELECT *, current_setting('archive_mode') <> 'off' AS on FROM pg_stat_archiver) AS a`;

export async function readServerHealth(sql: Pick<Sql, 'query'>): Promise<ServerHealth> {
  const { rows } = await sql.query<ServerHealth>(query);
  return rows[0]!;
}
