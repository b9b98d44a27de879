import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  listPage,
  estimate as estimateSchema,
  batchAnswer,
  usage as usageSchema,
} from '../../api/contract/responses.ts';
import { taskModel } from '../../infra/contract/task-model-resource.ts';
import { newAccount, newKey, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { channels, createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(() => api.close());

const path = '/v1/task-models';
const post = (url: string, body?: unknown, headers: Record<string, string> = {}, key = account.key) =>
  send(api.app, key, 'POST', url, body, headers);
const signalOf = (change: Record<string, unknown> = {}) => {
  const { description: _description, labels: _labels, ...signal } = createBody(change);
  return signal;
};

describe('an immediate create', () => {
  it('answers 201 with an active model, its report, its cost and Location, and charges 2.00 once', async () => {
    const { key } = await newAccount(api.database);
    const reply = await post(path, createBody({ name: 'mine' }), {}, key);
    expect(reply.status, reply.text).toBe(201);
    expect(taskModel.parse(reply.body)).toMatchObject({
      object: 'task_model',
      status: 'active',
      name: 'mine',
      classes: ['left', 'right'],
      cost: { usd: '2.00' },
    });
    expect(reply.headers.location).toBe(`${path}/${reply.body.id}`);
    expect(reply.body.training_report.chance).toBe(0.5);
    expect(reply.body.paid_through - reply.body.created).toBe(30 * 86_400);
    expect(reply.body.signal).toMatchObject({ sampling_rate_hz: 100, resampled_to_hz: 256, trials: 12 });
    const read = await send(api.app, key, 'GET', reply.headers.location);
    expect(taskModel.parse(read.body).id).toBe(reply.body.id);
    const { body } = await send(api.app, key, 'GET', '/v1/usage');
    expect(usageSchema.parse(body).month).toMatchObject({
      usd: '2.00',
      task_model_create_usd: '1.00',
      task_model_hosting_usd: '1.00',
    });
  });

  it('with a test key charges nothing', async () => {
    const { accountId } = await newAccount(api.database);
    const { key } = await newKey(api.database, accountId, { mode: 'test' });
    const reply = await post(path, createBody(), {}, key);
    expect([reply.status, reply.body.test, reply.body.cost.usd, reply.body.next_charge_at]).toEqual([
      201,
      true,
      '0.00',
      null,
    ]);
    const { rows } = await api.database.pool.query(
      `SELECT FROM ledger_transactions WHERE account_id = $1 AND kind <> 'credit.free'`,
      [accountId],
    );
    expect(rows).toHaveLength(0);
  });

  it('is refused with 402 when the balance cannot cover 2.00, and leaves nothing behind', async () => {
    const { key, accountId } = await newAccount(api.database);
    for (let i = 0; i < 2; i++) expect((await post(path, createBody(), {}, key)).status).toBe(201);
    const refused = await post(path, createBody(), {}, key);
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_CREDIT']);
    expect(refused.body.message).toContain('2.00');
    const dry = await post(path, createBody({ dry_run: true }), {}, key);
    expect([dry.status, dry.body.code]).toEqual([402, 'INSUFFICIENT_CREDIT']);
    const { rows } = await api.database.pool.query('SELECT FROM task_models WHERE account_id = $1', [accountId]);
    expect(rows).toHaveLength(2);
  });

  it('of a refused task is TASK_UNSUPPORTED with the evidence, also as an estimate', async () => {
    for (const dry_run of [false, true]) {
      const reply = await post(path, createBody({ description: 'emotion recognition: happy or sad', dry_run }));
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'TASK_UNSUPPORTED', 'description']);
      expect(reply.body.message.toLowerCase()).toContain('emotion');
    }
  });

  it('of a refused task leaves no trials, and without enough credit stages none', async () => {
    const stage = vi.spyOn(api.deps.threads, 'stage');
    const staged = () => api.deps.objects.list('staged/');
    const before = await staged();
    const refusedTask = createBody({ description: 'emotion recognition: happy or sad' });
    expect((await post(path, refusedTask)).body.code).toBe('TASK_UNSUPPORTED');
    expect(stage).toHaveBeenCalledOnce();
    expect(await staged()).toEqual(before);

    const { key } = await newAccount(api.database);
    for (let i = 0; i < 2; i++) await post(path, createBody(), {}, key);
    stage.mockClear();
    expect((await post(path, refusedTask, {}, key)).body.code).toBe('TASK_UNSUPPORTED');
    expect((await post(path, createBody(), {}, key)).body.code).toBe('INSUFFICIENT_CREDIT');
    expect(stage).not.toHaveBeenCalled();
    stage.mockRestore();
  });

  it('stays readable by its own account and key mode only', async () => {
    const { body: model } = await post(path, createBody(), {}, (await newAccount(api.database)).key);
    const stranger = await send(api.app, account.key, 'GET', `${path}/${model.id}`);
    expect([stranger.status, stranger.body.code]).toEqual([404, 'CLASSIFIER_NOT_FOUND']);
  });
});

