import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs, limits } from '../../infra/contract/limits.ts';
import { resume, suspend } from '../../infra/records/accounts/accounts.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { attemptLimits } from '../../infra/records/accounts/attempts.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { base64, createBody, nested } from '../support/requests.ts';
import { signedInAccount, type SignedIn } from '../support/two-accounts.ts';

let api: TestApi;
let ann: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  [ann, bob] = [await signedInAccount(api, 'ann'), await signedInAccount(api, 'bob')];
  const gift = { accountId: ann.accountId, amount: 100_000_000n, source: 'operator', at: new Date() } as const;
  await transaction(api.database.pool, (sql) => credit(sql, gift));
});
afterAll(() => api.close());

const fileNames = ['S001R04.edf', 'S001 (2).edf'];
const secretName = 'The name of the model';

/** A model whose sessions are files, as the account pages send them. */
async function createModel(change: object = {}): Promise<string> {
  const labels = Array.from({ length: 24 }, (_, i) => (i % 2 ? 'right' : 'left'));
  const made = await send(api.app, ann.key, 'POST', '/v1/task-models', {
    ...createBody({ x: base64([...nested(), ...nested()]), shape: [24, 3, 80], labels, name: secretName }),
    sessions: labels.map((_, i) => fileNames[i < 12 ? 0 : 1]),
    ...change,
  });
  expect([made.status, made.body.message]).toEqual([201, undefined]);
  return made.body.id;
}

const share = ({ browser }: SignedIn, id: string): Promise<Reply> => browser.post(`/models/${id}/shares`);
const open = (path: string, accept = 'text/html', address = '127.0.0.1') =>
  api.app.inject({ url: path, headers: { accept }, remoteAddress: address });
const reportOf = (path: string) => open(`/dashboard/api${path}`, 'application/json');
const codes = async (path: string): Promise<number[]> => [
  (await open(path)).statusCode,
  (await reportOf(path)).statusCode,
];

it('a link shows the report without an account, and only its hash is stored', async () => {
  const id = await createModel();
  const made = await share(ann, id);
  expect([made.status, Object.keys(made.body).sort()]).toEqual([201, ['created', 'path', 'share_id']]);
  expect(made.body.path).toMatch(/^\/shared\/[\w-]{22}$/);
  const token = made.body.path.slice('/shared/'.length);
  const { rows } = await api.database.admin.query(
    `SELECT encode(token_hash, 'hex') AS hash, s::text AS whole FROM share_links s WHERE id = $1`,
    [made.body.share_id],
  );
  expect(rows[0].hash).toBe(createHash('sha256').update(token).digest('hex'));
  expect(rows[0].whole).not.toContain(token);
  const page = await open(made.body.path);
  expect(page.statusCode).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  expect(page.body).toContain('<meta name="robots" content="noindex, nofollow">');
  const report = await reportOf(made.body.path);
  expect(report.statusCode).toBe(200);
  expect(report.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'referrer-policy': 'no-referrer',
  });
  const own = (await send(api.app, ann.key, 'GET', `/v1/task-models/${id}`)).body;
  const { training_report: shown, ...about } = report.json();
  expect(Object.keys(about).sort()).toEqual(
    ['channels', 'classes', 'description', 'fitted', 'sampling_rate_hz', 'seconds_per_trial'].sort(),
  );
  const { validation, ...rest } = own.training_report;
  expect(shown).toEqual({ ...rest, validation: { ...validation, held_out_sessions: [] } });
  expect(validation.held_out_sessions.flat().sort()).toEqual(fileNames.toSorted());
  for (const secret of [id, secretName, ann.email, ann.accountId, ann.keyId, ...fileNames])
    expect(report.body).not.toContain(secret);
  expect(report.body).not.toMatch(/usd|expires|paid|charge/);
  const listed = await ann.browser.get(`/models/${id}/shares`);
  expect(listed.body.data).toEqual([{ share_id: made.body.share_id, created: made.body.created }]);
  expect((await ann.browser.get('/export')).body.models.find((each: { id: string }) => each.id === id)).toMatchObject({
    share_links: listed.body.data,
  });
});

