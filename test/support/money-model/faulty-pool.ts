import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { createAdmissionQueue, type AdmissionQueue } from '../../../infra/records/admission/admission-queue.ts';
import { createChargeQueue, type ChargeQueue } from '../../../infra/records/ledger/charge-queue.ts';
import type { Fault } from './actions.ts';

/** One process at work on one action: what it runs is found by its asynchronous context. */
export interface Process {
  /** Removed once the process only waits for its job. */
  fault: Fault | null;
  statements: number;
  hit: boolean;
  dead: boolean;
  readonly death: Promise<void>;
  die(): void;
  /** Lease of its request, once it is admitted. */
  leaseId: string | null;
  /** Ends the connection of its caller. */
  hangUp: () => void;
  /** Called when its job has been handed over and it waits for the answer. */
  parked: () => void;
}

const current = new AsyncLocalStorage<Process>();

export function newProcess(fault: Fault | null = null, parked: () => void = () => undefined): Process {
  const { promise, resolve } = Promise.withResolvers<void>();
  const process = {
    fault,
    statements: 0,
    hit: false,
    dead: false,
    death: promise,
    die(): void {
      process.dead = true;
      resolve();
    },
    leaseId: null,
    hangUp: () => undefined,
    parked,
  };
  return process;
}

export const inProcess = <T>(process: Process, work: () => Promise<T>): Promise<T> => current.run(process, work);
export const currentProcess = (): Process | undefined => current.getStore();

type Query = (...args: unknown[]) => Promise<unknown>;

const lost = (): Error => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
/** What a dead process waits for. */
export const never = <T>(): Promise<T> => new Promise(() => undefined);

/** Executes a statement with the process's fault. `sever` ends the connection. */
async function pass(process: Process, run: () => Promise<unknown>, sever: () => Promise<void>): Promise<unknown> {
  if (process.dead) return never();
  const { fault } = process;
  process.statements += 1;
  if (!fault || process.hit || process.statements < fault.statement) return run();
  process.hit = true;
  if (fault.when === 'after') await run();
  await sever();
  if (fault.kind === 'loss') throw lost();
  process.die();
  return never();
}

interface Prepared {
  readonly text: string;
  readonly values: readonly unknown[];
}
/** Of a statement as it is, or of one whose plan is kept. */
const textOf = (statement: unknown): string => (statement as Prepared).text ?? String(statement);

/** The lease that a statement takes. */
function leaseOf(statement: unknown): string | null {
  const { values } = statement as Prepared;
  return textOf(statement).includes('admit_requests(') ? (values[14] as readonly string[])[0]! : null;
}

/**
 * One API in a test represents many processes, some of them dead, and its timer would renew the leases of all. Instead,
 * the test's clock renews the leases of the living ones.
 */
const isRenewal = (statement: unknown): boolean => textOf(statement).includes('UPDATE request_leases SET expires_at');

/** Values that each process has separately, while it shares everything else: a dead process blocks no other. */
function ofEach<Queue>(create: () => Queue): () => Queue {
  const queues = new WeakMap<Process, Queue>();
  const usual = create();
  return () => {
    const process = current.getStore();
    if (!process) return usual;
    const queue = queues.get(process) ?? create();
    queues.set(process, queue);
    return queue;
  };
}

/** Each process queues its own admissions. */
export function admissionsOf(pool: pg.Pool): AdmissionQueue {
  const own = ofEach(() => createAdmissionQueue(pool));
  return { admit: (...args) => own().admit(...args) };
}

/** Each process queues its own charges. */
export function chargesOf(pool: pg.Pool): ChargeQueue {
  const own = ofEach(() => createChargeQueue(pool));
  return { charge: (...args) => own().charge(...args) };
}

/**
 * The pool of each process. It counts statements; at the fault the connection is lost or the process dies. The process
 * does not learn whether Postgres executed the statement, even if it was a COMMIT.
 */
export function createFaultyPool(pool: pg.Pool): pg.Pool {
  const query = pool.query.bind(pool) as Query;
  const connect = async (): Promise<pg.PoolClient> => {
    const process = current.getStore();
    if (process?.dead) return never();
    const client = await pool.connect();
    if (!process) return client;
    const run = client.query.bind(client) as Query;
    let severed = false;
    /** To the server a lost connection is a ROLLBACK; a new one for each would cost more than all the rest. */
    const sever = async (): Promise<void> => {
      if (severed) return;
      severed = true;
      await run('ROLLBACK');
      client.release();
    };
    return {
      query: (...args: unknown[]) => (severed ? Promise.reject(lost()) : pass(process, () => run(...args), sever)),
      release: (broken?: Error | boolean) => {
        if (!severed) client.release(broken ?? process.dead);
        severed = true;
      },
    } as unknown as pg.PoolClient;
  };
  return {
    connect,
    query: (...args: unknown[]) => {
      const process = current.getStore();
      if (!process) return isRenewal(args[0]) ? Promise.resolve({ rows: [] }) : query(...args);
      process.leaseId = leaseOf(args[0]) ?? process.leaseId;
      return pass(
        process,
        () => query(...args),
        async () => undefined,
      );
    },
  } as unknown as pg.Pool;
}