describe('an estimate', () => {
  it('reports cost, candidates and warnings, fits and charges nothing', async () => {
    const reply = await post(path, createBody({ dry_run: true }));
    expect(reply.status, reply.text).toBe(200);
    expect(estimateSchema.parse(reply.body)).toMatchObject({
      create_usd: '1.00',
      hosting_usd_per_month: '1.00',
      batch_usd: '0.00',
      trials_per_class: { left: 6, right: 6 },
    });
    expect(reply.body.warnings.join(' ')).toContain('left 6, right 6');
    expect(reply.body.candidates.length).toBeGreaterThan(0);
    expect((await post(path, createBody({ dry_run: true, defer_fit: true }))).body.batch_usd).toBe('0.036');
  });

  it('counts against the daily allowance', async () => {
    const { key } = await newAccount(api.database, { limits: { dailyEstimates: 2 } });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push(await post(path, createBody({ dry_run: true }), {}, key));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(statuses[2].body.code).toBe('USAGE_CAP_EXCEEDED');
    expect(Number(statuses[2].headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(statuses[2].headers['retry-after'])).toBeLessThanOrEqual(86_400);
  });
});

describe('a zero-shot request', () => {
  const body = {
    mode: 'zero_shot',
    description: 'eyes closed versus eyes open at rest',
    classes: ['closed', 'open'],
    channels: ['O1', 'O2'],
    sampling_rate_hz: 250,
    trial_seconds: 4,
  };
  it('is validated', async () => {
    const bad = await post(path, { ...body, classes: ['one'], x: [] });
    expect([bad.status, bad.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(bad.body.details.errors.map((error: any) => error.field).sort()).toEqual(['classes', 'x']);
    expect((await post(path, { ...body, description: 'emotion: calm or sad' })).body.code).toBe('TASK_UNSUPPORTED');
  });
});

describe('the list', () => {
  it('pages newest first through collecting and active models', async () => {
    const { accountId } = await newAccount(api.database);
    const { key } = await newKey(api.database, accountId, { mode: 'test' });
    const made: string[] = [];
    for (let i = 0; i < 5; i++)
      made.unshift((await post(path, createBody({ defer_fit: true, name: String(i) }), {}, key)).body.id);
    await send(api.app, key, 'DELETE', `${path}/${made[2]}`);
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page: any = (await send(api.app, key, 'GET', `${path}?limit=2${before ? `&before=${before}` : ''}`)).body;
      expect(listPage.parse(page).data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map((model: any) => model.id));
      before = page.next_before;
    } while (before);
    expect(seen).toEqual(made.filter((_, i) => i !== 2));
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['before=7', 'before'],
    [`before=clf_${'0'.repeat(32)}`, 'before'],
    ['page=2', 'page'],
  ])('refuses ?%s', async (query, field) => {
    const reply = await send(api.app, account.key, 'GET', `${path}?${query}`);
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', field]);
  });
});

describe('PATCH and DELETE', () => {
  it('rename, set and clear the expiry, and delete twice with 200', async () => {
    const { body: model } = await post(path, createBody({ defer_fit: true, expires_in_days: 3 }));
    expect(model.expires_at - model.created).toBe(3 * 86_400);
    const url = `${path}/${model.id}`;
    const patch = (body: unknown) => send(api.app, account.key, 'PATCH', url, body);
    expect((await patch({ name: 'new' })).body).toMatchObject({ name: 'new', expires_at: model.expires_at });
    expect((await patch({ expires_at: '2999-01-02' })).body).toMatchObject({
      name: 'new',
      expires_at: Date.UTC(2999, 0, 2) / 1000,
    });
    const naive = await patch({ expires_at: '2999-01-02T03:04:05' });
    expect(naive.body.expires_at).toBe(Date.UTC(2999, 0, 2, 3, 4, 5) / 1000);
    expect(naive.body.warnings.join()).toContain('read as UTC');
    const cleared = await patch({ expires_at: null, name: null });
    expect(cleared.body).toMatchObject({ name: null, expires_at: null });
    expect(cleared.body.warnings).toBeUndefined();
    for (const bad of [{ expires_at: '2020-01-01' }, { expires_at: 'tomorrow' }, { colour: 1 }, [], 'x{']) {
      const reply = await patch(bad);
      expect([reply.status, reply.body.code]).toEqual([422, 'INVALID_REQUEST']);
    }
    for (let i = 0; i < 2; i++) {
      const deleted = await send(api.app, account.key, 'DELETE', url);
      expect([deleted.status, taskModel.parse(deleted.body).status]).toEqual([200, 'deleted']);
    }
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/fit'],
      ['POST', '/trials'],
      ['POST', '/predictions'],
    ] as const) {
      const gone = await send(api.app, account.key, method, url + suffix, method === 'GET' ? undefined : {});
      expect([method + suffix, gone.status, gone.body.code, gone.body.details.status]).toEqual([
        method + suffix,
        404,
        'CLASSIFIER_NOT_FOUND',
        'deleted',
      ]);
    }
    const unknown = await send(api.app, account.key, 'DELETE', `${path}/clf_${'0'.repeat(32)}`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'CLASSIFIER_NOT_FOUND']);
  });
});

