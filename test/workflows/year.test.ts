import { describe, expect, it } from 'vitest';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { patchModel } from '../../infra/records/task-models/models.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { createTimeSkippingEnvironment } from '../support/temporal-testing.ts';
import { charges, collectingModel, day, hostedModel, objectNames, stored } from './support/models.ts';
import { setUpWorld, type World } from './support/world.ts';

let world: World;

setUpWorld(createTimeSkippingEnvironment, (made) => {
  world = made;
});

const sleepUntil = async (instant: number): Promise<void> => {
  await world.env.sleep(Math.max(1, instant - (await world.now())));
};
const months = (...days: readonly number[]): string[] => [
  'create_fee 0 day 0',
  ...days.map((at, k) => `hosting ${k + 1} day ${at}`),
];
const everyMonth = (count: number): number[] => Array.from({ length: count }, (_, k) => 30 * k);
const soundBooks = async (): Promise<void> => {
  await sealLedger(world.db.pool);
  expect(await checkLedger(world.db.pool, { at: new Date(await world.now()) })).toMatchObject({
    ok: true,
    problems: [],
  });
};
const patch = async (account: string, id: string, expiresAt: number | null): Promise<void> => {
  await patchModel(world.db.pool, account, id, { expiresAt: expiresAt === null ? null : new Date(expiresAt) });
  await world.jobs.refresh(id);
};
const ended = async (id: string): Promise<string> => (await world.client.workflow.getHandle(id).describe()).status.name;

describe('a year of a hosted model', () => {
  it('charges the create fee once and 13 hosting months, each within seconds of its time', async () => {
    const account = await world.account(20_000_000n);
    const { id, fittedAt } = await hostedModel(world, account);
    await sleepUntil(fittedAt + 365 * day);
    expect(await charges(world, id, fittedAt)).toEqual(months(...everyMonth(13)));
    expect(await stored(world, id)).toMatchObject({ status: 'active', paidThrough: new Date(fittedAt + 390 * day) });
    await soundBooks();
  });

  it('handles an expiry set and cleared, a failed renewal, its recovery, and a deletion in mid-month', async () => {
    const account = await world.account(1_000_000n);
    const { id, fittedAt } = await hostedModel(world, account);

    await sleepUntil(fittedAt + 70 * day);
    await patch(account, id, fittedAt + 100 * day);
    await sleepUntil(fittedAt + 80 * day);
    expect(await stored(world, id)).toMatchObject({ status: 'active', expiresAt: new Date(fittedAt + 100 * day) });
    await patch(account, id, null);
    await sleepUntil(fittedAt + 121 * day);
    expect(await charges(world, id, fittedAt)).toEqual(months(...everyMonth(5)));

    await sleepUntil(fittedAt + 153.5 * day);
    expect(await stored(world, id)).toMatchObject({
      status: 'active',
      unpaidSince: new Date(fittedAt + 150 * day),
      paidThrough: new Date(fittedAt + 150 * day),
    });
    await credit(world.db.pool, {
      accountId: account,
      amount: 3_000_000n,
      source: 'operator',
      at: new Date(await world.now()),
    });
    await sleepUntil(fittedAt + 185 * day);
    expect(await charges(world, id, fittedAt)).toEqual(months(...everyMonth(5), 154, 180));
    expect(await stored(world, id)).toMatchObject({ unpaidSince: null, paidThrough: new Date(fittedAt + 210 * day) });

    await sleepUntil(fittedAt + 200 * day);
    await markDeleted(world.db.pool, account, id, new Date(await world.now()));
    await world.jobs.refresh(id);
    await sleepUntil(fittedAt + 365 * day);
    expect(await charges(world, id, fittedAt)).toHaveLength(8);
    expect(await objectNames(world)).not.toContain(`models/${id}/job`);
    expect(await ended(id)).toBe('COMPLETED');
    await soundBooks();
  });
});

