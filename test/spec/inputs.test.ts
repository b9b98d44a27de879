import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount } from '../../infra/records/accounts/accounts.ts';
import { makeLink } from '../../infra/records/accounts/links.ts';
import { setSignUpPolicy } from '../../infra/records/accounts/sign-up.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { createBrowser, type Browser } from '../support/browser.ts';
import { passwordHash } from '../support/password-hash.ts';
import { createBody, labels } from '../support/requests.ts';

const password = 'long enough';
const path = '/v1/task-models';
let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  account = await newAccount(api.database);
  await setSignUpPolicy(api.database.pool, { mode: 'open' });
});
afterAll(() => api.close());

const ask = (method: string, url: string, body?: unknown): Promise<Reply> =>
  send(api.app, account.key, method, url, body);
const failing = ({ status, body }: Reply): unknown[] => [status, body.code, body.field];
const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.org`;

async function signedIn(): Promise<{ browser: Browser; email: string; id: string }> {
  const email = newEmail();
  const hash = await passwordHash();
  const { id } = await transaction(api.database.pool, (sql) =>
    createAccount(sql, { email, passwordHash: hash, acceptTerms: true, at: new Date() }),
  );
  const browser = createBrowser(api.app);
  expect((await browser.post('/sign-in', { email, password })).status).toBe(200);
  return { browser, email, id };
}

describe('a name that occurs twice in a body', () => {
  const twice = (name: string, value: unknown, body: object = {}): string =>
    JSON.stringify({ ...body, [name]: value }).replace(/}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`);

  it('is refused by every route that reads JSON, and creates nothing', async () => {
    const estimate = JSON.stringify(createBody({ dry_run: true })).replace(/}$/, ',"dry_run":false}');
    expect(failing(await ask('POST', path, estimate))).toEqual([422, 'INVALID_REQUEST', 'dry_run']);
    expect((await ask('GET', path)).body.data).toEqual([]);
    const { body: model } = await ask('POST', path, createBody({ defer_fit: true }));
    const { description: _, ...batch } = createBody();
    for (const [method, url, body, field] of [
      ['POST', '/trials', twice('session', 'a', batch), 'session'],
      ['POST', '/predictions', twice('units', 'uV', { ...batch, labels: undefined }), 'units'],
      ['PATCH', '', twice('name', 'mine'), 'name'],
      ['POST', '/fit', '{"a":1,"a":1}', 'a'],
    ] as const) {
      const reply = await ask(method, `${path}/${model.id}${url}`, body);
      // Predictions of a collecting model are refused for that first.
      if (url !== '/predictions') expect(failing(reply), url).toEqual([422, 'INVALID_REQUEST', field]);
      else expect(reply.status).toBe(422);
    }
  });

  it('is refused by the account pages, whose error quotes no value', async () => {
    const { browser } = await signedIn();
    const secret = 'a very secret one';
    const fault = await createBrowser(api.app).post('/sign-up', twice('password', secret, { email: newEmail() }));
    expect(failing(fault)).toEqual([422, 'INVALID_REQUEST', 'password']);
    expect(fault.text).not.toContain('secret');
    expect(failing(await browser.post('/keys', twice('name', 'key', { mode: 'test' })))).toEqual([
      422,
      'INVALID_REQUEST',
      'name',
    ]);
    expect(failing(await browser.post(path, twice('name', 'mine', createBody({ dry_run: true }))))[2]).toBe('name');
  });
});

