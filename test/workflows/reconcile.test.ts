import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import type { ReconcileReport } from '../../activities/activities.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { createCost, reserve } from '../../infra/records/ledger/holds.ts';
import { insertFitting } from '../../infra/records/task-models/models.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { objectNames as named } from '../../infra/contract/object-names.ts';
import { temporalNames } from '../../infra/contract/workflow-names.ts';
import { ensureSchedules } from '../../infra/drivers/temporal/schedules.ts';
import { searchAttributeNames } from '../../infra/drivers/temporal/search-attributes.ts';
import { referenceAttributesOf, searchAttributesOf } from '../../workflows/search-attributes.ts';
import { connectDevServer } from '../support/temporal-testing.ts';
import { collectingModel, hostedModel, modelId, newModel, objectNames, stored } from './support/models.ts';
import { setUpWorld, type World } from './support/world.ts';

let world: World;

setUpWorld(connectDevServer, (made) => {
  world = made;
});

const minute = 60_000;
const reconcile = (): Promise<ReconcileReport> =>
  world.client.workflow.execute('reconcile', {
    workflowId: `reconcile-${crypto.randomUUID()}`,
    taskQueue: world.taskQueue,
    args: [{ scope: 'full' }],
  });
const sweepAt = (at: number): Promise<ReconcileReport> =>
  new MockActivityEnvironment().run(world.activities.sweep, { at });
const statusOf = async (id: string): Promise<string> =>
  (await world.client.workflow.getHandle(id).describe()).status.name;
/** The workflow has set its timer and knows nothing of what is written from here on. */
const isWaiting = async (id: string): Promise<boolean> =>
  (await world.client.workflow.getHandle(id).fetchHistory()).events!.some((event) =>
    Boolean(event.timerStartedEventAttributes),
  );

describe('the reconciler', () => {
  it('starts the workflow of a model that has none', async () => {
    const { id } = await hostedModel(world, await world.account());
    await world.client.workflow.getHandle(id).terminate('test');
    const { healed } = await reconcile();
    expect(healed).toContain(`${id}: its workflow was missing and was started`);
    expect(await statusOf(id)).toBe('RUNNING');
  });

  it('wakes a workflow that missed its due instant, and reports it', async () => {
    const { id } = await hostedModel(world, await world.account());
    await expect.poll(() => isWaiting(id), { timeout: 20_000 }).toBe(true);
    await world.db.pool.query(`UPDATE task_models SET expires_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    const { problems } = await reconcile();
    expect(problems.join('\n')).toMatch(
      new RegExp(`${id}: "Expires" was due .*; its workflow was running and was woken`),
    );
    await expect.poll(async () => (await stored(world, id))?.status, { timeout: 20_000 }).toBe('expired');
  });

  it('names the row if an invariant of the ledger fails', async () => {
    const account = await world.account();
    await world.db.admin.query('UPDATE wallets SET balance = balance + 1 WHERE account_id = $1', [account]);
    expect((await reconcile()).problems.join('\n')).toContain(account);
    await world.db.admin.query('UPDATE wallets SET balance = balance - 1 WHERE account_id = $1', [account]);
  });

  it('finds nothing if nothing differs', async () => {
    await world.db.pool.query('DELETE FROM request_leases');
    expect((await reconcile()).problems).toEqual([]);
  });
});

describe('the sweep', () => {
  it('removes old staged signals; the daily run removes old objects without an owner; objects in use stay', async () => {
    const { id } = await collectingModel(world, await world.account());
    const orphan = modelId();
    const staged = named.staged({ modelId: orphan, jobId: 'job' }, new Date());
    for (const name of [staged, `features/${orphan}/1`, `fits/${orphan}/job/report`, `models/${orphan}/job`])
      await world.objects.put(name, new Uint8Array([1]));
    await sweepAt(Date.now());
    expect((await objectNames(world)).filter((name) => name.includes(orphan))).toHaveLength(4);
    await sweepAt(Date.now() + 11 * minute);
    expect(await objectNames(world)).not.toContain(staged);
    const at = Date.now() + 61 * minute;
    const { healed }: ReconcileReport = await new MockActivityEnvironment().run(world.activities.tidyObjects, { at });
    expect(healed).toContain('3 objects without an owner removed');
    expect(await objectNames(world)).toContain(`features/${id}/1`);
  });

  it('undoes a create whose process died before its job was recorded, but not a recent one', async () => {
    const account = await world.account();
    const before = await balance(world.db.pool, account);
    const id = modelId();
    const at = new Date();
    await transaction(world.db.pool, async (sql) => {
      await reserve(sql, { accountId: account, mode: 'live', modelId: id, at });
      await insertFitting(sql, newModel(id, account, 'live', at));
    });
    await sweepAt(Date.now());
    expect((await balance(world.db.pool, account)).held).toBe(createCost);
    await sweepAt(Date.now() + 16 * minute);
    expect(await balance(world.db.pool, account)).toEqual(before);
    expect(await stored(world, id)).toBeNull();
  });
});

describe('the preparations of a worker', () => {
  it('creates the schedules once, however often it starts', async () => {
    try {
      await ensureSchedules(world.client, world.taskQueue);
      await ensureSchedules(world.client, world.taskQueue);
      for (const scheduleId of Object.values(temporalNames.schedules)) {
        const { action, policies } = await world.client.schedule.getHandle(scheduleId).describe();
        expect(action).toMatchObject({ type: 'startWorkflow', workflowType: 'reconcile' });
        expect(policies.overlap).toBe('SKIP');
      }
    } finally {
      for (const scheduleId of Object.values(temporalNames.schedules))
        await world.client.schedule.getHandle(scheduleId).delete();
    }
  });

  it('registers exactly the search attributes that the workflow writes, without texts of the caller', () => {
    const written = [
      ...searchAttributesOf({ accountId: 'a', status: 'active', taskKind: 'motor', mode: 'live' }),
      ...referenceAttributesOf('eegmmidb', 'ready'),
    ].map(({ key }) => key.name);
    expect(written).toEqual([...searchAttributeNames]);
  });
});
