import pLimit from 'p-limit';

/** Runs at most `count` pieces of work at a time, in the order they came. Rejects at once when its signal aborts. */
export function createTurns(count: number) {
  const limit = pLimit(count);
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const turn = limit(async () => {
      signal.throwIfAborted();
      signal.removeEventListener('abort', abort);
      return await work();
    });
    return await Promise.race([turn, aborted]);
  };
}
