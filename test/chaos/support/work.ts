import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { balance } from '../../../infra/records/ledger/wallet.ts';
import { createJobs, type Jobs } from '../../../api/jobs/jobs.ts';
import { markDeleted } from '../../../infra/records/task-models/transitions.ts';
import { batchFit, stagedFit } from '../../workflows/support/fits.ts';
import { charges, collectingModel, day, hostedModel, objectNames, stored } from '../../workflows/support/models.ts';
import type { World } from '../../workflows/support/world.ts';
import type { Work } from './points.ts';

const waits = { accept: 200_000, answer: 200_000, signal: 20_000 };

/** The same world with the jobs of another task queue. */
export const onQueue = (world: World, taskQueue: string): World & { readonly jobs: Jobs } => ({
  ...world,
  taskQueue,
  jobs: createJobs({ client: world.client, pool: world.db.pool, taskQueue, waits }),
});

const kindsOf = async (world: World, id: string): Promise<string[]> =>
  (await charges(world, id, 0)).map((row) => row.split(' ').slice(0, 2).join(' '));
const objectsOf = async (world: World, id: string): Promise<string[]> =>
  (await objectNames(world)).filter((name) => name.includes(id));

/** Eventually, as a server that comes back and a retried activity need their time. */
async function soon(check: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + 120_000; ; await sleep(500)) {
    const error = await check().then(
      () => null,
      (failure: Error) => failure,
    );
    if (!error) return;
    if (Date.now() > until) throw error;
  }
}

interface Piece {
  /**
   * Starts the work. `end` waits for it and checks what must hold after any death: once charged, nothing lost, nothing
   * left.
   */
  readonly start: (world: World, account: string) => Promise<{ end: () => Promise<void> }>;
}

const fitted = async (
  world: World,
  id: string,
  answer: { status: number; body: string },
  status: number,
): Promise<void> => {
  expect(answer.status, answer.body).toBe(status);
  expect(await kindsOf(world, id)).toEqual(['create_fee 0', 'hosting 1']);
  await soon(async () => {
    expect(await stored(world, id)).toMatchObject({ status: 'active', cleanup: 'none' });
    expect(await objectsOf(world, id)).toEqual([expect.stringContaining(`models/${id}/`)]);
  });
};

export const work: Readonly<Record<Work, Piece>> = {
  create: {
    async start(world, account) {
      const request = await stagedFit(world, account, { key: crypto.randomUUID() });
      const running = world.jobs.runFit(request);
      return {
        async end() {
          const answer = await running;
          await fitted(world, request.modelId, answer, 201);
          const { rows } = await world.db.pool.query(
            'SELECT response_body FROM idempotency_keys WHERE account_id = $1',
            [account],
          );
          expect(rows).toEqual([{ response_body: answer.body }]);
        },
      };
    },
  },
  'failing create': {
    async start(world, account) {
      const request = await stagedFit(world, account);
      const running = world.jobs.runFit({
        ...request,
        candidates: [{ id: 'no-such-method', version: '1', title: 'Gone', family: 'gone' }],
      });
      return {
        async end() {
          expect((await running).status).toBe(422);
          expect(await kindsOf(world, request.modelId)).toEqual([]);
          expect((await balance(world.db.pool, account)).held).toBe(0n);
          await soon(async () => expect(await objectsOf(world, request.modelId)).toEqual([]));
        },
      };
    },
  },
  fit: {
    async start(world, account) {
      const { id } = await collectingModel(world, account);
      await world.objects.deletePrefix(`features/${id}/`);
      const running = world.jobs.runFit(await batchFit(world, id, account));
      return { end: async () => fitted(world, id, await running, 200) };
    },
  },
  renewal: {
    async start(world, account) {
      const { id } = await hostedModel(world, account, { at: Date.now() - 30 * day });
      return {
        end: () =>
          soon(async () => {
            expect(await kindsOf(world, id)).toEqual(['create_fee 0', 'hosting 1', 'hosting 2']);
            expect((await world.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
          }),
      };
    },
  },
  deletion: {
    async start(world, account) {
      const { id } = await hostedModel(world, account);
      await markDeleted(world.db.pool, account, id, new Date());
      await world.jobs.refresh(id);
      return {
        end: () =>
          soon(async () => {
            expect(await stored(world, id)).toMatchObject({ status: 'deleted', cleanup: 'none' });
            expect(await objectsOf(world, id)).toEqual([]);
            expect((await world.client.workflow.getHandle(id).describe()).status.name).toBe('COMPLETED');
          }),
      };
    },
  },
};
