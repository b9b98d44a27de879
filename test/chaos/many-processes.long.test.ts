import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { prices } from '../../infra/contract/prices.ts';
import { newAccount } from '../support/api.ts';
import { chaosCounts, seed } from '../support/counts.ts';
import { s3StartMs } from '../support/s3-programs.ts';
import { aftermath } from './support/aftermath.ts';
import { startFleet, type Fleet } from './support/fleet.ts';
import { patientCaller } from './support/patient-caller.ts';
import { simpleTask } from './support/simple-tasks.ts';
import { createTenant, type KnownModel, type Tenant } from './support/tenant.ts';
import { startOperator } from './support/operator.ts';
import { makeTrouble } from './support/trouble.ts';
import { limiter } from './support/limiter.ts';

const { accounts, creates, predictions } = chaosCounts();
const given = 1_000_000_000n;
const mostCreatesAtOnce = 6;
/** Of one model: the key of a request whose API was killed is taken for a minute, in which others go on. */
const predictionsAtOnce = 4;
const deletions = 0.1;
const tasks = Array.from({ length: 10 }, (_, at) => simpleTask(seed(), at));

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ apis: 2, workers: 3 });
}, s3StartMs);
afterAll(() => fleet?.stop());

const limits = { rps: 10_000, burst: 100_000, concurrency: 1_000 };

async function newTenants(callers: ReturnType<typeof patientCaller>): Promise<Tenant[]> {
  const { database } = fleet;
  const tenants: Tenant[] = [];
  for (let i = 0; i < accounts; i += 1) {
    const at = new Date();
    const { accountId, key: live } = await newAccount(database, { limits });
    await credit(database.pool, { accountId, amount: given - prices.newAccountCredit, source: 'operator', at });
    const { key: test } = await createKey(database.pool, { accountId, mode: 'test', at });
    const caller = callers.caller(createRandom(seed() + 1_000 + i));
    tenants.push(createTenant(accountId, { live, test }, caller, createRandom(seed() + 2_000 + i)));
  }
  return tenants;
}

/**
 * What one account does: its creates one after another, and beside them the predictions of each model as it is made.
 */
async function live(tenant: Tenant, at: number, creating: ReturnType<typeof limiter>): Promise<void> {
  const random = createRandom(seed() + 3_000 + at);
  const mine = creates / accounts;
  const each = Math.round(predictions / creates);
  const use = async (model: KnownModel): Promise<void> => {
    const few = limiter(predictionsAtOnce);
    const removeAt = random() < deletions ? Math.floor(each / 2) : -1;
    const uses = Array.from({ length: each }, (_, i) =>
      // It is removed while it is used.
      few(() => Promise.all([tenant.predict(model), ...(i === removeAt ? [tenant.remove(model)] : [])])),
    );
    await Promise.all(uses);
  };
  const used: Promise<void>[] = [];
  for (let i = 0; i < mine; i += 1) {
    const model = await creating(() => tenant.create(tasks[Math.floor(tasks.length * random())]!));
    if (model) used.push(use(model));
  }
  await Promise.all(used);
}

/** Reads and writes of objects fail for seconds, and what was written is there afterwards. */
async function killStore(): Promise<string> {
  await fleet.killStore?.();
  return fleet.killStore ? 'the S3 server is killed' : 'no S3 server that could be killed';
}

/** Every input of every model once more: what was answered in trouble is what is answered in calm. */
async function askInCalm(tenant: Tenant): Promise<void> {
  for (const model of tenant.models)
    if (model.deletion === 'none') for (const input of model.answers.keys()) await tenant.predict(model, input);
}

it(
  `${creates} creates and ${predictions} predictions of ${accounts} accounts while processes die: every answer is ` +
    'right, each is charged once, nothing is left',
  { timeout: 1_500_000 },
  async () => {
    const callers = patientCaller(fleet.urls);
    const tenants = await newTenants(callers);
    const trouble = makeTrouble(fleet, createRandom(seed()), [killStore, killStore]);
    const operator = startOperator(fleet.database.pool);
    const creating = limiter(mostCreatesAtOnce);
    const started = performance.now();
    const lives = Promise.all(tenants.map((tenant, at) => live(tenant, at, creating)));
    try {
      await lives;
    } finally {
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stderr.write(
        `${trouble.happened.length} troubles in ${seconds} s:\n${trouble.happened.join('\n')}\n` +
          `${JSON.stringify(Object.fromEntries(callers.seen))}\n`,
      );
      await trouble.stop();
    }

    await Promise.all(tenants.map(askInCalm));
    await operator.stop();
    expect(tenants.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
    const asked = tenants.reduce((sum, { labels }) => sum + labels.asked, 0);
    expect(tenants.reduce((sum, { labels }) => sum + labels.right, 0) / asked).toBeGreaterThan(0.98);
    expect(await aftermath(fleet, tenants, given)).toEqual([]);
    for (const fault of ['500 INTERNAL', '502 BACKEND_FAILURE']) expect(callers.seen.get(fault) ?? 0, fault).toBe(0);
  },
);
