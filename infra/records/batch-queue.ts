import { isUnreachable, wasInVain } from '../drivers/postgres/index.ts';

/** Items of one group, such as the requests of one API key, that share a statement. */
export interface Part<Group, Item> {
  readonly group: Group;
  readonly items: readonly Item[];
}

export interface BatchOptions<Group, Item, Result> {
  /** Shared statements that run at once. Items that arrive meanwhile share the next one. */
  readonly atOnce: number;
  /** The most that one statement takes. A single item may have more bytes. */
  readonly most: { readonly items: number; readonly bytes: number };
  readonly bytesOf: (item: Item) => number;
  /** Two items of one group are never in two statements at once. */
  readonly nameOf: (group: Group) => string;
  /** Groups of one kind may share a statement. */
  readonly kindOf: (group: Group) => string;
  /** Called before an item is sent; throws if it must not be sent any more. */
  readonly begins: (item: Item) => void;
  /**
   * Sends one statement and returns a result for each item, in order. An Error rejects that item alone. `busy`: another
   * transaction holds a row of the item, and nothing was done. With `waits`, for one group alone, it waits for such rows
   * and answers no `busy`.
   */
  readonly run: (
    parts: readonly Part<Group, Item>[],
    waits: boolean,
  ) => Promise<readonly (Result | Error | typeof busy)[]>;
}

export const busy = Symbol('busy');

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Line<Group, Item, Result> {
  readonly group: Group;
  readonly waiting: Waiting<Item, Result>[];
}

/** A shared statement that takes longer makes room for another one. */
const patienceMs = 1_000;

/**
 * Batches statements of many callers: items that arrive in one turn of the event loop, or while `atOnce` statements run,
 * share the next one. There is one fallback: the items of a group that were `busy`, or whose shared statement failed,
 * are sent alone and wait for their rows.
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
  /** Groups with waiting items and no running statement, least recently served first. */
  const lines = new Map<string, OwnLine>();
  /** Groups with a running statement. */
  const sent = new Map<string, OwnLine>();
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

  /** Sends one statement and settles its items; returns those that were busy. */
  async function send(parts: readonly OwnLine[], waits: boolean): Promise<Set<Waiting<Item, Result>>> {
    const results = await run(
      parts.map(({ group, waiting }) => ({ group, items: waiting.map(({ item }) => item) })),
      waits,
    );
    const left = new Set<Waiting<Item, Result>>();
    for (const [at, each] of parts.flatMap(({ waiting }) => waiting).entries()) {
      const result = results[at]!;
      if (result === busy) left.add(each);
      else if (result instanceof Error) each.reject(result);
      else each.resolve(result as Result);
    }
    return left;
  }

  /** Sends the items of one group; if that fails because of one of them, each alone. Never rejects. */
  async function sendAlone({ group, waiting }: OwnLine): Promise<void> {
    try {
      for (const { reject } of await send([{ group, waiting }], true)) reject(new Error('A statement did not wait.'));
    } catch (error) {
      if (waiting.length === 1 || isUnreachable(error)) for (const { reject } of waiting) reject(error);
      else for (const one of waiting) await sendAlone({ group, waiting: [one] });
    }
  }

  /** Sends a shared statement; returns the items that must be sent alone. Never rejects. */
  async function sendShared(parts: readonly OwnLine[]): Promise<ReadonlySet<Waiting<Item, Result>>> {
    const all = parts.flatMap(({ waiting }) => waiting);
    if (all.length === 0) return new Set();
    try {
      return await send(parts, false);
    } catch (error) {
      if (!isUnreachable(error) || wasInVain(error)) return new Set(all);
      for (const { reject } of all) reject(error);
      return new Set();
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
    const impatient = setTimeout(() => {
      leave();
      serve();
    }, patienceMs);
    const left = await sendShared(parts);
    clearTimeout(impatient);
    leave();
    schedule();
    for (const part of parts) {
      const waiting = part.waiting.filter((each) => left.has(each));
      if (waiting.length === 0) ended(part);
      else void sendAlone({ group: part.group, waiting }).then(() => ended(part));
    }
  }

  function serve(): void {
    while (running < atOnce && lines.size > 0) {
      running += 1;
      void start(take());
    }
  }

  /** Serves once Node has read everything that has arrived, so that it shares a statement. Adds no delay. */
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
