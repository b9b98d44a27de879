import type pg from 'pg';
import { CommitUnknown, isUnreachable, sqlState } from '../../drivers/postgres/index.ts';
import { chargeAccounts, chargePredictions, type Charged, type Payer, type Prediction } from './predictions.ts';

/** What one statement charges at most: predictions, and bytes of their answers; one alone may have more. */
const most = { predictions: 64, answerBytes: 4 * 1024 * 1024 } as const;

/** Statements for several accounts that are under way at once: what comes meanwhile goes together with the next. */
const atOnce = 2;

interface Waiting {
  readonly prediction: Prediction;
  /** Called when its turn has come; throws where it must not be charged any more. */
  readonly begins: () => void;
  readonly resolve: (charged: Charged) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits of one account, mode and endpoint. */
interface Line {
  readonly payer: Payer;
  readonly waiting: Waiting[];
}

/** What goes together of one line. */
interface Part {
  readonly payer: Payer;
  readonly ready: readonly Waiting[];
}

export interface ChargeQueue {
  /**
   * As `chargePredictions` for one. Those that come while statements are under way wait for one of these, and go
   * together: those of an account would wait for its wallet anyway.
   */
  charge(payer: Payer, prediction: Prediction, begins?: () => void): Promise<Charged>;
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

/** Takes what goes together off lines of one mode and endpoint, in turn. */
function nextOf(lines: Iterable<Line>): Map<Line, Part> {
  const parts = new Map<Line, Part>();
  let [first, count, bytes] = [null as Payer | null, 0, 0];
  for (const line of lines) {
    const { payer, waiting } = line;
    first ??= payer;
    if (payer.mode !== first.mode || payer.endpoint !== first.endpoint) continue;
    const end = waiting.findIndex(({ prediction }) => {
      bytes += prediction.answer?.body.length ?? 0;
      count += 1;
      return count > 1 && (count > most.predictions || bytes > most.answerBytes);
    });
    const taken = waiting.splice(0, end < 0 ? waiting.length : end);
    if (taken.length > 0) parts.set(line, { payer, ready: taken.filter(mayBegin) });
    if (end >= 0) break;
  }
  return parts;
}

const settle = ({ ready }: Part, charged: readonly Charged[]): void => {
  for (const [at, { resolve }] of ready.entries()) resolve(charged[at]!);
};

/**
 * Charges one account, whose wallet may be waited for. An error that may be the fault of one is found out one by one.
 */
async function chargeAlone(pool: pg.Pool, part: Part): Promise<void> {
  const { payer, ready } = part;
  const predictions = ready.map(({ prediction }) => prediction);
  try {
    settle(part, await chargePredictions(pool, payer, predictions));
  } catch (error) {
    if (ready.length === 1 || speaksForAll(error)) for (const { reject } of ready) reject(error);
    else for (const one of ready) await chargeAlone(pool, { payer, ready: [one] });
  }
}

const speaksForAll = (error: unknown): boolean => error instanceof CommitUnknown || isUnreachable(error);

/** A row of one of the accounts was waited for in vain: a lock timeout, or that of the statement. */
const inVain: ReadonlySet<string | null> = new Set(['55P03', '57014']);

/** Charges several accounts; returns those that are to be charged alone. */
async function chargeTogether(pool: pg.Pool, parts: readonly Part[]): Promise<readonly Part[]> {
  const bills = parts.map(({ payer, ready }) => ({
    accountId: payer.accountId,
    predictions: ready.map(({ prediction }) => prediction),
  }));
  try {
    const charged = await chargeAccounts(pool, parts[0]!.payer, bills);
    for (const [at, part] of parts.entries()) if (charged[at]) settle(part, charged[at]);
    return parts.filter((_, at) => charged[at] === null);
  } catch (error) {
    if (!speaksForAll(error) || inVain.has(sqlState(error))) return parts;
    for (const { reject } of parts.flatMap(({ ready }) => ready)) reject(error);
    return [];
  }
}

/**
 * Charges predictions: at most one statement of an account is under way in this process. Accounts are charged together,
 * and one of them alone where another transaction holds its wallet, or where something went wrong.
 */
export function createChargeQueue(pool: pg.Pool): ChargeQueue {
  /** With something waiting, and not under way; who was served last stands last. */
  const lines = new Map<string, Line>();
  const underWay = new Map<string, Line>();
  let running = 0;
  const nameOf = ({ accountId, mode, endpoint }: Payer): string => `${accountId} ${mode} ${endpoint}`;

  function ends(line: Line): void {
    const name = nameOf(line.payer);
    underWay.delete(name);
    if (line.waiting.length > 0) lines.set(name, line);
    serve();
  }

  async function run(parts: ReadonlyMap<Line, Part>): Promise<void> {
    const some = [...parts.values()].filter(({ ready }) => ready.length > 0);
    const alone = new Set(some.length > 0 ? await chargeTogether(pool, some) : []);
    running -= 1;
    for (const [line, part] of parts)
      if (alone.has(part)) void chargeAlone(pool, part).then(() => ends(line));
      else ends(line);
  }

  function serve(): void {
    while (running < atOnce && lines.size > 0) {
      const parts = nextOf(lines.values());
      for (const { payer } of parts.keys()) {
        const name = nameOf(payer);
        underWay.set(name, lines.get(name)!);
        lines.delete(name);
      }
      running += 1;
      void run(parts);
    }
  }

  return {
    charge(payer, prediction, begins = () => undefined) {
      const { promise, resolve, reject } = Promise.withResolvers<Charged>();
      const name = nameOf(payer);
      const line = underWay.get(name) ?? lines.get(name) ?? { payer, waiting: [] };
      line.waiting.push({ prediction, begins, resolve, reject });
      if (!underWay.has(name)) lines.set(name, line);
      serve();
      return promise;
    },
  };
}
