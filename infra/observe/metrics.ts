import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of this process. Labels have few values: never an account, a model or a caller's data. */
export const registry = new Registry();

const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Counter<L>({ name, help, labelNames, registers: [registry] });
const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
  new Gauge<L>({ name, help, labelNames, registers: [registry] });
const histogram = <L extends string = never>(name: string, help: string, buckets: number[], labelNames: readonly L[]) =>
  new Histogram<L>({ name, help, buckets, labelNames, registers: [registry] });

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const slow = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Requests of an API process. */
export const requests = {
  ended: counter('eeg_http_requests_total', 'Requests that have ended; status "left": the caller went away.', [
    'route',
    'method',
    'status',
    'code',
  ]),
  seconds: histogram('eeg_http_request_seconds', 'From the head of a request to the end of its answer.', fast, [
    'route',
    'method',
  ]),
  inFlight: gauge('eeg_http_requests_in_flight', 'Requests that run now.'),
  replays: counter('eeg_idempotent_replays_total', 'Answers that were stored under an Idempotency-Key and sent again.'),
};

/** Charges, counted after their transaction has committed. `kind`: predict, create (with a month), hosting. */
export const charges = {
  made: counter('eeg_charges_total', 'Charges.', ['kind']),
  microUsd: counter('eeg_charged_micro_usd_total', 'Micro-dollars charged.', ['kind']),
};

/** Counts a committed charge. Test keys are not counted. */
export function countCharge(kind: 'predict' | 'create' | 'hosting', microUsd: bigint, times = 1): void {
  if (microUsd <= 0n) return;
  charges.made.inc({ kind }, times);
  charges.microUsd.inc({ kind }, Number(microUsd));
}

/** Tasks of the process's own threads. `pool`: api, worker or encoders. */
export const threads = {
  waiting: gauge('eeg_thread_tasks_waiting', 'Tasks that wait for a thread.', ['pool']),
  running: gauge('eeg_thread_tasks_running', 'Tasks that run in a thread.', ['pool']),
  waitSeconds: histogram('eeg_thread_wait_seconds', 'How long a task waited for its thread.', fast, ['pool']),
  seconds: histogram('eeg_thread_task_seconds', 'How long a task ran in its thread.', fast, ['pool', 'task']),
  lost: counter('eeg_thread_tasks_failed_total', 'Tasks that threw, or whose thread was lost.', ['pool', 'task']),
};

/** Activities and workflows of a worker. */
export const activities = {
  seconds: histogram('eeg_activity_seconds', 'How long an activity ran.', slow, ['activity', 'outcome']),
  candidateSeconds: histogram('eeg_candidate_seconds', 'How long a candidate was scored.', slow, ['method']),
  running: gauge('eeg_worker_activities_running', 'Activities that run in this worker.', ['queue']),
  workflows: gauge('eeg_worker_workflows_cached', 'Workflows that this worker keeps in memory.', ['queue']),
  polling: gauge('eeg_worker_polling', 'Whether the worker takes tasks from Temporal.', ['queue']),
};

/** Causes of the end of a process. */
export const deaths = {
  givenUp: counter('eeg_jobs_given_up_total', 'Jobs that were given up because they ended their process twice.', [
    'kind',
  ]),
  blocked: counter('eeg_models_blocked_total', 'Models whose predictions were blocked: labelling ended a process.'),
};

export const connections = gauge('eeg_pg_connections', 'Connections to Postgres; waiting: who waits for one.', [
  'state',
]);

/** Operations of the main thread on the object store. */
export const objects = {
  seconds: histogram('eeg_object_operation_seconds', 'Operations on the object store.', fast, ['operation', 'outcome']),
  bytes: counter('eeg_object_bytes_total', 'Bytes written and read.', ['operation']),
};

/** Values from the database, read in the background; they are the same in every process. */
export const books = {
  holds: gauge('eeg_holds_open', 'Holds on credit that are neither captured nor released.'),
  holdSeconds: gauge('eeg_hold_oldest_seconds', 'Age of the oldest open hold; 0 where there is none.'),
  leases: gauge('eeg_leases', 'Leases of requests in flight, of all processes.'),
  leaseSeconds: gauge('eeg_lease_overdue_seconds', 'How long the most overdue lease has been past its end.'),
  fits: gauge('eeg_fits_running', 'Fit jobs that have begun and not ended.'),
  fitSeconds: gauge('eeg_fit_oldest_seconds', 'Age of the oldest fit job that has not ended.'),
  fitWaitingSeconds: gauge(
    'eeg_fit_waiting_oldest_seconds',
    'Age of the oldest fit job that no worker has begun; 0 where there is none.',
  ),
  oldestRow: gauge('eeg_oldest_row_seconds', 'Age of the oldest row of a table; 0 where it is empty.', ['table']),
  promise: gauge('eeg_oldest_row_promise_seconds', 'How long the rows of a table are kept.', ['table']),
  unpaid: gauge('eeg_models_unpaid', 'Hosted models whose month could not be charged for want of credit.'),
  reconciled: gauge('eeg_reconciled_timestamp_seconds', 'When a step of the reconciler last ended.', ['step']),
  problems: gauge('eeg_reconciler_problems', 'What a step of the reconciler last found for a person to look at.', [
    'step',
  ]),
  stagedSeconds: gauge('eeg_staged_oldest_seconds', 'Age of the oldest staged signal when the sweep last looked.'),
  readAt: gauge('eeg_books_read_timestamp_seconds', 'When these were last read.'),
};

/** The Postgres server, read in the background. No sample: the server does not show it. */
export const postgres = {
  archiveFailing: gauge('eeg_pg_archive_failing', 'Whether the last attempt to archive the log failed.'),
  archiveBehind: gauge('eeg_pg_archive_behind_bytes', 'Log that is written and not archived yet.'),
  replicationBehind: gauge('eeg_pg_replication_behind_bytes', 'How far the last standby or slot is behind.'),
  slotsInactive: gauge('eeg_pg_slots_inactive', 'Replication slots without a reader.'),
  connections: gauge('eeg_pg_server_connections', 'Connections of all clients to the server.'),
  connectionsLimit: gauge('eeg_pg_server_connections_limit', 'Most connections that the server accepts.'),
};
for (const each of Object.values(postgres)) each.remove();

/** The process itself. */
export const process = {
  ready: gauge('eeg_ready', 'Whether the process takes work.'),
  checks: gauge('eeg_ready_check', 'Whether a check of readiness succeeds.', ['check']),
  certificate: gauge('eeg_certificate_expires_timestamp_seconds', 'When the certificate that is served expires.'),
  disk: gauge('eeg_disk_free_ratio', 'What is free of the file systems of DATA_DIR and the cache, of 1; the fuller.'),
};
// The gauge has no sample before the first measurement: a gauge without labels would begin with 0, which means a full
// disk.
process.disk.remove();

const readers = new Set<() => void>();

/**
 * Calls `read` before metrics are returned, to set gauges. It must be quick and contact no server. Returns a function
 * that removes `read`.
 */
export function onScrape(read: () => void): () => void {
  readers.add(read);
  return () => void readers.delete(read);
}

export const expositionType = registry.contentType;

/** All metrics in the text form of Prometheus. */
export async function exposition(): Promise<string> {
  for (const read of readers) read();
  return await registry.metrics();
}

let defaults = false;

/** Adds the default metrics of Node: memory, CPU time, event-loop delay. Call it once. */
export function measureProcess(): void {
  if (defaults) return;
  defaults = true;
  collectDefaultMetrics({ register: registry });
}
