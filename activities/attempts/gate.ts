interface Waiting {
  readonly alone: boolean;
  readonly start: () => void;
}

export interface Entering {
  readonly alone: boolean;
  readonly signal: AbortSignal;
  /** Longest wait in milliseconds; Infinity: without a limit. */
  readonly patienceMs: number;
}

/**
 * Lets the jobs of a process run side by side, or one of them alone. Jobs enter in order of arrival. A job that runs
 * alone waits for the running jobs, and later jobs wait for it.
 */
export function createGate() {
  const waiting: Waiting[] = [];
  let running = 0;
  let isAlone = false;

  const admit = (): void => {
    for (let first = waiting[0]; first && !isAlone && (running === 0 || !first.alone); first = waiting[0]) {
      waiting.shift();
      running += 1;
      isAlone = first.alone;
      first.start();
    }
  };
  const leave = (): void => {
    running -= 1;
    isAlone = false;
    admit();
  };

  return {
    /**
     * Returns the function that ends the job's turn; null: the wait took too long. Rejects at once when the signal
     * aborts.
     */
    async enter({ alone, signal, patienceMs }: Entering): Promise<(() => void) | null> {
      signal.throwIfAborted();
      const { promise: entered, resolve, reject } = Promise.withResolvers<boolean>();
      const one: Waiting = { alone, start: () => resolve(true) };
      waiting.push(one);
      admit();
      const withdraw = (): void => {
        const at = waiting.indexOf(one);
        if (at < 0) return;
        waiting.splice(at, 1);
        admit();
      };
      const abort = (): void => {
        withdraw();
        reject(signal.reason as Error);
      };
      const tooLong = (): void => {
        withdraw();
        resolve(false);
      };
      signal.addEventListener('abort', abort, { once: true });
      const timer = patienceMs === Infinity ? undefined : setTimeout(tooLong, patienceMs);
      try {
        return (await entered) ? leave : null;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
