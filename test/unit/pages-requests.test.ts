import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Me } from '../../api/account/contract/responses.ts';
import { actFor, onSignedOut, post } from '../../clients/dashboard/fetch.ts';

const me = (account: string, csrf: string) => ({ account_id: account, csrf }) as unknown as Me;
const oldToken = { code: 'SCOPE_MISSING', message: 'not this page', field: 'x-csrf-token', details: {} };

/** What was asked, with the token of each. */
let asked: string[];
let signedIn: Me | null;
let reloads: number;

beforeEach(() => {
  asked = [];
  reloads = 0;
  actFor(me('acc_1', 'old'));
  vi.stubGlobal('location', { reload: () => void reloads++ });
  vi.stubGlobal('fetch', (path: string, { headers }: { headers: Record<string, string> }) => {
    const token = headers['x-csrf-token'];
    asked.push(`${path.replace('/dashboard/api', '')} ${token}`);
    const unauthenticated = Response.json({ code: 'UNAUTHENTICATED', message: 'gone' }, { status: 401 });
    if (!signedIn) return Promise.resolve(unauthenticated);
    if (path.endsWith('/me')) return Promise.resolve(Response.json(signedIn));
    return Promise.resolve(token === signedIn.csrf ? Response.json({}) : Response.json(oldToken, { status: 403 }));
  });
});
afterEach(() => {
  actFor(null);
  onSignedOut(() => undefined);
  vi.unstubAllGlobals();
});

it('if another tab has signed in again, its token is used and the request sent again', async () => {
  signedIn = me('acc_1', 'new');
  await post('/keys');
  await post('/keys');
  expect(asked).toEqual(['/keys old', '/me undefined', '/keys new', '/keys new']);
  expect(reloads).toBe(0);
});

it('if another tab has signed in to another account, nothing is sent and the page reloads', async () => {
  signedIn = me('acc_2', 'theirs');
  await expect(post('/keys')).rejects.toMatchObject({ status: 403 });
  expect(asked).toEqual(['/keys old', '/me undefined']);
  expect(reloads).toBe(1);
});

it('a refusal of the newest token is passed on, without a retry', async () => {
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(
      path.endsWith('/me') ? Response.json(me('acc_1', 'old')) : Response.json(oldToken, { status: 403 }),
    );
  });
  await expect(post('/keys')).rejects.toMatchObject({ status: 403 });
  expect(asked).toHaveLength(2);
});

it('the end of a session is reported', async () => {
  signedIn = null;
  const heard = vi.fn<() => void>();
  onSignedOut(heard);
  await expect(post('/keys')).rejects.toMatchObject({ status: 401 });
  expect(heard).toHaveBeenCalledOnce();
});