describe('ends of a model', () => {
  it('expires at the chosen second, is not charged any more, and its objects are deleted', async () => {
    const account = await world.account(5_000_000n);
    const { id, fittedAt } = await hostedModel(world, account);
    await patch(account, id, fittedAt + 45 * day);
    await sleepUntil(fittedAt + 45 * day - 60_000);
    expect(await stored(world, id)).toMatchObject({ status: 'active' });
    await sleepUntil(fittedAt + 45 * day + 60_000);
    expect(await stored(world, id)).toMatchObject({ status: 'expired', expiresAt: new Date(fittedAt + 45 * day) });
    await sleepUntil(fittedAt + 100 * day);
    expect(await charges(world, id, fittedAt)).toEqual(months(0, 30));
    expect(await objectNames(world)).not.toContain(`models/${id}/job`);
  });

  it('follows a changed expiry; an expiry at a renewal instant charges nothing', async () => {
    const account = await world.account(5_000_000n);
    const { id, fittedAt } = await hostedModel(world, account);
    await patch(account, id, fittedAt + 10 * day);
    await patch(account, id, fittedAt + 60 * day);
    await sleepUntil(fittedAt + 90 * day);
    expect(await stored(world, id)).toMatchObject({ status: 'expired' });
    expect(await charges(world, id, fittedAt)).toEqual(months(0, 30));
  });

  it('expires after seven unpaid days, with one attempt on each', async () => {
    const account = await world.account();
    const { id, fittedAt } = await hostedModel(world, account);
    // Its months begin a day later, so that the last dollar is the first one's.
    await sleepUntil(fittedAt + day);
    await hostedModel(world, account);
    await sleepUntil(fittedAt + 66 * day);
    expect(await stored(world, id)).toMatchObject({ status: 'active', unpaidSince: new Date(fittedAt + 60 * day) });
    await sleepUntil(fittedAt + 68 * day);
    expect(await stored(world, id)).toMatchObject({ status: 'expired', expiresAt: new Date(fittedAt + 67 * day) });
    await soundBooks();
  });

  it('deletes a collecting model and its features after seven days', async () => {
    const { id, createdAt } = await collectingModel(world, await world.account());
    await sleepUntil(createdAt + 7 * day - 60_000);
    expect(await stored(world, id)).toMatchObject({ status: 'collecting' });
    expect(await objectNames(world)).toContain(`features/${id}/1`);
    await sleepUntil(createdAt + 7 * day + 60_000);
    expect(await stored(world, id)).toMatchObject({ status: 'deleted', deletedAt: new Date(createdAt + 7 * day) });
    expect(await objectNames(world)).not.toContain(`features/${id}/1`);
    expect(await ended(id)).toBe('COMPLETED');
  });

  it('has no waiting workflow after it is deleted, however often DELETE is sent', async () => {
    const account = await world.account(10_000_000n);
    const { id, fittedAt } = await hostedModel(world, account);
    await markDeleted(world.db.pool, account, id, new Date(await world.now()));
    for (let asked = 1; asked <= 2; asked += 1) {
      await world.jobs.refresh(id);
      await sleepUntil(fittedAt + asked * day);
      expect(await stored(world, id)).toMatchObject({ status: 'deleted', cleanup: 'none' });
      expect(await ended(id)).toBe('COMPLETED');
    }
  });

  it('deletes a test model after thirty days and never charges it', async () => {
    const { id, fittedAt } = await hostedModel(world, await world.account(), { mode: 'test' });
    await sleepUntil(fittedAt + 30 * day - 60_000);
    expect(await stored(world, id)).toMatchObject({ status: 'active' });
    await sleepUntil(fittedAt + 30 * day + 60_000);
    expect(await stored(world, id)).toMatchObject({ status: 'deleted' });
    expect(await charges(world, id, fittedAt)).toEqual([]);
  });

  it('starts again for a model whose workflow is gone, and charges the months in between', async () => {
    const account = await world.account(10_000_000n);
    const { id, fittedAt } = await hostedModel(world, account);
    await sleepUntil(fittedAt + day);
    await world.client.workflow.getHandle(id).terminate('test');
    await sleepUntil(fittedAt + 95 * day);
    await world.jobs.refresh(id);
    await sleepUntil(fittedAt + 96 * day);
    expect(await charges(world, id, fittedAt)).toEqual(months(0, 95, 95, 95));
    await soundBooks();
  });
});
