import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { objectNames as named } from '../../infra/contract/object-names.ts';
import { someOf } from '../support/counts.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { candidatesOf, methodIds, requestOf } from '../workflows/support/fits.ts';
import { charges, modelId, objectNames, stored } from '../workflows/support/models.ts';
import { createWorld, objectKey, type World } from '../workflows/support/world.ts';
import type { ApiArguments } from './support/api-process.ts';
import { apiDeaths, type ApiStep } from './support/points.ts';

let env: TestWorkflowEnvironment;
let world: World;

beforeAll(async () => {
  env = await connectDevServer();
  world = await createWorld(env);
});
afterAll(async () => {
  await world?.stop();
  await env?.teardown();
});

const minute = 60_000;

/** Runs a create in a process that dies at the step; its hold and row are 20 minutes old. */
async function dyingCreate(account: string, dieAt: ApiStep) {
  const id = modelId();
  const jobId = crypto.randomUUID();
  const request = requestOf(id, account, 'live', null, {
    jobId,
    source: { staged: named.staged({ modelId: id, jobId }, new Date()) },
    idempotencyKey: crypto.randomUUID(),
    candidates: candidatesOf(methodIds),
  });
  const settings: ApiArguments = {
    address: env.address,
    taskQueue: world.taskQueue,
    databaseUrl: world.db.url,
    objectsUrl: pathToFileURL(join(world.folder, 'objects')).href,
    objectKey: Buffer.from(objectKey).toString('hex'),
    request,
    dieAt,
    at: Date.now() - 20 * minute,
  };
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./support/api-process.ts', import.meta.url)), JSON.stringify(settings)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const signal = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)));
  expect(signal).toBe('SIGKILL');
  const { rows } = await world.db.pool.query<{ id: string }>('SELECT id FROM holds WHERE model_id = $1', [id]);
  return { ...request, holdId: rows[0]?.id ?? null };
}

const sweep = () =>
  world.client.workflow.execute('reconcile', {
    workflowId: `sweep-${crypto.randomUUID()}`,
    taskQueue: world.taskQueue,
    args: [{ scope: 'sweep' }],
  });
const keyOf = async (account: string) =>
  (
    await world.db.pool.query<{ state: string; response_status: number | null }>(
      'SELECT state, response_status FROM idempotency_keys WHERE account_id = $1',
      [account],
    )
  ).rows;

describe('kill -9 of the API', () => {
  it.each(
    someOf(
      apiDeaths.filter(({ step }) => step !== 'after-staged'),
      2,
    ),
  )('$step ($what): a retry that joins the job gets its answer, charged once', async ({ step }) => {
    const account = await world.account(10_000_000n);
    const request = await dyingCreate(account, step);
    const answer = await world.jobs.runFit(request);
    expect(answer.status, answer.body).toBe(201);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
    expect(await keyOf(account)).toEqual([{ state: 'done', response_status: 201 }]);
  });

  it.each(someOf(apiDeaths, 2))('$step ($what): without a retry the sweep ends it', async ({ step }) => {
    const account = await world.account(10_000_000n);
    const { modelId: id } = await dyingCreate(account, step);
    await sweep();
    const began = step !== 'after-staged';
    await expect.poll(async () => (await balance(world.db.pool, account)).held, { timeout: 60_000 }).toBe(0n);
    if (began) {
      await expect.poll(async () => (await stored(world, id))?.status, { timeout: 60_000 }).toBe('active');
      expect(await charges(world, id, 0)).toHaveLength(2);
      expect(await keyOf(account)).toEqual([{ state: 'done', response_status: 201 }]);
    } else {
      expect(await stored(world, id)).toBeNull();
      expect(await charges(world, id, 0)).toEqual([]);
      expect(await keyOf(account)).toEqual([]);
    }
  });

  it('leaves sound books and no staged signal of a job that ended', async () => {
    await sealLedger(world.db.pool);
    expect(await checkLedger(world.db.pool, { at: new Date() })).toMatchObject({ ok: true, problems: [] });
    expect((await world.db.pool.query('SELECT FROM fit_requests WHERE finished_at IS NULL')).rowCount).toBe(0);
    const staged = (await objectNames(world)).filter((name) => name.startsWith('staged/'));
    expect(
      staged.length,
      'only the one that was staged for no job, which the sweep removes ten minutes later',
    ).toBeLessThanOrEqual(1);
  });
});
