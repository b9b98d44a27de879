import { chmod, chown, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../infra/embedded/postgres.ts';

/** Beside the cluster: a server may be given another folder than was asked for. Commands run in the cluster's. */
const archive = '../archive';

/** Settings of a server that keeps every segment of its log, as infra/deploy/BACKUP.md asks. */
export const archiving = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: `mkdir -p ${archive} && test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
} as const;

export async function clusterOf(sql: Client): Promise<string> {
  return (await sql.query<{ data_directory: string }>('SHOW data_directory')).rows[0].data_directory;
}

/** What of a cluster no backup holds: the log, which the archive has, and what lives as long as the server. */
const passing = ['pg_wal', 'pg_stat_tmp', 'pg_subtrans', 'pg_replslot', 'postmaster.pid', 'postmaster.opts'];

/** A base backup of a running server into `to`: its files as they are, made whole by its log. */
export async function baseBackup(sql: Client, to: string): Promise<void> {
  const cluster = await clusterOf(sql);
  await sql.query("SELECT pg_backup_start('drill', true)");
  const left = new Set(passing.map((name) => join(cluster, name)));
  await cp(cluster, to, { recursive: true, filter: (path) => !left.has(path) });
  const { rows } = await sql.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await writeFile(join(to, 'backup_label'), rows[0].labelfile);
}

/** Ends the segment that is written now, and waits until the archive holds it. */
export async function archiveNow(sql: Client, until: (there: () => Promise<boolean>) => Promise<void>): Promise<void> {
  const { rows } = await sql.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
  await until(async () => {
    const { last_archived_wal: last } = (await sql.query('SELECT last_archived_wal FROM pg_stat_archiver')).rows[0];
    return last !== null && last >= rows[0].name;
  });
}

/**
 * A server in `dir` with what another one held at the instant `time`: its base backup, and from the archive of its log
 * (`archiveOf`, beside its cluster) every transaction committed before.
 */
export async function restoreTo(
  time: string,
  { dir, base, oldCluster }: { dir: string; base: string; oldCluster: string },
  connect: (url: string) => Promise<Client>,
): Promise<EmbeddedPostgres> {
  const empty = await startEmbeddedPostgres({ dir });
  const sql = await connect(empty.url);
  const cluster = await clusterOf(sql);
  await sql.end();
  await empty.stop();
  const { uid, gid } = await stat(cluster);
  await rm(cluster, { recursive: true });
  await cp(base, cluster, { recursive: true });
  await chmod(cluster, 0o700);
  for (const name of passing.filter((each) => each.startsWith('pg_'))) await mkdir(join(cluster, name));
  await cp(join(dirname(oldCluster), 'archive'), join(dirname(cluster), 'archive'), { recursive: true });
  await cp(join(dirname(oldCluster), 'password'), join(dirname(cluster), 'password'));
  await writeFile(join(cluster, 'recovery.signal'), '');
  await ownAll([cluster, join(dirname(cluster), 'archive'), join(dirname(cluster), 'password')], uid, gid);
  return await startEmbeddedPostgres({
    dir,
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: time,
      recovery_target_action: 'promote',
    },
  });
}

async function ownAll(paths: readonly string[], uid: number, gid: number): Promise<void> {
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const path of paths) {
    await chown(path, uid, gid);
    if ((await stat(path)).isDirectory())
      await ownAll(
        (await readdir(path)).map((name) => join(path, name)),
        uid,
        gid,
      );
  }
}
