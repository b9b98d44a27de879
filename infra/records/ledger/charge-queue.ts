import type pg from 'pg';
import { CommitUnknown, isUnreachable } from '../../drivers/postgres/index.ts';
import { chargePredictions, type Charged, type Payer, type Prediction } from './predictions.ts';

/** What one statement charges at most: predictions, and bytes of their answers; one alone may have more. */
const most = { predictions: 64, answerBytes: 4 * 1024 * 1024 } as const;

interface Waiting {
  readonly prediction: Prediction;
  /** Called when its turn has come; throws where it must not be charged any more. */
  readonly begins: () => void;
  readonly resolve: (charged: Charged) => void;
  readonly reject: (error: unknown) => void;
}

export interface ChargeQueue {
  /**
   * As `chargePredictions` for one. Those of an account that come while one is under way wait for it, and go together:
   * they would wait for its wallet anyway.
   */
  charge(payer: Payer, prediction: Prediction, begins?: () => void): Promise<Charged>;
}

/** Takes the next predictions that go together off the queue. */
function nextOf(queue: Waiting[]): Waiting[] {
  let bytes = 0;
  const end = queue.findIndex(({ prediction }, at) => {
    bytes += prediction.answer?.body.length ?? 0;
    return at > 0 && (at >= most.predictions || bytes > most.answerBytes);
  });
  return queue.splice(0, end < 0 ? queue.length : end);
}

function mayBegin({ begins, reject }: Waiting): boolean {
  try {
    begins();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** Charges those that may begin. An error that may be the fault of one of several is found out one by one. */
async function chargeTogether(pool: pg.Pool, payer: Payer, waiting: readonly Waiting[]): Promise<void> {
  const ready = waiting.filter(mayBegin);
  if (ready.length === 0) return;
  try {
    const charged = await chargePredictions(
      pool,
      payer,
      ready.map(({ prediction }) => prediction),
    );
    for (const [at, { resolve }] of ready.entries()) resolve(charged[at]!);
  } catch (error) {
    if (ready.length === 1 || error instanceof CommitUnknown || isUnreachable(error))
      for (const { reject } of ready) reject(error);
    else for (const one of ready) await chargeTogether(pool, payer, [one]);
  }
}

/** Charges predictions: at most one statement of an account is under way in this process. */
export function createChargeQueue(pool: pg.Pool): ChargeQueue {
  const queues = new Map<string, Waiting[]>();
  const serve = async (name: string, payer: Payer, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) await chargeTogether(pool, payer, nextOf(queue));
    queues.delete(name);
  };
  return {
    charge(payer, prediction, begins = () => undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<Charged>();
      const waiting = { prediction, begins, resolve, reject };
      const name = `${payer.accountId} ${payer.mode} ${payer.endpoint}`;
      const queue = queues.get(name);
      if (queue) queue.push(waiting);
      else {
        const fresh = [waiting];
        queues.set(name, fresh);
        void serve(name, payer, fresh);
      }
      return promise;
    },
  };
}
