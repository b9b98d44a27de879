/** What a fit stores of itself once it has run for a while. */
export interface StoredLater extends AsyncDisposable {
  readonly isStored: boolean;
  /** Stores it now, unless it is stored; rejects where that fails, and can be called again. */
  store(): Promise<void>;
}

/** After a failure it is tried again in this time, and then in twice as long each time, up to the other. */
const [againMs, longestMs] = [2_000, 30_000];

/**
 * Calls `write` once `afterMs` have passed, and `then` when it has returned; never, if it is disposed of before. A fit
 * that ends sooner need not be stored: only its own process would read it. Disposal waits for a `write` that has begun,
 * so that what removes it comes after.
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
