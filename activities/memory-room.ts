/** Memory of a process that its fits share. */
export interface MemoryRoom {
  /**
   * Resolves once so many bytes are free, or nothing else is held; they are held until the result is disposed of.
   * Rejects with the signal's reason where that comes first.
   */
  hold(accountId: string, bytes: number, signal: AbortSignal): Promise<Disposable>;
  /** Bytes that are held. */
  readonly held: number;
}

interface Waiting {
  readonly accountId: string;
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Room of `total` bytes. Who waits gets it in turn by account: the account that holds least comes first, then who has
 * waited longest. Nobody overtakes the one whose turn it is, so that a large fit is not passed over by small ones.
 */
export function createMemoryRoom(total: number): MemoryRoom {
  const heldBy = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let held = 0;

  const add = (accountId: string, bytes: number): void => {
    held += bytes;
    const own = (heldBy.get(accountId) ?? 0) + bytes;
    if (own > 0) heldBy.set(accountId, own);
    else heldBy.delete(accountId);
  };
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined;
    for (const each of waiting)
      if (!first || (heldBy.get(each.accountId) ?? 0) < (heldBy.get(first.accountId) ?? 0)) first = each;
    return first;
  };
  const isFreeFor = ({ bytes }: Waiting): boolean => held === 0 || held + bytes <= total;
  const grant = (): void => {
    for (let one = next(); one && isFreeFor(one); one = next()) {
      waiting.delete(one);
      add(one.accountId, one.bytes);
      one.begin();
    }
  };
  const holdOf = (accountId: string, bytes: number): Disposable => {
    let isHeld = true;
    return {
      [Symbol.dispose]() {
        if (!isHeld) return;
        isHeld = false;
        add(accountId, -bytes);
        grant();
      },
    };
  };
  return {
    get held() {
      return held;
    },
    async hold(accountId, bytes, signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const one = { accountId, bytes, begin: resolve };
      const giveUp = (): void => {
        if (waiting.delete(one)) reject(signal.reason as Error);
        grant();
      };
      waiting.add(one);
      signal.addEventListener('abort', giveUp, { once: true });
      grant();
      try {
        await promise;
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
      return holdOf(accountId, bytes);
    },
  };
}
