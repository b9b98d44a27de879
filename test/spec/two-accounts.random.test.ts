import { afterAll, beforeAll, expect, it } from 'vitest';
import { routes as pageRoutes } from '../../api/account/routes/routes.ts';
import { v1Routes } from '../../api/routes/routes.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { actions, remember, walkerOf, type Action, type Step, type Walker } from '../support/account-walk.ts';
import { startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { runs, seed } from '../support/counts.ts';

let api: TestApi;
let walkers: readonly [Walker, Walker];
const random = createRandom(seed());
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  walkers = [await walkerOf(api, 'ann'), await walkerOf(api, 'bob')];
  for (const { accountId, name } of walkers) {
    const gift = { accountId, amount: 100_000_000_000n, source: 'operator', note: `words-of-${name}` } as const;
    await transaction(api.database.pool, (sql) => credit(sql, { ...gift, at: new Date() }));
  }
});
afterAll(() => api.close());

it('the walk knows every route of the public interface and of the account pages', () => {
  const known = new Set(actions.map(({ route }) => route));
  const there = [
    ...v1Routes.map(({ operation: { method, path } }) => `${method.toUpperCase()} ${path}`),
    ...pageRoutes.map(({ method, path }) => `${method.toUpperCase()} /dashboard/api${path}`),
  ];
  expect(known).toEqual(new Set(there));
});

const nobodys = {
  model: `clf_${'0'.repeat(32)}`,
  key: '0'.repeat(16),
  job: `job_${'0'.repeat(32)}`,
  share: `00000000-${'0000-'.repeat(3)}${'0'.repeat(12)}`,
} as const;
const unknown = new Set<string>(Object.values(nobodys));

const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

/** An id for the path: mostly one's own, else the other's or nobody's. */
function idFor({ id }: Action, me: Walker, other: Walker): { id: string; foreign: boolean } {
  if (id === undefined) return { id: '', foreign: false };
  const drawn = random();
  const owner = drawn < 0.5 ? me : drawn < 0.85 ? other : null;
  // The key that the walk goes with is not revoked by its owner.
  const ids = (owner?.ids[id] ?? []).filter((each) => each !== me.keyId);
  return ids.length > 0 ? { id: one(ids), foreign: owner === other } : { id: nobodys[id], foreign: false };
}

/** What an answer says, whatever id was asked for, without what is drawn anew for each. */
const saidOf = ({ status, text }: Reply, id: string): unknown => [
  status,
  text.replaceAll(id, 'ID').replaceAll(/req_[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'DRAWN'),
];

function leaksOf(reply: Reply, other: Walker, asked: string): string[] {
  const told = `${reply.text}\n${JSON.stringify(reply.headers)}`;
  return [...other.secrets].filter((secret) => secret !== asked && told.includes(secret));
}

let taken = 0;
async function take(action: Action, me: Walker, other: Walker, signedIn: boolean): Promise<void> {
  const { id, foreign } = idFor(action, me, other);
  // Both accounts draw from the same few keys.
  const headers: Record<string, string> =
    random() < 0.5 ? {} : { 'idempotency-key': `key-${Math.floor(random() * 5)}` };
  const step: Step = { api, me, random, id, signedIn, headers };
  const reply = await action.act(step);
  taken += 1;
  const what = `step ${taken}: ${me.name}, ${action.route}${foreign ? " with the other's id" : ''}`;
  expect(leaksOf(reply, other, foreign ? id : ''), what).toEqual([]);
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500);
  if (foreign) {
    const nobody = nobodys[action.id!];
    const same = { ...step, id: nobody };
    expect(saidOf(reply, id), what).toEqual(saidOf(await action.act(same), nobody));
  }
  remember(me, reply, new Set([...unknown, ...other.secrets]));
}

it('no answer to one account reveals anything of another, whatever both do', async () => {
  const steps = runs(150, 2_000);
  const everyWay = walkers.flatMap((me) => actions.map((action) => ({ action, me })));
  const first = shuffle(Int32Array.from(everyWay.keys()), random);
  for (let n = 0; n < steps; n += 1) {
    const { action, me } = n < first.length ? everyWay[first[n]!]! : one(everyWay);
    await take(action, me, walkers[me === walkers[0] ? 1 : 0], random() < 0.5);
  }
  for (const { ids } of walkers) expect(ids.model.length).toBeGreaterThan(0);
  expect(api.logged).toEqual([]);
}, 1_800_000);

it('the walk detects an answer of one account that is sent to the other', async () => {
  const [ann, bob] = walkers;
  const reply = await ann.browser.get('/export');
  expect(leaksOf(reply, bob, '')).toEqual([]);
  expect(leaksOf(reply, ann, '').length).toBeGreaterThan(3);
});