describe('text that is compared or shown', () => {
  it('is stored and answered in form NFC', async () => {
    const { body } = await ask('POST', path, createBody({ defer_fit: true, name: 'e\u0301' }));
    expect(body.name).toBe('é');
    expect((await ask('PATCH', `${path}/${body.id}`, { name: 'u\u0308' })).body.name).toBe('ü');
  });

  it('holds nothing invisible: names of models, of keys, and addresses', async () => {
    const { body } = await ask('POST', path, createBody({ defer_fit: true }));
    expect(failing(await ask('PATCH', `${path}/${body.id}`, { name: 'a\u202eb' }))).toEqual([
      422,
      'INVALID_REQUEST',
      'name',
    ]);
    const { browser } = await signedIn();
    const reply = await browser.post('/keys', { name: 'lab\u200b', mode: 'test' });
    expect(failing(reply)).toEqual([422, 'INVALID_REQUEST', 'name']);
    expect(reply.body.message).toContain('U+200B (zero width space) at character 4');
    const signUp = await createBrowser(api.app).post('/sign-up', { email: `ada\u2066@example.org`, password });
    expect(failing(signUp)).toEqual([422, 'INVALID_REQUEST', 'email']);
  });
});

describe('labels that differ only in spelling', () => {
  const spelt = (one: string, other: string) => labels.map((_, trial) => (trial % 2 ? one : other));
  const about = /"Rest" and "rest" differ only in case or blanks/;

  it('are named by an estimate, a create, its report and a deferred create', async () => {
    const body = { labels: spelt('rest', 'Rest') };
    expect((await ask('POST', path, createBody({ ...body, dry_run: true }))).body.warnings.join()).toMatch(about);
    const created = await ask('POST', path, createBody(body));
    expect(created.status, created.text).toBe(201);
    expect(created.body.signal.warnings.join()).toMatch(about);
    expect(created.body.training_report.warnings.join()).toMatch(about);
    const deferred = await ask('POST', path, createBody({ ...body, defer_fit: true }));
    expect(deferred.body.signal.warnings.join()).toMatch(about);
  });

  it('are named if a later batch has the other spelling, and in the report of the fit', async () => {
    const first = await ask('POST', path, createBody({ defer_fit: true, labels: spelt('right', 'Rest') }));
    expect(first.body.signal.warnings.join()).not.toMatch(about);
    const { description: _, ...batch } = createBody({ labels: spelt('right', 'rest') });
    const second = await ask('POST', `${path}/${first.body.id}/trials`, batch);
    expect(second.body.signal.warnings.join()).toMatch(about);
    const fitted = await ask('POST', `${path}/${first.body.id}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    expect(fitted.body.training_report.warnings.join()).toMatch(about);
    expect(fitted.body.classes).toHaveLength(3);
  });

  it('are one class if they differ only in the Unicode form, over batches too', async () => {
    const first = await ask('POST', path, createBody({ defer_fit: true, labels: spelt('right', 'é') }));
    const { description: _, ...batch } = createBody({ labels: spelt('right', 'e\u0301') });
    const second = await ask('POST', `${path}/${first.body.id}/trials`, batch);
    expect(second.body.trials_per_class).toEqual({ é: 12, right: 12 });
  });
});

describe('a common password', () => {
  const common = ['password', 'Password1', 'QWERTYUIOP'];

  it('is refused at sign-up, with what to do instead', async () => {
    for (const each of common) {
      const reply = await createBrowser(api.app).post('/sign-up', { email: newEmail(), password: each });
      expect(failing(reply)).toEqual([422, 'INVALID_REQUEST', 'password']);
      expect(reply.body.message).toMatch(/most common ones.*password manager/);
    }
    const named = await createBrowser(api.app).post('/sign-up', {
      email: 'grace.hopper@example.org',
      password: 'Grace.Hopper',
    });
    expect(failing(named)).toEqual([422, 'INVALID_REQUEST', 'password']);
  });

  it('is refused when a password is changed or set by a link, and the link stays valid', async () => {
    const { browser, id } = await signedIn();
    const changed = await browser.post('/password', { current: password, password: 'password' });
    expect(failing(changed)).toEqual([422, 'INVALID_REQUEST', 'password']);
    const { token } = await makeLink(api.database.pool, 'reset', id);
    const reset = await createBrowser(api.app).post('/reset', { token, password: 'iloveyou' });
    expect(failing(reset)).toEqual([422, 'INVALID_REQUEST', 'password']);
    expect((await createBrowser(api.app).post('/reset', { token, password: 'quite another' })).status).toBe(200);
  });
});
