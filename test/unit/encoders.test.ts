import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { createEncoders, type CallLimits, type EncodeCall } from '../../infra/encoders/index.ts';
import type { EncoderTasks } from '../../infra/encoders/entry.ts';
import type { ThreadPool } from '../../infra/drivers/threads/index.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';

type Tensors = Readonly<Record<string, GraphTensor>>;
const hash = 'a'.repeat(64);
const held = [{ id: 'robust-sleep-net', hash, path: '/secret/folder/best_model.gz' }];
const tensor = (...values: number[]): GraphTensor => ({ dims: [values.length], data: Float32Array.from(values) });

/** A pool whose tasks do what a test says, and the tasks that it was asked for. */
function fakePool(does: { load?: () => Promise<number>; run?: (inputs: Tensors) => Promise<Tensors> } = {}) {
  const asked: string[] = [];
  const transfers: unknown[] = [];
  let closed = false;
  const pool = {
    async run(task: 'load' | 'run', payload: { inputs: Tensors }, options: { transfer?: unknown[] } = {}) {
      asked.push(task);
      transfers.push(...(options.transfer ?? []));
      return task === 'load' ? await (does.load?.() ?? 1) : await (does.run?.(payload.inputs) ?? payload.inputs);
    },
    async close() {
      closed = true;
    },
  };
  return { pool: pool as unknown as ThreadPool<EncoderTasks>, asked, transfers, isClosed: () => closed };
}

const open: { close(): Promise<void> }[] = [];
afterEach(async () => await Promise.all(open.splice(0).map((each) => each.close())));

/** What threads of pools ask for. */
function encoders(pool: ThreadPool<EncoderTasks>, limits: CallLimits = {}) {
  const made = createEncoders({ held, pool });
  open.push(made);
  const encode = made.servicesFor(limits)['encode'] as unknown as (call: EncodeCall) => Promise<Tensors>;
  return async (change: Partial<EncodeCall> = {}) =>
    await encode({ id: 'robust-sleep-net', hash, graph: 'epochs', inputs: { z: tensor(1, 2) }, ...change });
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

  it('lets a caller come again while it lasts, and goes on meanwhile', async () => {
    const loading = Promise.withResolvers<number>();
    const { pool, asked } = fakePool({ load: () => loading.promise });
    const encode = encoders(pool, { patienceMs: 5 });
    const refused = await refusalOf(encode());
    expect(refused).toMatchObject({ code: 'POOL_UNAVAILABLE', status: 503, retryAfterSeconds: 2 });
    expect(refused.message).toBe('The encoder robust-sleep-net is being loaded. Send the request again.');
    loading.resolve(1);
    expect([...(await encode()).z!.data]).toEqual([1, 2]);
    expect(asked).toEqual(['load', 'run']);
  });

  it('that fails is told to all who wait, its reason to the log alone, and tried again by the next call', async () => {
    let times = 0;
    const changed = new Error('/secret/folder/best_model.gz has changed');
    const { pool, asked } = fakePool({ load: () => (++times === 1 ? Promise.reject(changed) : Promise.resolve(1)) });
    const encode = encoders(pool, { patienceMs: 10_000 });
    for (const refused of await Promise.all([refusalOf(encode()), refusalOf(encode())])) {
      expect(refused).toMatchObject({ code: 'BACKEND_FAILURE', status: 502, cause: changed });
      expect(refused.message).toBe(cannotBeUsed('it cannot be loaded'));
    }
    expect([...(await encode()).z!.data]).toEqual([1, 2]);
    expect(asked).toEqual(['load', 'load', 'run']);
  });

  it('that fails when nobody waits any more ends nothing', async () => {
    const loading = Promise.withResolvers<number>();
    const { pool } = fakePool({ load: () => loading.promise });
    const encode = encoders(pool, { patienceMs: 1 });
    await refusalOf(encode());
    loading.reject(new Error('too late'));
    expect(await refusalOf(encode())).toMatchObject({
      code: expect.stringMatching(/BACKEND_FAILURE|POOL_UNAVAILABLE/),
    });
  });
});

describe('running', () => {
  it('is refused where too many calls wait or run, and not once they have ended', async () => {
    const running = Promise.withResolvers<void>();
    const { pool } = fakePool({ run: (inputs) => running.promise.then(() => inputs) });
    const encode = encoders(pool, { mostCalls: 2 });
    const two = [encode(), encode()];
    const refused = await refusalOf(encode());
    expect(refused).toMatchObject({ code: 'POOL_SATURATED', status: 503, retryAfterSeconds: 1 });
    expect(refused.message).toContain('2 calls wait or run');
    running.resolve();
    await Promise.all(two);
    await Promise.all([encode(), encode()]);
  });

  it('is counted for each part of the process by itself; all share what is loaded', async () => {
    const running = Promise.withResolvers<void>();
    const { pool, asked } = fakePool({ run: (inputs) => running.promise.then(() => inputs) });
    const made = createEncoders({ held, pool });
    const [api, worker] = [made.servicesFor({ mostCalls: 1 }), made.servicesFor()].map(
      ({ encode }) => encode as unknown as (call: EncodeCall) => Promise<Tensors>,
    );
    const call = () => ({ id: 'robust-sleep-net', hash, graph: 'epochs', inputs: { z: tensor(1) } });
    const begun = [worker!(call()), worker!(call()), api!(call())];
    expect((await refusalOf(api!(call()))).code).toBe('POOL_SATURATED');
    running.resolve();
    await Promise.all(begun);
    expect(asked).toEqual(['load', 'run', 'run', 'run']);
    await made.close();
  });

  it('counts calls that were refused no longer', async () => {
    const { pool } = fakePool({ run: () => Promise.reject(new Error('no')) });
    const encode = encoders(pool, { mostCalls: 1 });
    for (let i = 0; i < 3; i += 1) expect(await refusalOf(encode())).toMatchObject({ code: 'BACKEND_FAILURE' });
  });

  it('that fails is told without its reason, which the log has', async () => {
    const cause = new Error('Got invalid dimensions for input: z at /secret/folder');
    const { pool } = fakePool({ run: () => Promise.reject(cause) });
    const refused = await refusalOf(encoders(pool)());
    expect(refused).toMatchObject({ code: 'BACKEND_FAILURE', cause });
    expect(refused.message).toBe(cannotBeUsed('it failed on these trials'));
  });

  it('is refused for weights that are not here, of another encoder or another file', async () => {
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

it('starts no thread that nobody asks for, and ends the one it has with the process', async () => {
  await createEncoders({ held }).close();
  const { pool, isClosed } = fakePool();
  await createEncoders({ held, pool }).close();
  expect(isClosed()).toBe(true);
});