it('the log of the service and its answers never contain the token', async () => {
  const { path } = (await share(ann, await createModel())).body;
  await open(path);
  await ann.browser.post(`/shares/${path.slice(8)}/end`);
  const gone = await open(`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`, 'application/json');
  expect(gone.statusCode).toBe(404);
  expect(gone.body).not.toContain(path.slice(8, -1));
  expect(api.logged.join('\n')).not.toContain(path.slice(8, -1));
});

it('an ended link, and one that never was, answer 404 alike, in a page and to a program', async () => {
  const { path, share_id: share } = (await ann.browser.post(`/models/${await createModel()}/shares`)).body;
  expect(await codes(path)).toEqual([200, 200]);
  expect((await ann.browser.post(`/shares/${share}/end`)).body).toEqual({ share_id: share, ended: true });
  expect(await codes(path)).toEqual([404, 404]);
  const never = `/shared/${'n'.repeat(22)}`;
  const said = async (at: string) => (await open(at, 'application/json')).json().message;
  expect(await said(path)).toBe(await said(never));
  for (const odd of ['/shared/short', `/shared/${'n'.repeat(200)}`, '/shared/%00', '/shared/'])
    expect((await open(odd)).statusCode, odd).toBe(404);
  expect((await ann.browser.post(`/shares/${share}/end`)).status).toBe(404);
});

it('another account can neither make, list nor end a link of a model', async () => {
  const id = await createModel();
  const made = (await share(ann, id)).body;
  expect((await share(bob, id)).status).toBe(404);
  expect((await bob.browser.get(`/models/${id}/shares`)).body.data).toEqual([]);
  expect((await bob.browser.post(`/shares/${made.share_id}/end`)).status).toBe(404);
  expect(await codes(made.path)).toEqual([200, 200]);
  const noToken = await send(
    api.app,
    null,
    'POST',
    `/dashboard/api/models/${id}/shares`,
    {},
    { cookie: ann.browser.cookie },
  );
  expect(noToken.status).toBe(403);
});

it('a link ends with its model, and a paused account shares nothing', async () => {
  const [deleted, expired] = [await createModel(), await createModel()];
  const [first, second] = [(await share(ann, deleted)).body.path, (await share(ann, expired)).body.path];
  await suspend(api.database.pool, ann.accountId, new Date());
  expect([await codes(first), await codes(second)]).toEqual([
    [404, 404],
    [404, 404],
  ]);
  await resume(api.database.pool, ann.accountId);
  expect(await codes(first)).toEqual([200, 200]);
  await send(api.app, ann.key, 'DELETE', `/v1/task-models/${deleted}`);
  await api.database.admin.query('UPDATE task_models SET expires_at = $2 WHERE id = $1', [
    expired,
    new Date(Date.now() - dayMs),
  ]);
  expect([await codes(first), await codes(second)]).toEqual([
    [404, 404],
    [404, 404],
  ]);
  expect((await share(ann, deleted)).status).toBe(404);
  const { rowCount } = await api.database.admin.query('SELECT FROM share_links WHERE model_id = $1', [deleted]);
  expect(rowCount).toBe(0);
});

it('a model that still collects has nothing to share', async () => {
  const id = await createModel({ defer_fit: true });
  expect((await share(ann, id)).status).toBe(404);
});

it('a model has a limited number of links, also when they are made at once', async () => {
  const id = await createModel();
  const made = await Promise.all(Array.from({ length: limits.shareLinksPerModel + 2 }, () => share(ann, id)));
  expect(made.filter(({ status }) => status === 201)).toHaveLength(limits.shareLinksPerModel);
  const refused = made.find(({ status }) => status !== 201)!;
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    422,
    'INVALID_REQUEST',
    `A model has at most ${limits.shareLinksPerModel} share links at one time. End one first.`,
  ]);
});

it('one network asks for shared reports a limited number of times, and others are not affected', async () => {
  const { path } = (await share(ann, await createModel())).body;
  await api.database.admin.query(
    `INSERT INTO account_attempts VALUES ('shared-address', sha256(convert_to('192.0.2.7', 'UTF8')), $1,
       now() + interval '10 minutes')`,
    [attemptLimits['shared-address'].most - 1],
  );
  expect((await open(path, 'text/html', '192.0.2.7')).statusCode).toBe(200);
  const refused = await open(path, 'application/json', '192.0.2.7');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await open(path, 'text/html', '192.0.2.8')).statusCode).toBe(200);
});
