import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { describe, expect, it } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { readProgress } from '../../infra/records/task-models/progress.ts';
import { createPayloadCodec } from '../../infra/drivers/temporal/payload-codec.ts';
import { cancelFit } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { fitWorkflowId } from '../../infra/contract/workflow-names.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { withPin } from '../support/with-pin.ts';
import { batchFit, canary, methodIds, stagedFit } from './support/fits.ts';
import { charges, collectingModel, objectNames, stored } from './support/models.ts';
import { createWorld, objectKey, setUpWorld, type World } from './support/world.ts';

let world: World;
let account: string;

setUpWorld(connectDevServer, async (made) => {
  world = made;
  account = await world.account(100_000_000n);
});

/** A method that was selected by another version of the service. */
const gone = { id: 'no-such-method', version: '1', title: 'Gone', family: 'gone' };

const errorOf = (body: string): { code: string; details: Record<string, unknown> } => JSON.parse(body);

describe('an immediate create', () => {
  it('answers 201 with the fitted model, is charged once, and leaves only the model in the object store', async () => {
    const request = await stagedFit(world, account, { key: 'k-201' });
    const answer = await world.jobs.runFit(request);
    expect(answer.status).toBe(201);
    const model = JSON.parse(answer.body);
    expect(model).toMatchObject({
      id: request.modelId,
      status: 'active',
      classes: ['left', 'right'],
      cost: { usd: '2.00' },
    });
    expect(model.training_report.balanced_accuracy).toBeGreaterThan(0.8);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
    const left = async () => (await objectNames(world)).filter((name) => name.includes(request.modelId));
    await expect.poll(left, { timeout: 20_000 }).toEqual([`models/${request.modelId}/${request.jobId}`]);
    expect((await readProgress(world.db.pool, request.jobId)).map(({ status }) => status)).toEqual(
      methodIds.map(() => 'scored'),
    );

    const { rows } = await world.db.pool.query(
      `SELECT state, response_status, response_body FROM idempotency_keys WHERE key = 'k-201'`,
    );
    expect(rows).toEqual([{ state: 'done', response_status: 201, response_body: answer.body }]);
    expect(await world.jobs.runFit(request)).toEqual(answer);
    expect(await charges(world, request.modelId, 0)).toHaveLength(2);
  });

  it('shows its candidates by title to holders of the data key, in payloads under 32 KiB without a signal', async () => {
    const request = await stagedFit(world, account, { key: 'canary-idempotency-key' });
    await world.jobs.runFit(request);
    const model = world.client.workflow.getHandle(request.modelId);
    await expect
      .poll(
        () =>
          model.describe().then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    const histories = await Promise.all(
      [request.modelId, fitWorkflowId(request.modelId, request.jobId)].map((id) =>
        world.client.workflow.getHandle(id).fetchHistory(),
      ),
    );
    const text = JSON.stringify(histories, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(text).not.toContain(String(canary));
    expect(text).not.toContain('left vs right hand');
    const sizes: number[] = [];
    JSON.stringify(histories, (key, value: unknown) => {
      if (key === 'data' && value instanceof Uint8Array) sizes.push(value.length);
      return value;
    });
    expect(Math.max(...sizes)).toBeLessThan(32 * 1024);
    // What Temporal stores is encrypted: only who holds the key reads names, labels and idempotency keys.
    expect(request.idempotencyKey).not.toBeNull();
    for (const { title } of request.candidates) expect(text).not.toContain(title);
    expect(text).not.toContain(request.idempotencyKey);
    const codec = createPayloadCodec([objectKey]);
    const { events } = histories[1]!;
    const summaries = await codec.decode(events!.flatMap((event) => event.userMetadata?.summary ?? []));
    const read = summaries.map(({ data }) => Buffer.from(data!).toString());
    expect(read).toContain(JSON.stringify(`Fit ${request.candidates.length} candidates`));
    const results = await codec.decode(
      events!.flatMap((event) => event.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    );
    const answers = results.map(({ data }) => Buffer.from(data!).toString()).join('\n');
    for (const { title } of request.candidates) expect(answers).toContain(JSON.stringify(title));

    const shown = async (id: string): Promise<string> => {
      const description = await world.client.workflow.getHandle(id).describe();
      expect(await description.staticSummary()).toContain(request.modelId);
      return JSON.stringify(description.searchAttributes);
    };
    expect(await shown(fitWorkflowId(request.modelId, request.jobId))).toContain(account);
    await expect.poll(() => shown(request.modelId), { timeout: 20_000 }).toContain(account);
    const details = async (): Promise<string> =>
      (
        await world.client.workflow
          .getHandle(request.modelId)
          .query<{ currentDetails: string }>('__temporal_workflow_metadata')
      ).currentDetails;
    await expect
      .poll(details, { timeout: 20_000 })
      .toMatch(/\*\*active\*\* · motor · live key[^]*Next: Next hosting month charged, 20/);
  });

  it('answers 422 CLASSIFIER_FIT_FAILED with every reason, charges nothing and leaves nothing behind', async () => {
    const before = await balance(world.db.pool, account);
    const request = {
      ...(await stagedFit(world, account, { key: 'k-422' })),
      candidates: [gone, { ...gone, id: 'nor-this-one' }],
    };
    const answer = await world.jobs.runFit(request);
    expect({ status: answer.status, code: errorOf(answer.body).code }).toEqual({
      status: 422,
      code: 'CLASSIFIER_FIT_FAILED',
    });
    expect(errorOf(answer.body).details).toMatchObject({ request_id: 'req_test' });
    expect(errorOf(answer.body).details['methods']).toHaveLength(2);
    expect(await stored(world, request.modelId)).toBeNull();
    const left = async () => (await objectNames(world)).filter((name) => name.includes(request.modelId));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    expect(await balance(world.db.pool, account)).toEqual(before);
    const { rows } = await world.db.pool.query(
      `SELECT state, response_status FROM idempotency_keys WHERE key = 'k-422'`,
    );
    expect(rows).toEqual([{ state: 'done', response_status: 422 }]);
  });

  it('releases the key and the credit hold if the staged trials are lost', async () => {
    const before = await balance(world.db.pool, account);
    const request = await stagedFit(world, account, { key: 'k-502' });
    await world.objects.delete((request.source as { staged: string }).staged);
    const answer = await world.jobs.runFit(request);
    expect({ status: answer.status, code: errorOf(answer.body).code }).toEqual({
      status: 502,
      code: 'BACKEND_FAILURE',
    });
    expect(await balance(world.db.pool, account)).toEqual(before);
    expect((await world.db.pool.query(`SELECT FROM idempotency_keys WHERE key = 'k-502'`)).rowCount).toBe(0);
  });

  it('answers 502, names the missing code and charges nothing if the model needs code that does not exist', async () => {
    const mixed = await createWorld(world.env, {
      threads: (real) => withPin(real, 'resampler@99'),
    });
    try {
      const owner = await mixed.account(10_000_000n);
      const before = await balance(mixed.db.pool, owner);
      const request = await stagedFit(mixed, owner, { key: 'k-pins' });
      const answer = await mixed.jobs.runFit(request);
      expect({ status: answer.status, ...JSON.parse(answer.body) }).toMatchObject({
        status: 502,
        code: 'BACKEND_FAILURE',
        message: expect.stringContaining('version 99 of the resampler'),
      });
      expect(await balance(mixed.db.pool, owner)).toEqual(before);
      expect(await stored(mixed, request.modelId)).toBeNull();
      expect((await mixed.db.pool.query(`SELECT FROM idempotency_keys WHERE key = 'k-pins'`)).rowCount).toBe(0);
    } finally {
      await mixed.stop();
    }
  });

  it('is not captured if no caller waits for it, or if the model expires meanwhile', async () => {
    const before = await balance(world.db.pool, account);
    for (const [change, status, code, field] of [
      ['UPDATE fit_requests SET lease_id = gen_random_uuid() WHERE model_id = $1', 502, 'BACKEND_FAILURE', ''],
      [`UPDATE task_models SET expires_at = now() WHERE id = $1`, 422, 'INVALID_REQUEST', 'expires_at'],
    ] as const) {
      const request = await stagedFit(world, account);
      await world.db.pool.query(change, [request.modelId]);
      const answer = await world.jobs.runFit(request);
      expect({ status: answer.status, ...JSON.parse(answer.body) }).toMatchObject({ status, code, field });
      expect(await stored(world, request.modelId)).toBeNull();
    }
    expect(await balance(world.db.pool, account)).toEqual(before);
  });

  it('that is cancelled ends its workflow, with the answer of the cancellation', async () => {
    const before = await balance(world.db.pool, account);
    let entered: () => void = () => undefined;
    const scoring = new Promise<void>((resolve) => (entered = resolve));
    const slow = await createWorld(world.env, {
      async faults(point) {
        if (point !== 'score:before') return;
        entered();
        await Context.current().cancelled;
      },
    });
    try {
      const owner = await slow.account(10_000_000n);
      const request = await stagedFit(slow, owner);
      const running = slow.jobs.runFit(request);
      await scoring;
      const cancelled = await cancelFit(slow.db.pool, request, new Date());
      await slow.jobs.stopFit(request);
      expect(cancelled).toMatchObject({ status: 502, microUsd: 0n });
      expect(await running).toEqual(cancelled);
      const child = slow.client.workflow.getHandle(fitWorkflowId(request.modelId, request.jobId));
      await expect.poll(async () => (await child.describe()).status.name, { timeout: 20_000 }).toBe('COMPLETED');
      expect((await balance(slow.db.pool, owner)).held).toBe(0n);
      expect(await charges(slow, request.modelId, 0)).toEqual([]);
    } finally {
      await slow.stop();
    }
    expect(await balance(world.db.pool, account)).toEqual(before);
  });

  it('tries the other candidates if the code of one does not exist', async () => {
    const request = await stagedFit(world, account);
    const answer = await world.jobs.runFit({ ...request, candidates: [...request.candidates, gone] });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(JSON.parse(answer.body).training_report.methods)).toContain('no-such-method');
  });
});

describe('a deferred fit', () => {
  it('answers 200, charges the fee and the first month, and deletes the collected features', async () => {
    const { id } = await collectingModel(world, account);
    await world.objects.deletePrefix(`features/${id}/`);
    const request = await batchFit(world, id, account);
    const answer = await world.jobs.runFit(request);
    expect(answer.status, answer.body).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ id, status: 'active' });
    const left = async () => (await objectNames(world)).filter((name) => name.startsWith(`features/${id}`));
    await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    await expect(world.jobs.runFit({ ...request, jobId: crypto.randomUUID(), holdId: null })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });

  it('is refused with CONFLICT while another fit runs, and ends with 404 when its model is deleted', async () => {
    let held: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (held = resolve));
    let entered: () => void = () => undefined;
    const refitting = new Promise<void>((resolve) => (entered = resolve));
    const slow = await createWorld(world.env, {
      async faults(point) {
        if (point !== 'refit:before') return;
        entered();
        await gate;
      },
    });
    try {
      const owner = await slow.account(10_000_000n);
      const { id } = await collectingModel(slow, owner);
      await slow.objects.deletePrefix(`features/${id}/`);
      const request = await batchFit(slow, id, owner);
      const running = slow.jobs.runFit(request);
      await refitting;
      const second = { ...request, jobId: crypto.randomUUID(), holdId: null };
      await expect(slow.jobs.runFit(second)).rejects.toMatchObject({ code: 'CONFLICT' });
      await markDeleted(slow.db.pool, owner, id, new Date());
      await slow.jobs.refresh(id);
      await sleep(500);
      held();
      const answer = await running;
      expect({ status: answer.status, details: errorOf(answer.body).details }).toMatchObject({
        status: 404,
        details: { status: 'deleted' },
      });
      expect((await balance(slow.db.pool, owner)).held).toBe(0n);
      const left = async () => (await objectNames(slow)).filter((name) => name.includes(id));
      await expect.poll(left, { timeout: 20_000 }).toEqual([]);
    } finally {
      held();
      await slow.stop();
    }
  });
});
