import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as postgres from '../../../infra/drivers/postgres/pool.ts';
import type * as transactions from '../../../infra/drivers/postgres/transaction.ts';
import type * as accounts from '../../../infra/records/accounts/accounts.ts';
import type * as keys from '../../../infra/records/accounts/keys.ts';
import type * as ledger from '../../../infra/records/ledger/credit.ts';
import { newDataDir, runMain } from '../../support/stack.ts';
import { postmasterOf } from './processor.ts';

type Records = typeof accounts & typeof keys & typeof ledger & typeof postgres & typeof transactions;

/** A checkout of the service that runs: servers and worker of `npm start`, and an API process of its own. */
export interface Checkout {
  readonly folder: string;
  readonly url: string;
  readonly port: number;
  /** The API process. */
  readonly pid: number;
  /** The process of `npm start`, in which its worker runs. */
  readonly workerPid: number;
  readonly postmaster: number;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The checkout's own records, which know its database. */
  readonly records: Records;
  stop(): Promise<void>;
}

const takesRequests = /API\s+(http:\/\/[\w.:]+)/;

/** Until a part says that it takes work, as a load balancer waits; a checkout without `/readyz` is not asked. */
async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status === 503) await sleep(100);
}

/** Starts the service of a checkout on a new DATA_DIR, as operators start it, and waits until all threads are warm. */
export async function startCheckout(folder: string): Promise<Checkout> {
  const data = await newDataDir();
  await using starting = new AsyncDisposableStack();
  starting.defer(() => data.remove());
  const environment = { DATA_DIR: data.path, WARM_UP: 'on' };
  const stack = runMain('start', [], { ...environment, WORKER_HEALTH_PORT: '0' }, folder);
  starting.defer(async () => void (await stack.interrupt()));
  await stack.says(/Ready in/, 300);
  const [, ownApi] = await stack.says(takesRequests);
  const [, ownWorker] = /Worker health (http:\/\/[\w.:]+)/.exec(stack.output()) ?? [];
  await Promise.all([ownApi!, ownWorker ?? []].flat().map(untilReady));
  const api = runMain('api', [], environment, folder);
  starting.defer(async () => void (await api.interrupt()));
  const [, url] = await api.says(takesRequests);
  await untilReady(url!);
  const { databaseUrl } = JSON.parse(await readFile(join(data.path, 'stack.json'), 'utf8')) as { databaseUrl: string };
  const paths = [
    'infra/records/accounts/accounts.ts',
    'infra/records/accounts/keys.ts',
    'infra/records/ledger/credit.ts',
    'infra/drivers/postgres/pool.ts',
    'infra/drivers/postgres/transaction.ts',
  ].map((path) => import(pathToFileURL(join(folder, path)).href) as Promise<object>);
  const records = Object.assign({}, ...(await Promise.all(paths))) as Records;
  const parts = starting.move();
  return {
    folder,
    url,
    port: Number(new URL(url).port),
    pid: api.child.pid!,
    workerPid: stack.child.pid!,
    postmaster: postmasterOf(data.path),
    databaseUrl,
    dataDir: data.path,
    records,
    stop: () => parts.disposeAsync(),
  };
}
