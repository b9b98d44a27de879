/** One that waits. */
export interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** What waits of one group. */
interface Line<Group, Item, Result> {
  readonly group: Group;
  readonly waiting: Waiting<Item, Result>[];
}

/** What goes together of one group. */
export interface Part<Group, Item, Result> {
  readonly group: Group;
  readonly ready: readonly Waiting<Item, Result>[];
}

export interface TogetherOptions<Group, Item, Result> {
  /** Statements under way at once, but for slow ones: what comes meanwhile goes together with the next. */
  readonly atOnce: number;
  /** What one statement takes at most: items, and bytes of them; one alone may have more. */
  readonly most: { readonly items: number; readonly bytes: number };
  readonly bytesOf: (item: Item) => number;
  /** Items of one group are never under way in two statements. */
  readonly nameOf: (group: Group) => string;
  /** Groups of one kind may go together. */
  readonly kindOf: (group: Group) => string;
  /** Called when an item's turn has come; throws where nothing is to be done for it any more. */
  readonly begins: (item: Item) => void;
  /**
   * Runs one statement and settles what waits for it; never rejects. Resolves once the statement has ended, with what
   * still goes on of some parts: until then their groups take no part in another.
   */
  readonly run: (
    parts: readonly Part<Group, Item, Result>[],
  ) => Promise<ReadonlyMap<Part<Group, Item, Result>, Promise<void>>>;
}

/**
 * Takes an item. Items of one turn of the event loop go together, and so do those that come while `atOnce` statements
 * are under way: as many as `most` allows, of groups of one kind.
 */
export type Together<Group, Item, Result> = (group: Group, item: Item) => Promise<Result>;

/** A statement that takes longer leaves its place to another: it keeps none waiting but the groups that it is about. */
const patienceMs = 1_000;

export function goTogether<Group, Item, Result>({
  atOnce,
  most,
  bytesOf,
  nameOf,
  kindOf,
  begins,
  run,
}: TogetherOptions<Group, Item, Result>): Together<Group, Item, Result> {
  type OwnLine = Line<Group, Item, Result>;
  type OwnPart = Part<Group, Item, Result>;
  /** With something waiting, and not under way; who was served last stands last. */
  const lines = new Map<string, OwnLine>();
  const underWay = new Map<string, OwnLine>();
  let running = 0;
  let servesSoon = false;

  function mayBegin({ item, reject }: Waiting<Item, Result>): boolean {
    try {
      begins(item);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  /** Takes what goes together off lines of one kind, in turn. */
  function next(): Map<string, OwnPart> {
    const parts = new Map<string, OwnPart>();
    let [kind, count, bytes] = [null as string | null, 0, 0];
    for (const [name, { group, waiting }] of lines) {
      kind ??= kindOf(group);
      if (kindOf(group) !== kind) continue;
      const end = waiting.findIndex(({ item }) => {
        bytes += bytesOf(item);
        count += 1;
        return count > 1 && (count > most.items || bytes > most.bytes);
      });
      const taken = waiting.splice(0, end < 0 ? waiting.length : end);
      if (taken.length > 0) parts.set(name, { group, ready: taken.filter(mayBegin) });
      if (end >= 0) break;
    }
    return parts;
  }

  function ends(name: string): void {
    const line = underWay.get(name)!;
    underWay.delete(name);
    if (line.waiting.length > 0) lines.set(name, line);
    serveSoon();
  }

  async function start(parts: ReadonlyMap<string, OwnPart>): Promise<void> {
    const some = [...parts.values()].filter(({ ready }) => ready.length > 0);
    let hasPlace = true;
    const leave = (): void => {
      if (hasPlace) running -= 1;
      hasPlace = false;
    };
    const impatient = setTimeout(() => {
      leave();
      serve();
    }, patienceMs);
    const goesOn = some.length > 0 ? await run(some) : new Map<OwnPart, Promise<void>>();
    clearTimeout(impatient);
    leave();
    serveSoon();
    for (const [name, part] of parts)
      if (goesOn.has(part)) void goesOn.get(part)!.then(() => ends(name));
      else ends(name);
  }

  /** Serves after Node has read what has arrived by now, so that it goes together; no time is waited. */
  function serveSoon(): void {
    if (servesSoon) return;
    servesSoon = true;
    setImmediate(() => {
      servesSoon = false;
      serve();
    });
  }

  function serve(): void {
    while (running < atOnce && lines.size > 0) {
      const parts = next();
      for (const name of parts.keys()) {
        underWay.set(name, lines.get(name)!);
        lines.delete(name);
      }
      running += 1;
      void start(parts);
    }
  }

  return (group, item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const name = nameOf(group);
    const line = underWay.get(name) ?? lines.get(name) ?? { group, waiting: [] };
    line.waiting.push({ item, resolve, reject });
    if (!underWay.has(name)) lines.set(name, line);
    serveSoon();
    return promise;
  };
}
