/**
 * Runs at most `count` pieces of work at a time, in the order they came. One whose signal aborts while it waits,
 * rejects.
 */
export function createTurns(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason as Error);
      };
      waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await turn(signal);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
