import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { prices } from '../../../infra/contract/prices.ts';
import { ownerOf } from '../../../infra/contract/object-names.ts';
import { findOrphans } from '../../../infra/records/fit-jobs/orphans.ts';
import { balance } from '../../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../../infra/records/ledger/check.ts';
import { activitiesInProcess } from '../../support/activities-in-process.ts';
import type { Fleet } from './fleet.ts';
import type { Tenant } from './tenant.ts';

const minute = 60_000;

/** Until nothing is found any more; what is found at the end. */
async function settled(find: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (const until = performance.now() + 2 * minute; ; await sleep(500)) {
    const found = await find();
    if (found.length === 0 || performance.now() > until) return found;
  }
}

/** Rows that must not be there once all is answered, and leases and locks of dead processes have expired. */
const leftovers = [
  { what: 'an open hold', sql: `SELECT id::text AS row FROM holds WHERE state = 'open'` },
  { what: 'a job without an end', sql: 'SELECT job_id::text AS row FROM fit_requests WHERE finished_at IS NULL' },
  {
    what: 'a lease that is kept alive',
    sql: 'SELECT id::text AS row FROM request_leases WHERE expires_at > clock_timestamp()',
  },
  // A 404 keeps no answer: where its process could not let go of the key, the lock expires and is taken over.
  {
    what: 'a running key',
    sql: `SELECT key AS row FROM idempotency_keys
          WHERE state = 'running' AND (job IS NOT NULL OR locked_until > clock_timestamp())`,
  },
  {
    what: 'a clean-up not done',
    sql: `SELECT id || ' ' || status || ' ' || cleanup AS row FROM task_models WHERE cleanup <> 'none'`,
  },
  { what: 'a fit without an end', sql: `SELECT id AS row FROM task_models WHERE status = 'fitting'` },
] as const;

/** The most that is named of one kind. */
const shown = 10;
const named = (what: string, rows: readonly string[]): string[] => rows.slice(0, shown).map((row) => `${what}: ${row}`);

async function leftIn({ database: { admin } }: Fleet): Promise<string[]> {
  const found = await Promise.all(
    leftovers.map(async ({ what, sql }) =>
      named(
        what,
        (await admin.query<{ row: string }>(sql)).rows.map(({ row }) => row),
      ),
    ),
  );
  return found.flat();
}

/** Objects that no model of the database needs. */
async function strayObjects(fleet: Fleet): Promise<string[]> {
  const { rows } = await fleet.database.admin.query<{ id: string; ref: string }>(
    `SELECT id, model_ref AS ref FROM task_models WHERE status = 'active'`,
  );
  const needed = new Map(rows.map(({ id, ref }) => [ref, id]));
  const there = (await fleet.objects.list(''))
    .map(({ name }) => name)
    .filter((name) => ownerOf(name)?.kind !== 'reference');
  const lost = [...needed.keys()].filter((name) => !there.includes(name));
  return [
    ...named(
      'an object without an owner',
      there.filter((name) => !needed.has(name)),
    ),
    ...named('a model whose object is gone', lost),
  ];
}

/** Active models whose workflow does not run, and others whose workflow does. */
async function strayWorkflows({ database: { admin }, client }: Fleet): Promise<string[]> {
  const { rows } = await admin.query<{ id: string; status: string }>('SELECT id, status FROM task_models');
  const problems: string[] = [];
  for (const { id, status } of rows) {
    const state = await client.workflow
      .getHandle(id)
      .describe()
      .then(
        (description) => description.status.name as string,
        (error: unknown) => {
          if (error instanceof WorkflowNotFoundError) return 'none';
          throw error;
        },
      );
    if ((status === 'active') !== (state === 'RUNNING')) problems.push(`${id} is ${status}; its workflow is ${state}`);
  }
  return problems;
}

/**
 * What a create without a key whose answer was lost has left: a model that its account does not know. Each must be one
 * of those creates; returns the micro-dollars they cost, by account.
 */
async function strangers({ database: { admin } }: Fleet, tenants: readonly Tenant[]) {
  const { rows } = await admin.query<{ id: string; account: string; mode: string }>(
    `SELECT id, account_id AS account, mode FROM task_models WHERE status = 'active'`,
  );
  const known = new Set(tenants.flatMap(({ models }) => models.map(({ id }) => id)));
  return new Map(
    tenants.map(({ accountId, unsureCreates }) => {
      const unknown = rows.filter(({ id, account }) => account === accountId && !known.has(id));
      const cost = BigInt(unknown.length) * (prices.createFee + prices.hostingMonth);
      return [accountId, { count: unknown.length, allowed: unsureCreates, cost }];
    }),
  );
}

/** Sums of any of the values. */
const sumsOf = (values: readonly number[]): ReadonlySet<number> =>
  values.reduce((sums, value) => new Set([...sums, ...[...sums].map((sum) => sum + value)]), new Set([0]));

/** Balances that are not to the micro-dollar what the answers say; `credit`: what each account was given. */
async function wrongBalances(fleet: Fleet, tenants: readonly Tenant[], credit: bigint): Promise<string[]> {
  const unknown = await strangers(fleet, tenants);
  const found = await Promise.all(
    tenants.map(async ({ accountId, charged, unsureWindows }) => {
      const { count, allowed, cost } = unknown.get(accountId)!;
      const { available, held } = await balance(fleet.database.pool, accountId);
      const rest = credit - charged - cost - available;
      const unsure = unsureWindows.join();
      const explained = rest % prices.window === 0n && sumsOf(unsureWindows).has(Number(rest / prices.window));
      return [
        ...(count > allowed
          ? [`${accountId} has ${count} models that it did not make, ${allowed} creates are unsure`]
          : []),
        ...(held > 0n ? [`${accountId}: ${held} are held`] : []),
        ...(explained ? [] : [`${accountId}: ${rest} micro-dollars are charged but not answered (unsure: ${unsure})`]),
      ];
    }),
  );
  return found.flat();
}

/**
 * All that is wrong with a fleet that has answered its tenants, in words. Waits for what may end by itself: leases of
 * dead processes, the workflows' clean-up. Then sweeps and tidies as the service does 16 minutes and a day later.
 */
export async function aftermath(fleet: Fleet, tenants: readonly Tenant[], credit: bigint): Promise<string[]> {
  const problems = [...(await settled(() => leftIn(fleet)))];
  const { pool } = fleet.database;
  const { sweep, tidyObjects } = activitiesInProcess({ pool, objects: fleet.objects, client: fleet.client });
  const swept = await sweep({ at: Date.now() + 16 * minute });
  problems.push(...swept.problems);
  // What a process that was killed had just written has no row; the daily walk removes it.
  problems.push(...(await tidyObjects({ at: Date.now() + 62 * minute })).problems);
  const leases = await pool.query('SELECT FROM request_leases');
  if (leases.rowCount) problems.push(`${leases.rowCount} leases are left`);
  const { names } = await findOrphans({ pool, objects: fleet.objects }, new Date(Date.now() + minute));
  problems.push(...named('an orphan', names));
  problems.push(...(await settled(() => strayObjects(fleet))), ...(await settled(() => strayWorkflows(fleet))));
  problems.push(...(await wrongBalances(fleet, tenants, credit)));
  const books = await checkLedger(pool, { at: new Date() });
  problems.push(...books.problems.map(({ invariant, row, problem }) => `ledger: ${invariant}: ${row}: ${problem}`));
  return problems;
}
