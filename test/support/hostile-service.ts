import { readFile } from 'node:fs/promises';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { newAccount, send, startTestApi, type TestAccount } from './api.ts';
import { createBody } from './requests.ts';
import { newDataDir, runMain } from './stack.ts';

export interface Party extends TestAccount {
  /** Path of the predictions of a model of the account. */
  readonly predictions: string;
}

export interface Service {
  readonly address: string;
  readonly port: number;
  /** The account that behaves well. */
  readonly quiet: Party;
  /** Two hostile accounts; their classes have long names. */
  readonly hostile: readonly Party[];
  /** Resident memory of the service's process in bytes, now and at most. */
  memory(): Promise<{ now: number; most: number }>;
  /**
   * Slowdown of its main thread since the last call, compared with a free machine: the time it waited for a processor.
   */
  slowness(): Promise<number>;
  /** The process has not ended. */
  alive(): boolean;
  output(): string;
  stop(): Promise<void>;
}

const longLabels = ['left', 'right'].map((side) => `"${side}"`.padEnd(200, '"'));

/** `npm run api` as a process of its own on the database of a test, with models that were fitted in this process. */
export async function startService(): Promise<Service> {
  const api = await startTestApi();
  const folder = await newDataDir();
  const party = async (labels: readonly string[]): Promise<Party> => {
    const account = await newAccount(api.database, { limits: { concurrency: 32 } });
    await transaction(api.database.pool, (sql) =>
      credit(sql, { accountId: account.accountId, amount: 1_000_000_000_000n, source: 'operator', at: new Date() }),
    );
    const body = createBody({ labels: Array.from({ length: 12 }, (_, trial) => labels[trial % 2]) });
    const created = await send(api.app, account.key, 'POST', '/v1/task-models', body);
    if (created.status !== 201) throw new Error(created.text);
    return { ...account, predictions: `/v1/task-models/${created.body.id}/predictions` };
  };
  const quiet = await party(['left', 'right']);
  const hostile = [await party(longLabels), await party(longLabels)];
  const program = runMain('api', [], {
    DATA_DIR: folder.path,
    DATABASE_URL: api.database.url,
    OBJECT_STORE_URL: api.threadData.objects.url,
    DATA_ENCRYPTION_KEY: Buffer.from(api.threadData.objects.keys[0]).toString('base64'),
    SESSION_SECRET: 'a secret of this test, of 32 characters',
    TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '127.0.0.1:7233',
  });
  const [, address] = await program.says(/API (http:\S+)/);
  let seen = { ran: 0, waited: 0 };
  const kilobytes = (status: string, name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return {
    address,
    port: Number(new URL(address).port),
    quiet,
    hostile,
    async memory() {
      const status = await readFile(`/proc/${program.child.pid}/status`, 'utf8');
      return { now: kilobytes(status, 'VmRSS'), most: kilobytes(status, 'VmHWM') };
    },
    async slowness() {
      const text = await readFile(`/proc/${program.child.pid}/schedstat`, 'utf8').catch(() => '0 0');
      const [ran, waited] = text.split(' ').map(Number);
      const [work, delay] = [ran - seen.ran, waited - seen.waited];
      seen = { ran, waited };
      return work > 0 ? (work + delay) / work : 1;
    },
    alive: () => program.child.exitCode === null && program.child.signalCode === null,
    output: program.output,
    async stop() {
      await program.interrupt();
      await folder.remove();
      await api.close();
    },
  };
}
