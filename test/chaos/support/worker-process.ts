import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createActivities } from '../../../activities/create-activities.ts';
import { createActivityThreads } from '../../../activities/compute/pool.ts';
import type { FaultPoint, ReferenceOptions } from '../../../activities/deps.ts';
import { createObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import { openDatabase } from '../../../infra/drivers/postgres/pool.ts';
import { textLog } from '../../../infra/observe/log.ts';
import { createTemporalClient } from '../../../infra/drivers/temporal/client.ts';
import { createWorker } from '../../../infra/drivers/temporal/worker.ts';
import { keepAlive } from '../../../infra/main/alive.ts';

/**
 * A worker like the product's, that dies or waits once at a named step. Its options come as JSON in the first argument.
 */
export interface WorkerArguments {
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  readonly databaseUrl: string;
  readonly objectsUrl: string;
  readonly objectKey: string;
  readonly cacheDir: string;
  readonly reference: ReferenceOptions;
  readonly fault: { readonly point: FaultPoint; readonly action: 'die' | 'wait' } | null;
  /** Points at which it dies too, once at each. */
  readonly deaths?: readonly FaultPoint[];
  /** Point at which each job waits for a mark `go` of its own, which it removes. */
  readonly gate?: FaultPoint;
  /** Folder of the marks `reached` (it stood at the point) and `go` (it may go on). */
  readonly marks: string;
}

const options = JSON.parse(process.argv[2]!) as WorkerArguments;
const reached = join(options.marks, 'reached');
const go = join(options.marks, 'go');

async function faults(point: FaultPoint): Promise<void> {
  const mark = join(options.marks, point.replace(':', '-'));
  if (options.deaths?.includes(point) && !existsSync(mark)) {
    writeFileSync(mark, '');
    process.kill(process.pid, 'SIGKILL');
    await sleep(60_000);
  }
  if (point === options.gate) {
    while (!existsSync(go)) await sleep(50);
    rmSync(go);
  }
  if (point !== options.fault?.point || existsSync(reached)) return;
  writeFileSync(reached, point);
  if (options.fault.action === 'die') process.kill(process.pid, 'SIGKILL');
  while (!existsSync(go)) await sleep(50);
}

/** Points that a fit passes only where it stores its features; most end before. */
const isOfStored = (point: FaultPoint | undefined): boolean => point?.startsWith('extract:after-') ?? false;
const storesAtOnce = [options.fault?.point, ...(options.deaths ?? [])].some(isOfStored);

const keys = [new Uint8Array(Buffer.from(options.objectKey, 'hex'))];
const { address, namespace } = options;
const log = textLog((line) => void process.stderr.write(`${line}\n`));
const { client } = createTemporalClient({ address, namespace, keys });
const pool = await openDatabase(options.databaseUrl);
await keepAlive(pool, log);
const worker = await createWorker({
  address,
  namespace,
  keys,
  taskQueue: options.taskQueue,
  cacheDir: options.cacheDir,
  workflows: new URL('../../../workflows/', import.meta.url),
  schedules: false,
  log,
  activities: createActivities({
    pool,
    objects: createObjectStore({ url: options.objectsUrl, keys }),
    threads: createActivityThreads(1),
    client,
    taskQueue: options.taskQueue,
    reference: options.reference,
    faults,
    storesAfterMs: storesAtOnce ? 0 : undefined,
    log,
  }),
});
await worker.done;
