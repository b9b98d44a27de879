/** State that a fit stores once it has run for a while. */
export interface StoredLater extends AsyncDisposable {
  readonly isStored: boolean;
  /** Stores it now, unless it is already stored. Rejects if that fails, and can be called again. */
  store(): Promise<void>;
}

/** A failed write is retried after the first time, then after twice as long each time, up to the second. */
const [againMs, longestMs] = [2_000, 30_000];

/**
 * Calls `write` after `afterMs`, and `then` when it has returned. Disposal before that cancels both. A shorter fit need
 * not store its state, because only its own process would read it. Disposal waits for a `write` in progress, so that a
 * later deletion finds its object.
 */
export function storeLater(afterMs: number, write: () => Promise<void>, then: () => void): StoredLater {
  let isStored = false;
  let isOver = false;
  let storing: Promise<void> | null = null;
  const whole = async (): Promise<void> => {
    await write();
    isStored = true;
    then();
  };
  const store = (): Promise<void> =>
    (storing ??= whole().catch((error: unknown) => {
      storing = null;
      throw error;
    }));
  const attempt = (nextMs: number): void => {
    store().catch(() => {
      if (!isOver) timer = setTimeout(attempt, nextMs, Math.min(2 * nextMs, longestMs));
    });
  };
  let timer = setTimeout(attempt, afterMs, againMs);
  return {
    get isStored() {
      return isStored;
    },
    store,
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(timer);
      await storing?.catch(() => undefined);
    },
  };
}