describe('a deferred fit', () => {
  it('collects batches in any channel order, is refused while trials are few, then is fitted', async () => {
    const few = labels.map((label, trial) => (trial === 0 ? label : 'right'));
    const first = await post(path, createBody({ defer_fit: true, labels: few }));
    expect([first.status, first.body.status, first.body.cost]).toEqual([
      201,
      'collecting',
      { usd: '0.036', windows: 12 },
    ]);
    expect(first.body.fit_before - first.body.created).toBe(7 * 86_400);
    const url = `${path}/${first.body.id}`;
    const early = await post(`${url}/fit`);
    expect([early.status, early.body.code]).toEqual([422, 'TOO_FEW_TRIALS']);
    expect(early.body.message).toContain('"left" 1');
    const batch = await post(`${url}/trials`, { ...signalOf({ channels: [...channels].reverse() }), labels });
    expect(batch.status, batch.text).toBe(200);
    expect(batchAnswer.parse(batch.body)).toMatchObject({
      status: 'collecting',
      trials_per_class: { left: 7, right: 17 },
      batches: 2,
      cost: { usd: '0.036', windows: 12 },
    });
    const wrong = await post(`${url}/trials`, { ...signalOf({ channels: ['C3', 'Cz', 'Pz'] }), labels });
    expect([wrong.status, wrong.body.field]).toEqual([422, 'channels']);
    expect(wrong.body.message).toMatch(/C4.*Pz/s);
    const long = await post(`${url}/trials`, { ...signalOf({ x: nested(12, 3, 90) }), labels });
    expect([long.status, long.body.field]).toEqual([422, 'x']);
    expect(long.body.message).toMatch(/0\.9.*0\.8/s);
    const fitted = await post(`${url}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    expect(taskModel.parse(fitted.body)).toMatchObject({ status: 'active', cost: { usd: '2.00' } });
    expect(fitted.body.training_report.balanced_accuracy).toBeGreaterThanOrEqual(0);
    for (const [suffix, body] of [
      ['/fit', undefined],
      ['/trials', { ...signalOf(), labels }],
    ] as const) {
      const again = await post(url + suffix, body);
      expect([again.status, again.body.code]).toEqual([422, 'INVALID_REQUEST']);
      expect(again.body.message).toContain('active');
    }
  });
});

it('logs no fault in any of this', () => {
  expect(api.logged).toEqual([]);
});
