import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { createEncoders, type CallLimits, type EncodeCall } from '../../infra/encoders/create-encoders.ts';
import type { EncodeAnswer } from '../../infra/encoders/sessions.ts';
import type { EncoderTasks } from '../../infra/encoders/entry.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { TaskOwner, Services } from '../../infra/drivers/threads/ask.ts';
import type { RunOptions, ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';

type Tensors = Readonly<Record<string, GraphTensor>>;
const hash = 'a'.repeat(64);
const held = [{ id: 'robust-sleep-net', hash, path: '/secret/folder/best_model.gz' }];
const tensor = (...values: number[]): GraphTensor => ({ dims: [values.length], data: Float32Array.from(values) });

/** A pool whose tasks do what a test says, and the tasks that it was asked for. */
function fakePool(does: { load?: () => Promise<number>; run?: (inputs: Tensors) => Promise<Tensors> } = {}) {
  const asked: string[] = [];
  const transfers: unknown[] = [];
  const accounts: (string | undefined)[] = [];
  let closed = false;
  const pool = {
    async run(task: 'load' | 'run', payload: { inputs: Tensors }, { transfer = [], account }: RunOptions = {}) {
      asked.push(task);
      transfers.push(...transfer);
      accounts.push(account);
      if (task === 'load') return await (does.load?.() ?? 1);
      return { outputs: await (does.run?.(payload.inputs) ?? payload.inputs), seconds: 0.25 };
    },
    async close() {
      closed = true;
    },
  };
  return { pool: pool as unknown as ThreadPool<EncoderTasks>, asked, transfers, accounts, isClosed: () => closed };
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const callOf = ({ encode }: Services) =>
  encode as unknown as (call: EncodeCall, asking: TaskOwner) => Promise<EncodeAnswer>;

/** What threads of pools ask for. */
function encoders(pool: ThreadPool<EncoderTasks>, limits: CallLimits = {}) {
  const made = createEncoders({ weights: held, pool });
  open.push(made);
  const encode = callOf(made.servicesFor(limits));
  return async (change: Partial<EncodeCall> = {}, asking: TaskOwner = {}) => {
    const call = { id: 'robust-sleep-net', hash, graph: 'epochs', inputs: { z: tensor(1, 2) }, ...change };
    const { outputs, seconds } = await encode(call, asking);
    expect(seconds).toBe(0.25);
    return outputs;
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).message).not.toContain('/');
  return error as ApiError;
}
const cannotBeUsed = (why: string): string => `The pretrained encoder robust-sleep-net cannot be used: ${why}.`;

describe('loading', () => {
  it('begins with the first call, and is done once for calls at the same time and later', async () => {
    const loading = Promise.withResolvers<number>();
    const { pool, asked } = fakePool({ load: () => loading.promise });
    const encode = encoders(pool);
    expect(asked).toEqual([]);
    const both = [encode(), encode()];
    loading.resolve(1);
    expect((await Promise.all(both)).map(({ z }) => [...z!.data])).toEqual([
      [1, 2],
      [1, 2],
    ]);
    await encode();
    expect(asked).toEqual(['load', 'run', 'run', 'run']);
  });

  it('asks a caller to retry while it lasts, and continues meanwhile', async () => {
    const loading = Promise.withResolvers<number>();
    const { pool, asked } = fakePool({ load: () => loading.promise });
    const encode = encoders(pool, { maxWaitMs: 5 });
    const refused = await refusalOf(encode());
    expect(refused).toMatchObject({ code: 'POOL_UNAVAILABLE', status: 503, retryAfterSeconds: 2 });
    expect(refused.message).toBe('The encoder robust-sleep-net is being loaded. Send the request again.');
    loading.resolve(1);
    expect([...(await encode()).z!.data]).toEqual([1, 2]);
    expect(asked).toEqual(['load', 'run']);
  });

  it('makes calls wait at most that long in total: later calls are refused at once', async () => {
    const loading = Promise.withResolvers<number>();
    const { pool, asked } = fakePool({ load: () => loading.promise });
    const clock = vi.spyOn(performance, 'now').mockReturnValue(5);
    const encode = encoders(pool, { maxWaitMs: 3_600_000 });
    const waits = encode();
    clock.mockReturnValue(3_600_005);
    for (let i = 0; i < 3; i += 1) expect(await refusalOf(encode())).toMatchObject({ code: 'POOL_UNAVAILABLE' });
    loading.resolve(1);
    expect([...(await waits).z!.data]).toEqual([1, 2]);
    await encode();
    expect(asked).toEqual(['load', 'run', 'run']);
  });

  it('that fails fails for all waiting callers, with its reason only in the log, and is retried by the next call', async () => {
    let times = 0;
    const changed = new Error('/secret/folder/best_model.gz has changed');
    const { pool, asked } = fakePool({ load: () => (++times === 1 ? Promise.reject(changed) : Promise.resolve(1)) });
    const encode = encoders(pool, { maxWaitMs: 10_000 });
    for (const refused of await Promise.all([refusalOf(encode()), refusalOf(encode())])) {
      expect(refused).toMatchObject({ code: 'BACKEND_FAILURE', status: 502, cause: changed });
      expect(refused.message).toBe(cannotBeUsed('it cannot be loaded'));
    }
    expect([...(await encode()).z!.data]).toEqual([1, 2]);
    expect(asked).toEqual(['load', 'load', 'run']);
  });

  it('that fails without waiting callers ends nothing', async () => {
    const loading = Promise.withResolvers<number>();
    const { pool } = fakePool({ load: () => loading.promise });
    const encode = encoders(pool, { maxWaitMs: 1 });
    await refusalOf(encode());
    loading.reject(new Error('too late'));
    expect(await refusalOf(encode())).toMatchObject({
      code: expect.stringMatching(/BACKEND_FAILURE|POOL_UNAVAILABLE/),
    });
  });
});

describe('running', () => {
  it('takes turns between accounts, and between parts of the process; all share loaded encoders', async () => {
    const { pool, asked, accounts } = fakePool();
    const made = createEncoders({ weights: held, pool });
    open.push(made);
    const [api, worker] = [made.servicesFor({ maxWaitMs: 1_000 }), made.servicesFor()].map(callOf);
    const call = () => ({ id: 'robust-sleep-net', hash, graph: 'epochs', inputs: { z: tensor(1) } });
    await api!(call(), { account: 'a' });
    await worker!(call(), { account: 'b' });
    await api!(call(), {});
    await worker!(call(), {});
    expect(asked).toEqual(['load', 'run', 'run', 'run', 'run']);
    expect(accounts).toEqual([undefined, 'a', 'b', 'part 0', 'part 1']);
  });

  it('that fails is reported without its reason, which is in the log', async () => {
    const cause = new Error('Got invalid dimensions for input: z at /secret/folder');
    const { pool } = fakePool({ run: () => Promise.reject(cause) });
    const refused = await refusalOf(encoders(pool)());
    expect(refused).toMatchObject({ code: 'BACKEND_FAILURE', cause });
    expect(refused.message).toBe(cannotBeUsed('it failed on these trials'));
  });

  it('is refused for missing weights, for another encoder and for another file', async () => {
    const { pool, asked } = fakePool();
    const encode = encoders(pool);
    for (const change of [{ hash: 'b'.repeat(64) }, { id: 'labram-base' }]) {
      const refused = await refusalOf(encode(change));
      expect(refused.code).toBe('BACKEND_FAILURE');
      expect(refused.message).toContain(`its weights (${change.hash ?? hash}) are not installed here`);
    }
    expect(asked).toEqual([]);
  });

  it('moves the memory of its inputs, that of two inputs once', async () => {
    const { pool, transfers } = fakePool();
    const encode = encoders(pool);
    const both = Float32Array.from([1, 2, 3, 4]);
    const inputs = { a: { dims: [2], data: both.subarray(0, 2) }, b: { dims: [2], data: both.subarray(2) } };
    await encode({ inputs });
    expect(transfers).toEqual([both.buffer]);
  });
});

describe('a thread of encoders that is lost', () => {
  const lost = (reason: ThreadLost['reason']): ThreadLost => new ThreadLost('A worker thread ended.', { reason });
  const thrownBy = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  it.each(['lost', 'overdue', 'out of memory'] as const)(
    'while it runs (%s): its callers get the failure, and the next call loads the encoder again',
    async (why) => {
      let times = 0;
      const error = lost(why);
      const { pool, asked } = fakePool({
        run: (inputs) => (++times === 2 ? Promise.reject(error) : Promise.resolve(inputs)),
      });
      const encode = encoders(pool);
      await encode();
      expect(await thrownBy(encode())).toBe(error);
      await encode();
      expect(asked).toEqual(['load', 'run', 'run', 'load', 'run']);
    },
  );

  it('while it loads: all waiting callers get the failure, and the next call retries', async () => {
    let times = 0;
    const error = lost('lost');
    const { pool, asked } = fakePool({ load: () => (++times === 1 ? Promise.reject(error) : Promise.resolve(1)) });
    const encode = encoders(pool, { maxWaitMs: 3_600_000 });
    expect(await Promise.all([thrownBy(encode()), thrownBy(encode())])).toEqual([error, error]);
    await encode();
    expect(asked).toEqual(['load', 'load', 'run']);
  });

  it.each(['overdue', 'out of memory'] as const)(
    'because its weights take too much (%s): the weights count as faulty',
    async (why) => {
      const cause = lost(why);
      const { pool } = fakePool({ load: () => Promise.reject(cause) });
      const refused = await refusalOf(encoders(pool)());
      expect(refused).toMatchObject({ code: 'BACKEND_FAILURE', cause });
      expect(refused.message).toBe(cannotBeUsed('it cannot be loaded'));
    },
  );
});

it('starts its thread with the first call, and ends it with the process', async () => {
  await createEncoders({ weights: held }).close();
  const { pool, isClosed } = fakePool();
  await createEncoders({ weights: held, pool }).close();
  expect(isClosed()).toBe(true);
});
