import type { Random } from '../../ml/random.ts';
import { send, type Reply, type TestApi } from './api.ts';
import { base64, createBody, nested } from './requests.ts';
import { password, signedInAccount, type SignedIn } from './two-accounts.ts';

/** An account that sends requests, and every text that no other account may see. */
export interface Walker extends SignedIn {
  readonly name: string;
  readonly ids: Readonly<Record<IdKind, string[]>>;
  /** Email addresses, texts, and ids of models, keys and requests. */
  readonly secrets: Set<string>;
}

/** Kind of the id in a path. */
export type IdKind = 'model' | 'key' | 'job' | 'share';

export interface Step {
  readonly api: TestApi;
  readonly me: Walker;
  readonly random: Random;
  /** Id in the path: one's own, another account's, or an unknown one. */
  readonly id: string;
  /** The public interface through the session instead of the key. */
  readonly signedIn: boolean;
  /** Of requests of the public interface. */
  readonly headers: Record<string, string>;
}

export interface Action {
  /** Method and route, as in the tables of routes. */
  readonly route: string;
  readonly id?: IdKind;
  readonly act: (step: Step) => Promise<Reply>;
}

export async function walkerOf(api: TestApi, name: string): Promise<Walker> {
  const account = await signedInAccount(api, name);
  const { accountId, email, keyId } = account;
  return {
    ...account,
    name,
    ids: { model: [], key: [keyId], job: [], share: [] },
    secrets: new Set([accountId, email, keyId, `words-of-${name}`, `key of ${name}`]),
  };
}

const trials = { x: base64(nested()), shape: [12, 3, 80] };
const { labels: _labels, description: _description, ...signal } = createBody(trials);

type Body = (step: Step) => object | undefined;
const nothing: Body = () => undefined;

const words = ({ me, random }: Step): string => `words-of-${me.name} ${Math.floor(random() * 1e6)}`;
const named: Body = (step) => ({ name: words(step) });
const create =
  (change: object): Body =>
  (step) =>
    createBody({ ...trials, name: words(step), description: `left or right hand, ${words(step)}`, ...change });

const v1 = (
  method: string,
  path: string,
  body: Body = nothing,
  query = '',
  more: Readonly<Record<string, string>> = {},
): Action => ({
  route: `${method} /v1${path}`,
  ...(path.includes('{model_id}') ? { id: 'model' as const } : {}),
  ...(path.includes('{job_id}') ? { id: 'job' as const } : {}),
  act(step) {
    const { api, me, id, signedIn } = step;
    const headers = { ...step.headers, ...more };
    const url = `/v1${path.replace(/\{(?:model|job)_id\}/, id)}${query}`;
    return signedIn
      ? me.browser.send(method, url, body(step), headers)
      : send(api.app, me.key, method, url, body(step), headers);
  },
});

const page = (method: string, path: string, body: Body = () => ({}), query = ''): Action => ({
  route: `${method} /dashboard/api${path}`,
  ...(path.includes(':key_id') ? { id: 'key' as const } : {}),
  ...(path.includes(':model_id') ? { id: 'model' as const } : {}),
  ...(path.includes(':share_id') ? { id: 'share' as const } : {}),
  act: (step) =>
    step.me.browser.send(
      method,
      path.replace(/:(key|model|share)_id/, step.id) + query,
      method === 'GET' ? undefined : body(step),
    ),
});

/** An action that ends the session is followed by a new sign-in, however often the network repeated it. */
const leaving = (action: Action): Action => ({
  ...action,
  async act(step) {
    const reply = await action.act(step);
    await step.api.database.pool.query('DELETE FROM account_attempts');
    const { status, text } = await step.me.browser.post('/sign-in', { email: step.me.email, password });
    if (status >= 300) throw new Error(`Signing in again: ${status} ${text}`);
    return reply;
  },
});

const nobodysLink = 'n'.repeat(43);
const model = '/task-models/{model_id}';
const job = '/jobs/{job_id}';

/** Every route of the API and of the dashboard, some of them in several ways. */
export const actions: readonly Action[] = [
  v1('GET', '/status'),
  v1('GET', '/usage'),
  v1('GET', '/task-models', nothing, '?limit=2'),
  v1('POST', '/task-models', create({})),
  v1('POST', '/task-models', create({}), '', { prefer: 'respond-async' }),
  v1('POST', '/task-models', create({ defer_fit: true })),
  v1('POST', '/task-models', create({ dry_run: true })),
  v1('POST', '/task-models', create({ units: 'unknown' })),
  v1('GET', model),
  v1('PATCH', model, named),
  v1('POST', `${model}/trials`, () => createBody({ ...trials, description: undefined })),
  v1('POST', `${model}/fit`),
  v1('POST', `${model}/predictions`, () => signal),
  v1('DELETE', model),
  v1('GET', job),
  v1('POST', `${job}/cancel`),
  page('GET', '/door'),
  page('POST', '/sign-up', ({ me }) => ({ email: `new-${me.email}`, password })),
  page('POST', '/sign-in', ({ me: { email } }) => ({ email, password })),
  page('POST', '/reset', () => ({ token: nobodysLink, password })),
  page('POST', '/link', () => ({ token: nobodysLink })),
  page('GET', '/me'),
  page('POST', '/terms', () => ({ version: 'of yesterday' })),
  leaving(page('POST', '/sign-out')),
  leaving(page('POST', '/sign-out-everywhere')),
  page('POST', '/password', () => ({ current: password, password })),
  page('GET', '/keys'),
  page('POST', '/keys', (step) => ({ ...named(step), mode: 'live' })),
  page('POST', '/keys/:key_id/revoke'),
  page('POST', '/keys/:key_id/rotate'),
  page('GET', '/billing', nothing, '?limit=3'),
  page('GET', '/billing.csv'),
  page('GET', '/usage'),
  page('GET', '/requests'),
  page('GET', '/requests', nothing, '?code=refused&limit=3'),
  page('GET', '/limits'),
  page('PATCH', '/limits', ({ random }) => ({ daily_cap_usd: String(1_000 + Math.floor(random() * 100)) })),
  page('GET', '/jobs'),
  page('GET', '/models/:model_id/state'),
  page('GET', '/models/:model_id/shares'),
  page('POST', '/models/:model_id/shares'),
  page('POST', '/shares/:share_id/end'),
  { ...page('GET', '/shared/:token'), act: ({ me }) => me.browser.get(`/shared/${'n'.repeat(22)}`) },
  page('GET', '/export'),
  page('GET', '/close'),
  page('POST', '/close', ({ me: { email } }) => ({ email, password: 'not this one' })),
];

const found = {
  model: /clf_[0-9a-f]{32}/g,
  key: /"key_id":"([0-9A-Za-z]{16})"/g,
  job: /job_[0-9a-f]{32}/g,
  share: /"share_id":"([0-9a-f-]{36})"/g,
} as const;
const most = 12;

/** Records the texts that an account received, so that no other account may receive them. */
export function remember(
  { ids, keyId, secrets }: Walker,
  { text, headers }: Reply,
  unknown: ReadonlySet<string>,
): void {
  secrets.add(String(headers['x-request-id']));
  for (const kind of ['model', 'key', 'job', 'share'] as const)
    for (const match of text.matchAll(found[kind])) {
      const id = match[1] ?? match[0];
      if (secrets.has(id) || unknown.has(id)) continue;
      secrets.add(id);
      ids[kind].push(id);
      if (ids[kind].length > most) ids[kind].splice(kind === 'key' && ids.key[0] === keyId ? 1 : 0, 1);
    }
}
