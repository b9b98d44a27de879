import { setTimeout as sleep } from 'node:timers/promises';
import { reserve } from '../../../infra/records/ledger/holds.ts';
import { insertFitting } from '../../../infra/records/task-models/models.ts';
import { createObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import { openDatabase } from '../../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import { createTemporalClient } from '../../../infra/drivers/temporal/client.ts';
import type { FitRequest } from '../../../infra/contract/fit-request.ts';
import { enqueueFit } from '../../../infra/records/fit-jobs/fit-jobs.ts';
import { createJobs } from '../../../api/jobs/jobs.ts';
import { stagedBytes } from '../../workflows/support/fits.ts';
import { newModel } from '../../workflows/support/models.ts';
import type { ApiStep } from './points.ts';

/**
 * The steps of a create as the API takes them, by a process that dies at one of them. Its options come as JSON in the
 * first argument.
 */
export interface ApiArguments {
  readonly address: string;
  readonly taskQueue: string;
  readonly databaseUrl: string;
  readonly objectsUrl: string;
  readonly objectKey: string;
  /** `holdId` is set by the step that reserves. */
  readonly request: FitRequest;
  readonly dieAt: ApiStep;
  /** Unix milliseconds at which the hold and the row are written: long ago for the sweep to see. */
  readonly at: number;
}

const { request, dieAt, ...options } = JSON.parse(process.argv[2]!) as ApiArguments;
const { modelId, accountId, mode, jobId, idempotencyKey } = request;

async function pass(step: ApiStep): Promise<void> {
  if (step !== dieAt) return;
  process.kill(process.pid, 'SIGKILL');
  await sleep(60_000);
}

const pool = await openDatabase(options.databaseUrl);
const keys = [new Uint8Array(Buffer.from(options.objectKey, 'hex'))];
const objects = createObjectStore({ url: options.objectsUrl, keys });
const { client } = createTemporalClient({ address: options.address, namespace: 'default', keys });
const at = new Date(options.at);

await objects.put((request.source as { staged: string }).staged, stagedBytes());
await pass('after-staged');
const holdId = await transaction(pool, async (sql) => {
  const hold = await reserve(sql, { accountId, mode, modelId, at });
  await insertFitting(sql, newModel(modelId, accountId, mode, at));
  await sql.query(
    `INSERT INTO idempotency_keys (account_id, mode, key, request_hash, state, locked_until, job, created_at) VALUES ($1, 'live', $2, 'h', 'running', $4, $3, $4)`,
    [accountId, idempotencyKey, JSON.stringify({ modelId, jobId, holdId: hold }), at],
  );
  await enqueueFit(sql, { ...request, holdId: hold }, at);
  return hold;
});
await pass('after-begin');
const running = createJobs({ client, pool, taskQueue: options.taskQueue }).runFit({ ...request, holdId });
if (dieAt === 'while-running') {
  while ((await pool.query('SELECT FROM fit_candidates WHERE job_id = $1', [jobId])).rowCount === 0) await sleep(20);
  await pass('while-running');
}
await running;
await pass('before-answer');
