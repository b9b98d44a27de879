import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { costOf, missingOf } from '../../clients/dashboard/models/create/cost.ts';
import { beganBefore } from '../../clients/dashboard/models/file/pay-once.ts';
import { startReader, type Reader } from '../../clients/dashboard/models/file/reader.ts';
import { sendCreate, sendFit } from '../../clients/dashboard/models/file/send.ts';
import type { CutSummary } from '../../clients/dashboard/models/file/tasks.ts';

const reader: Reader = {
  open: () => Promise.reject(new Error('not asked')),
  describe: () => Promise.reject(new Error('not asked')),
  preview: () => Promise.reject(new Error('not asked')),
  eventBeside: () => Promise.reject(new Error('not asked')),
  cut: () => Promise.reject(new Error('not asked')),
  create: () => Promise.resolve('{"x":1}'),
  batch: (index) => Promise.resolve(`{"batch":${index}}`),
  planLabels: () => Promise.reject(new Error('not asked')),
  labelBody: () => Promise.reject(new Error('not asked')),
  envelope: () => Promise.reject(new Error('not asked')),
  close: () => undefined,
};
const details = { name: null, description: 'fists', expires_at: null, baselineSeconds: null };
const model = { id: 'clf_1', status: 'collecting' };

/** What was asked, with the key of each; the answers are given in turn. */
let asked: [path: string, key: string | undefined][];
let answers: [status: number, body: unknown][];
const refusal = (status: number, code: string): [number, unknown] => [
  status,
  { type: 'invalid_request_error', code, message: code, field: '', alternatives: [], details: { request_id: '' } },
];

const create = (batches = 2) => sendCreate(reader, { mode: 'live', details, batches, onStep: () => undefined });

beforeEach(() => {
  asked = [];
  const kept: Record<string, string> = Object.create({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => void delete kept[key],
  });
  vi.stubGlobal('sessionStorage', kept);
  vi.stubGlobal('fetch', (path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push([path.replace('/dashboard/api/v1/task-models', ''), headers['idempotency-key']]);
    const [status, body] = answers.shift()!;
    return Promise.resolve(Response.json(body, { status }));
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a create in batches', () => {
  it.each([
    [401, 'UNAUTHENTICATED'],
    [402, 'INSUFFICIENT_CREDIT'],
    [402, 'BUDGET_EXCEEDED'],
    [429, 'USAGE_CAP_EXCEEDED'],
    [422, 'INVALID_REQUEST'],
  ])('refused halfway with %i %s, it continues later under the same keys', async (status, code) => {
    answers = [[201, model], refusal(status, code)];
    await expect(create()).rejects.toMatchObject({ status });
    expect(beganBefore()).toBe(true);
    answers = [
      [201, model],
      [201, {}],
      [200, { ...model, status: 'active' }],
    ];
    expect(await create()).toMatchObject({ status: 'active' });
    expect(asked.map(([path]) => path)).toEqual(['', '/clf_1/trials', '', '/clf_1/trials', '/clf_1/fit']);
    expect(asked.slice(2, 4)).toEqual(asked.slice(0, 2));
    expect(beganBefore()).toBe(false);
  });

  it('refused at once, it stores no key, unless credit or a new sign-in fixes it', async () => {
    answers = [refusal(422, 'INVALID_REQUEST')];
    await expect(create()).rejects.toMatchObject({ status: 422 });
    expect(beganBefore()).toBe(false);
    answers = [refusal(402, 'INSUFFICIENT_CREDIT')];
    await expect(create(1)).rejects.toMatchObject({ status: 402 });
    expect(beganBefore()).toBe(true);
  });

  it('names the amount that the balance lacks for the whole create', () => {
    const cut = { batches: [99, 99], windows: 198 } as unknown as CutSummary;
    const { now } = costOf({ create_usd: '1.00' }, cut);
    expect(now).toBe('2.594');
    expect(missingOf(now, '2.50')).toBe('0.094');
    expect(missingOf(now, '-1.00')).toBe('3.594');
    expect(missingOf(now, '2.594')).toBeNull();
    expect(missingOf(costOf({ create_usd: '0.00' }, cut).now, '0.00')).toBeNull();
  });

  it('that still collects is fitted with a separate key', async () => {
    answers = [[200, { ...model, status: 'active' }]];
    expect(await sendFit('clf_1', 'test', 'mine')).toMatchObject({ status: 'active' });
    expect(asked).toEqual([['/clf_1/fit', 'mine']]);
  });
});

it('a closed reader fails pending and later calls', async () => {
  const terminate = vi.fn<() => void>();
  const Silent = class {
    addEventListener = (): void => undefined;
    postMessage = (): void => undefined;
    terminate = terminate;
  };
  vi.stubGlobal('Worker', Silent);
  const own = startReader();
  const waits = own.batch(1);
  const failed = expect(waits).rejects.toThrow('no longer open');
  await vi.dynamicImportSettled();
  own.close();
  await failed;
  await expect(own.batch(2)).rejects.toThrow('no longer open');
  expect(terminate).toHaveBeenCalledOnce();
});
