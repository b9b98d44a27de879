import { isUnreachable, isLockOrStatementTimeout } from '../drivers/postgres/errors.ts';

/** Items of one group, for example the requests of one API key, that share a statement. */
export interface Part<Group, Item> {
  readonly group: Group;
  readonly items: readonly Item[];
}

export interface BatchOptions<Group, Item, Result> {
  /** Shared statements that run at once. Items that arrive meanwhile share the next one. */
  readonly atOnce: number;
  /** Limits of one statement. A single item may have more bytes. */
  readonly most: { readonly items: number; readonly bytes: number };
  readonly bytesOf: (item: Item) => number;
  /** Items of one group are never in two statements at once. */
  readonly nameOf: (group: Group) => string;
  /** Groups of one kind may share a statement. */
  readonly kindOf: (group: Group) => string;
  /** Called each time before an item is sent; throws if it must not be sent any more. */
  readonly begins: (item: Item) => void;
  /**
   * Sends one statement and returns a result for each item, in order. An Error rejects only its item. With `waits`,
   * which is set only for groups of one owner, the statement waits for rows that other transactions have locked and
   * returns no Busy.
   */
  readonly run: (parts: readonly Part<Group, Item>[], waits: boolean) => Promise<readonly (Result | Error | Busy)[]>;
}

/** Another transaction has locked a row of the item, and nothing was done. */
export class Busy {
  /** Groups of one owner, such as the keys of one account, wait for the same rows. */
  readonly owner: string;

  constructor(owner: string) {
    this.owner = owner;
  }
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Line<Group, Item, Result> {
  readonly group: Group;
  readonly waiting: Waiting<Item, Result>[];
}

/** After this time a slow shared statement no longer counts, so that another one can run. */
const slowStatementMs = 1_000;

/**
 * Batches statements of many callers: items that arrive in one turn of the event loop, or while `atOnce` statements
 * run, share the next one. Items of a group that were busy, or whose shared statement failed, are sent again and wait
 * for their rows. Only one such statement runs per owner and kind, so that an owner with many groups does not take all
 * connections.
 */
export function createBatchQueue<Group, Item, Result>({
  atOnce,
  most,
  bytesOf,
  nameOf,
  kindOf,
  begins,
  run,
}: BatchOptions<Group, Item, Result>): (group: Group, item: Item) => Promise<Result> {
  type OwnLine = Line<Group, Item, Result>;
  /** Items that must be sent alone, with their owners. */
  type Left = Map<Waiting<Item, Result>, string>;
  /** Groups with waiting items and no running statement, least recently served first. */
  const lines = new Map<string, OwnLine>();
  /** Groups with a running statement. */
  const sent = new Map<string, OwnLine>();
  /** Groups whose items wait for rows, by owner and kind, while a statement of these waits. */
  const blocked = new Map<string, OwnLine[]>();
  let running = 0;
  let isScheduled = false;

  function mayBegin({ item, reject }: Waiting<Item, Result>): boolean {
    try {
      begins(item);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  /** Takes the items of the next statement. */
  function take(): OwnLine[] {
    const taken: OwnLine[] = [];
    let [kind, count, bytes] = [null as string | null, 0, 0];
    for (const [name, line] of lines) {
      const { group, waiting } = line;
      kind ??= kindOf(group);
      if (kindOf(group) !== kind) continue;
      const end = waiting.findIndex(({ item }) => {
        bytes += bytesOf(item);
        count += 1;
        return count > 1 && (count > most.items || bytes > most.bytes);
      });
      const items = waiting.splice(0, end < 0 ? waiting.length : end);
      if (items.length > 0) {
        lines.delete(name);
        sent.set(name, line);
        taken.push({ group, waiting: items.filter(mayBegin) });
      }
      if (end >= 0) break;
    }
    return taken;
  }

  /** Sends one statement and settles its items; returns those that were busy, with their owners. */
  async function send(parts: readonly OwnLine[], waits: boolean): Promise<Left> {
    const results = await run(
      parts.map(({ group, waiting }) => ({ group, items: waiting.map(({ item }) => item) })),
      waits,
    );
    const left: Left = new Map();
    for (const [at, each] of parts.flatMap(({ waiting }) => waiting).entries()) {
      const result = results[at]!;
      if (result instanceof Busy) left.set(each, result.owner);
      else if (result instanceof Error) each.reject(result);
      else each.resolve(result as Result);
    }
    return left;
  }

  /**
   * Sends items of one owner; if that fails because of one of them, each group, then each item alone. Never rejects.
   */
  async function sendAlone(all: readonly OwnLine[]): Promise<void> {
    const parts = all.map(({ group, waiting }) => ({ group, waiting: waiting.filter(mayBegin) }));
    const items = parts.flatMap(({ group, waiting }) => waiting.map((one) => ({ group, waiting: [one] })));
    if (items.length === 0) return;
    try {
      for (const { reject } of (await send(parts, true)).keys()) reject(new Error('A statement did not wait.'));
    } catch (error) {
      if (items.length === 1 || isUnreachable(error)) for (const { waiting } of items) waiting[0]!.reject(error);
      else for (const each of parts.length > 1 ? parts : items) await sendAlone([each]);
    }
  }

  /** Sends a group with the others of its owner and kind that are blocked. */
  async function unblock(owner: string, part: OwnLine): Promise<void> {
    const name = `${kindOf(part.group)} ${owner}`;
    const others = blocked.get(name);
    if (others) return void others.push(part);
    for (let parts = [part]; parts.length > 0; parts = blocked.get(name)!) {
      blocked.set(name, []);
      await sendAlone(parts);
      parts.forEach(ended);
    }
    blocked.delete(name);
  }

  /** Sends a shared statement; returns the items that must be sent alone, with their owners. Never rejects. */
  async function sendShared(parts: readonly OwnLine[]): Promise<Left> {
    const all = parts.flatMap(({ group, waiting }) => waiting.map((each) => [each, nameOf(group)] as const));
    if (all.length === 0) return new Map();
    try {
      return await send(parts, false);
    } catch (error) {
      if (!isUnreachable(error) || isLockOrStatementTimeout(error)) return new Map(all);
      for (const [{ reject }] of all) reject(error);
      return new Map();
    }
  }

  function ended({ group }: OwnLine): void {
    const name = nameOf(group);
    const line = sent.get(name)!;
    sent.delete(name);
    if (line.waiting.length > 0) lines.set(name, line);
    schedule();
  }

  async function start(parts: readonly OwnLine[]): Promise<void> {
    let hasPlace = true;
    const leave = (): void => {
      if (hasPlace) running -= 1;
      hasPlace = false;
    };
    const slowTimer = setTimeout(() => {
      leave();
      serve();
    }, slowStatementMs);
    const left = await sendShared(parts);
    clearTimeout(slowTimer);
    leave();
    schedule();
    for (const part of parts) {
      const waiting = part.waiting.filter((each) => left.has(each));
      if (waiting.length === 0) ended(part);
      else void unblock(left.get(waiting[0]!)!, { group: part.group, waiting });
    }
  }

  function serve(): void {
    while (running < atOnce && lines.size > 0) {
      running += 1;
      void start(take());
    }
  }

  /** Sends after Node has read everything that has arrived, so that it shares a statement. Adds no delay. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      serve();
    });
  }

  return (group, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const name = nameOf(group);
    const line = sent.get(name) ?? lines.get(name) ?? { group, waiting: [] };
    line.waiting.push({ item, resolve, reject });
    if (!sent.has(name)) lines.set(name, line);
    schedule();
    return promise;
  };
}
