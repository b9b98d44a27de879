import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { readServerHealth, type ServerHealth } from '../drivers/postgres/server-health.ts';
import { readBooksSummary } from '../records/books-summary.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';
import { books, connections, measureProcess, onScrape, postgres, process as measured } from '../observe/metrics.ts';
import { checkNames, type Readiness } from '../observe/readiness.ts';

/** Interval in which each process reads the database for metrics, independent of the number of scrapes. */
const everyMs = 15_000;

type Folders = Readonly<Record<'dataDir' | 'cacheDir', string>>;

export interface Measured {
  readonly readiness: Pick<Readiness, 'state'>;
  readonly pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  /** A connection outside the pool. */
  readonly probe: Pick<Sql, 'query'>;
  /** Folders that the process writes to, which need not exist yet: DATA_DIR if there is one, and the cache. */
  readonly folders: Folders;
}

/** Updates the gauges of a process until `signal` aborts. */
export function keepGauges({ readiness, pool, probe, folders }: Measured, signal: AbortSignal): void {
  measureProcess();
  const forget = onScrape(() => {
    measured.ready.set(readiness.state.status === 'ready' ? 1 : 0);
    for (const check of checkNames)
      measured.checks.set({ check }, readiness.state.checks[check].status === 'ok' ? 1 : 0);
    connections.set({ state: 'total' }, pool.totalCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
  });
  signal.addEventListener('abort', forget, { once: true });
  void (async () => {
    for (; !signal.aborted; await sleep(everyMs, undefined, { ref: false, signal })) {
      await readBooks(probe).catch(() => undefined);
      await readServer(probe).catch(() => undefined);
      await readDisk(folders);
    }
  })().catch(() => undefined);
}

/**
 * Updates gauges from the database. If it does not answer, they keep their values, and
 * `eeg_books_read_timestamp_seconds` shows how old these are.
 */
export async function readBooks(probe: Pick<Sql, 'query'>): Promise<void> {
  const summary = await readBooksSummary(probe);
  const now = Date.now() / 1000;
  books.holds.set(summary.holds);
  books.holdSeconds.set(summary.holdSeconds);
  books.leases.set(summary.leases);
  books.leaseSeconds.set(summary.leaseOverdueSeconds);
  books.fits.set(summary.fits);
  books.fitSeconds.set(summary.fitSeconds);
  books.fitWaitingSeconds.set(summary.fitWaitingSeconds);
  books.unpaid.set(summary.unpaid);
  for (const { table, seconds, promise } of summary.oldest) {
    books.oldestRow.set({ table }, seconds);
    books.promise.set({ table }, promise);
  }
  for (const { step, at, problems, oldestStagedAt } of summary.reconciled) {
    books.reconciled.set({ step }, at);
    books.problems.set({ step }, problems);
    if (step === 'sweep') books.stagedSeconds.set(oldestStagedAt === null ? 0 : Math.max(0, now - oldestStagedAt));
  }
  books.readAt.set(now);
}

/** Updates gauges of the Postgres server. A value that the server does not show has no sample. */
export async function readServer(probe: Pick<Sql, 'query'>): Promise<void> {
  const health = await readServerHealth(probe);
  for (const name of Object.keys(postgres) as (keyof ServerHealth)[]) {
    const value = health[name];
    if (value === null) postgres[name].remove();
    else postgres[name].set(value);
  }
}

/** The fullest file system. Without a measurement there is no sample, so that no alert mistakes it for a full disk. */
export async function readDisk({ dataDir, cacheDir }: Folders): Promise<void> {
  const all = await Promise.all([freeOf(dataDir), freeOrAbove(cacheDir)]);
  const known = all.filter((each) => each !== null);
  if (known.length > 0) measured.disk.set(Math.min(...known));
  else measured.disk.remove();
}

async function freeOf(folder: string): Promise<number | null> {
  const found = await statfs(folder).catch(() => null);
  return found && found.blocks > 0 ? found.bavail / found.blocks : null;
}

/** Measures the folder, or the nearest existing one above it. */
async function freeOrAbove(folder: string): Promise<number | null> {
  const above = dirname(folder);
  return (await freeOf(folder)) ?? (above === folder ? null : await freeOrAbove(above));
}

/** Expiry of the served certificate. */
export function measureCertificate(cert: Uint8Array): void {
  measured.certificate.set(Date.parse(new X509Certificate(cert).validTo) / 1000);
}
