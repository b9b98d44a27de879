import type pg from 'pg';
import { CommitUnknown, isUnreachable, wasInVain } from '../../drivers/postgres/index.ts';
import { goTogether, type Part } from '../together.ts';
import { chargeAccounts, chargePredictions, type Charged, type Payer, type Prediction } from './predictions.ts';

/** What one statement charges at most: predictions, and bytes of their answers; one alone may have more. */
const most = { items: 64, bytes: 4 * 1024 * 1024 } as const;

/** Statements for several accounts that are under way at once. */
const atOnce = 2;

interface Waits {
  readonly prediction: Prediction;
  /** Called when its turn has come; throws where it must not be charged any more. */
  readonly begins: () => void;
}

type Bill = Part<Payer, Waits, Charged>;

export interface ChargeQueue {
  /**
   * As `chargePredictions` for one. Those of one turn of the event loop go together, and so do those that come while
   * they must wait: those of an account would wait for its wallet anyway.
   */
  charge(payer: Payer, prediction: Prediction, begins?: () => void): Promise<Charged>;
}

const settle = ({ ready }: Bill, charged: readonly Charged[]): void => {
  for (const [at, { resolve }] of ready.entries()) resolve(charged[at]!);
};

const predictionsOf = ({ ready }: Bill): Prediction[] => ready.map(({ item }) => item.prediction);

/** Charges one account, whose wallet may be waited for. An error that may be the fault of one is found out one by one. */
async function chargeAlone(pool: pg.Pool, bill: Bill): Promise<void> {
  const { group, ready } = bill;
  try {
    settle(bill, await chargePredictions(pool, group, predictionsOf(bill)));
  } catch (error) {
    if (ready.length === 1 || speaksForAll(error)) for (const { reject } of ready) reject(error);
    else for (const one of ready) await chargeAlone(pool, { group, ready: [one] });
  }
}

const speaksForAll = (error: unknown): boolean => error instanceof CommitUnknown || isUnreachable(error);

/** Charges several accounts; returns those that are to be charged alone. */
async function chargeTogether(pool: pg.Pool, bills: readonly Bill[]): Promise<readonly Bill[]> {
  try {
    const charged = await chargeAccounts(
      pool,
      bills[0]!.group,
      bills.map((bill) => ({ accountId: bill.group.accountId, predictions: predictionsOf(bill) })),
    );
    for (const [at, bill] of bills.entries()) if (charged[at]) settle(bill, charged[at]);
    return bills.filter((_, at) => charged[at] === null);
  } catch (error) {
    // A row of one of the accounts says nothing of the others.
    if (!speaksForAll(error) || wasInVain(error)) return bills;
    for (const { reject } of bills.flatMap(({ ready }) => ready)) reject(error);
    return [];
  }
}

/**
 * Charges predictions: at most one statement of an account is under way in this process. Accounts are charged together,
 * and one of them alone where another transaction holds its wallet, or where something went wrong.
 */
export function createChargeQueue(pool: pg.Pool): ChargeQueue {
  const charge = goTogether<Payer, Waits, Charged>({
    atOnce,
    most,
    bytesOf: ({ prediction }) => prediction.answer?.body.length ?? 0,
    nameOf: ({ accountId, mode, endpoint }) => `${accountId} ${mode} ${endpoint}`,
    kindOf: ({ mode, endpoint }) => `${mode} ${endpoint}`,
    begins: ({ begins }) => begins(),
    async run(bills) {
      const alone = await chargeTogether(pool, bills);
      return new Map(alone.map((bill) => [bill, chargeAlone(pool, bill)]));
    },
  });
  return { charge: (payer, prediction, begins = () => undefined) => charge(payer, { prediction, begins }) };
}
